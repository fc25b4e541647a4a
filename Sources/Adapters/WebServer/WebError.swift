import Basics
import Glibc
import NIOCore

/// The reason why the web server could not start or continue.
public enum WebError {
    public static func badOrigin(_ text: String) -> ExplainedError {
        ExplainedError(
            "“\(text.prefix(80))” is not an origin; give scheme and host as browsers show them, "
                + "without a path, such as https://baton.example.org or http://192.168.1.9:8000.")
    }

    public static func unusableCertificate(path: String, reason: String) -> ExplainedError {
        ExplainedError(
            "The TLS file \(path) cannot be used (\(reason)); give a certificate and its key, both in "
                + "PEM form.")
    }

    public static func certificateNotMade(reason: String) -> ExplainedError {
        ExplainedError("The certificate was not made: \(reason).")
    }

    public static func unreadablePages(path: String, reason: String) -> ExplainedError {
        ExplainedError(
            "The pages in \(path) cannot be read (\(reason)); install the program again, or give "
                + "their folder with --pages.")
    }

    static func wrapping(_ error: any Error, settings: WebSettings) -> ExplainedError {
        if let error = error as? ExplainedError { return error }
        let (address, port) = (settings.address, settings.port)
        let noAddress = ExplainedError(
            "This machine has no address \(address) to listen on; see its addresses with ip address.")
        guard let error = error as? IOError else {
            return error is SocketAddressError ? noAddress : failed("\(error)")
        }
        return switch error.errnoCode {
        case EADDRINUSE:
            ExplainedError(
                "Port \(port) of \(address) is in use, perhaps by another Baton server; end that program or choose "
                    + "another port with --http.")
        case EACCES, EPERM:
            ExplainedError(
                "The system does not permit us to listen on \(address):\(port); ports below 1024 need special "
                    + "rights, so choose a higher one with --http.")
        case EADDRNOTAVAIL: noAddress
        case let code: failed(String(cString: strerror(code)))
        }
    }

    private static func failed(_ reason: String) -> ExplainedError {
        ExplainedError("The web server failed: \(reason); start it again.")
    }
}
