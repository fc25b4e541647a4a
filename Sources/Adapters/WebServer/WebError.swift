import Glibc
import NIOCore

/// The reason why the web server could not start or continue.
public enum WebError: Error, Equatable, Sendable {
    /// The settings require no sign-in, although other machines can reach the address.
    case openToStrangers(address: String)
    /// An additional origin needs a sign-in: it belongs to a proxy, and all visitors through a proxy seem to come from
    /// this machine.
    case originWithoutSignIn(String)
    /// A trusted proxy needs a sign-in: all its visitors seem to come from one machine.
    case proxyWithoutSignIn(String)
    case badOrigin(String)
    case badHostName(String)
    case badProxy(String)
    case badPort(Int)
    case portInUse(address: String, port: Int)
    case notPermitted(address: String, port: Int)
    case addressUnknown(String)
    case unusableCertificate(path: String, reason: String)
    /// Users other than its owner may read the file of the private key.
    case keyOpenToOthers(path: String)
    /// The server's own certificate could not be made.
    case certificateNotMade(reason: String)
    case unreadablePages(path: String, reason: String)
    /// Two folders contain a page of the same name, so the server cannot know which one to serve.
    case duplicatePage(name: String, folders: [String])
    case failed(reason: String)

    public var sentence: String {
        switch self {
        case .openToStrangers(let address):
            "Without sign-in anybody who reaches \(address) could run the concert; listen on 127.0.0.1, or leave "
                + "out --no-sign-in."
        case .originWithoutSignIn(let origin):
            "Visitors through \(origin) seem to come from this machine, so without sign-in anybody could run the "
                + "concert; leave out --no-sign-in or --origin."
        case .badOrigin(let text):
            "“\(text.prefix(80))” is not an origin; give scheme and host as browsers show them, without "
                + "a path, such as "
                + "https://baton.example.org or http://192.168.1.9:8000."
        case .badHostName(let text):
            "“\(text.prefix(80))” is not a host name; give it without scheme and port, such as baton.hall.example."
        case .proxyWithoutSignIn(let proxy):
            "Visitors through the proxy at \(proxy) all have its address, so without sign-in anybody could run the "
                + "concert; leave out --no-sign-in or --trusted-proxy."
        case .badProxy(let text):
            "“\(text.prefix(80))” is not a proxy's address; give the one address from which it reaches this server, in "
                + "numbers and without a port, such as 127.0.0.1 or 10.0.0.5, and repeat the option for more."
        case .badPort(let port):
            "Port \(port) does not exist; give one from 0 to 65535."
        case .portInUse(let address, let port):
            "Port \(port) of \(address) is in use, perhaps by another Baton server; end that program or choose "
                + "another port with --http."
        case .notPermitted(let address, let port):
            "The system does not permit us to listen on \(address):\(port); ports below 1024 need special rights, "
                + "so choose a higher one with --http."
        case .addressUnknown(let address):
            "This machine has no address \(address) to listen on; see its addresses with ip address."
        case .unusableCertificate(let path, let reason):
            "The TLS file \(path) cannot be used (\(reason)); give a certificate and its key, both in PEM form."
        case .keyOpenToOthers(let path):
            "Other users than its owner can read the key file \(path); run 'chmod 600' on it."
        case .certificateNotMade(let reason):
            "The certificate was not made: \(reason)."
        case .unreadablePages(let path, let reason):
            "The pages in \(path) cannot be read (\(reason)); install the program again, or give their "
                + "folder with --pages."
        case .duplicatePage(let name, let folders):
            "The page \(name) lies in \(folders.joined(separator: " and in ")); delete the folders baton_*.resources "
                + "beside the program and install it again."
        case .failed(let reason):
            "The web server failed: \(reason); start it again."
        }
    }

    static func wrapping(_ error: any Error, settings: WebSettings) -> WebError {
        if let error = error as? WebError { return error }
        let (address, port) = (settings.address, settings.port)
        guard let error = error as? IOError else {
            return error is SocketAddressError ? .addressUnknown(address) : .failed(reason: "\(error)")
        }
        return switch error.errnoCode {
        case EADDRINUSE: .portInUse(address: address, port: port)
        case EACCES, EPERM: .notPermitted(address: address, port: port)
        case EADDRNOTAVAIL: .addressUnknown(address)
        case let code: .failed(reason: String(cString: strerror(code)))
        }
    }
}
