import Explanations
import Glibc
import NIOCore

/// The reason why multicast packets cannot be sent or received.
public enum MulticastError: Explained, Equatable, Sendable {
    case notMulticast(String)
    case portOutOfRange(Int)
    /// The machine has no such interface or address. `known` lists the interfaces it has.
    case interfaceUnknown(String, known: [String])
    case portInUse(Int)
    case notPermitted(action: String)
    case datagramTooLong(bytes: Int)
    /// The operating system refused `action` with `errno`.
    case systemError(action: String, errno: Int32)
    /// An operation failed without an error number from the operating system.
    case operationFailed(action: String, reason: String)

    public var sentence: String {
        switch self {
        case .notMulticast(let group):
            "'\(group)' is not a multicast address; give one from 224.0.0.0 to 239.255.255.255."
        case .portOutOfRange(let port):
            "Port \(port) does not exist; give one from 1 to 65535."
        case .interfaceUnknown(let name, let known):
            "This machine has no interface '\(name)' with an IPv4 address; it has "
                + (known.isEmpty ? "none." : known.joined(separator: ", ") + ".")
        case .portInUse(let port):
            "Port \(port) is taken by a program that does not share it; end that program or use another port."
        case .notPermitted(let action):
            "The system does not permit us to \(action); check the firewall, or the rights of this user."
        case .datagramTooLong(let bytes):
            "A packet of \(bytes) bytes does not fit into a datagram of this network."
        case .systemError(let action, let errno):
            "The system failed to \(action): \(String(cString: strerror(errno))) (error \(errno)); check the network."
        case .operationFailed(let action, let reason):
            "The network failed to \(action): \(reason)."
        }
    }

    static func wrapping(_ error: any Error, action: String, port: Int) -> MulticastError {
        if let error = error as? MulticastError { return error }
        guard let error = error as? IOError else {
            return .operationFailed(action: action, reason: "\(error)")
        }
        return switch error.errnoCode {
        case EADDRINUSE: .portInUse(port)
        case EACCES, EPERM: .notPermitted(action: action)
        case let code: .systemError(action: action, errno: code)
        }
    }
}
