import Explanations
import Glibc
import NIOCore

/// The reason why the main server and the backup cannot communicate.
public enum BackupLinkFault: Explained, Equatable, Sendable {
    case keyUnreadable(path: String, errno: Int32)
    case keyTooShort(path: String, bytes: Int)
    /// Users other than the owner may read the key file.
    case keyFileReadableByOthers(path: String)
    case portInUse(address: String, port: Int)
    case listeningNotPermitted(address: String, port: Int)
    case addressUnknown(String)
    /// The operating system refused `action` with `errno`.
    case systemError(action: String, errno: Int32)
    case networkFailed(action: String, reason: String)

    public var sentence: String {
        switch self {
        case .keyUnreadable(let path, let errno):
            "The key file \(path) cannot be read: \(Self.errnoText(errno)); make one with "
                + "'head -c 48 /dev/urandom | base64', chmod 600, the same on both machines."
        case .keyTooShort(let path, let bytes):
            "The key in \(path) has \(bytes) bytes; it needs \(BackupLinkKey.fewestBytes) at least, so that nobody "
                + "can guess it."
        case .keyFileReadableByOthers(let path):
            "Other users than its owner can read the key file \(path); run 'chmod 600' on it."
        case .portInUse(let address, let port):
            "Port \(port) of \(address) is taken by another program; end it, or give the link another port."
        case .listeningNotPermitted(let address, let port):
            "The system does not permit listening on \(address):\(port); use a port above 1023, or check the "
                + "rights of this user."
        case .addressUnknown(let address):
            "'\(address)' is not an address of this machine; give one that 'ip a' lists."
        case .systemError(let action, let errno):
            "The system failed to \(action): \(Self.errnoText(errno)); check the network."
        case .networkFailed(let action, let reason):
            "The network failed to \(action): \(reason)."
        }
    }

    private static func errnoText(_ errno: Int32) -> String {
        "\(String(cString: strerror(errno))) (error \(errno))"
    }

    static func wrapping(_ error: any Error, action: String, address: String, port: Int) -> BackupLinkFault {
        if let error = error as? BackupLinkFault { return error }
        if error is SocketAddressError { return .addressUnknown(address) }
        guard let error = error as? IOError else { return .networkFailed(action: action, reason: "\(error)") }
        return switch error.errnoCode {
        case EADDRINUSE: .portInUse(address: address, port: port)
        case EACCES, EPERM: .listeningNotPermitted(address: address, port: port)
        case EADDRNOTAVAIL: .addressUnknown(address)
        case let code: .systemError(action: action, errno: code)
        }
    }
}
