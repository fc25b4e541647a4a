import Glibc
import NIOCore

/// The reasons why show control cannot listen or send.
public enum ShowControlError: Error, Equatable, Sendable {
    case notHostAndPort(String)
    case portOutOfRange(Int)
    case portInUse(Int, transport: String)
    case addressNotOfThisMachine(String)
    case hostUnknown(String)
    case notPermitted(action: String)
    case tooManyTargets(most: Int)
    case unknownTarget(String)
    case badTargetName(String)
    /// The target is an endpoint at which this server itself listens.
    case targetIsThisServer(target: String, listening: String)
    case invalidMessage(OSCFault)
    case systemError(action: String, errno: Int32)
    case networkFailed(action: String, reason: String)

    public var sentence: String {
        switch self {
        case .notHostAndPort(let text):
            "'\(text)' is not an address and port; write for example 127.0.0.1:9120 or 192.168.1.20:53000."
        case .portOutOfRange(let port): "Port \(port) does not exist; give one from 1 to 65535."
        case .portInUse(let port, let transport):
            "\(transport) port \(port) is taken by another program; end that program or use another port."
        case .addressNotOfThisMachine(let address):
            "This machine has no address '\(address)'; give one of its own, or 0.0.0.0 for all."
        case .hostUnknown(let host):
            "The name '\(host)' was not found on the network; check it, or give the address in numbers."
        case .notPermitted(let action):
            "The system does not permit us to \(action); check the firewall, or the rights of this user."
        case .tooManyTargets(let most): "There are \(most) targets already; remove one first."
        case .unknownTarget(let name):
            "There is no target “\(name.prefix(60))”; name one that is configured, or configure it."
        case .badTargetName(let name):
            "“\(name.prefix(60))” cannot be a target's name; write one to 40 characters in one line, without “=”."
        case .targetIsThisServer(let target, let listening):
            "The target “\(target)” is this server itself, which listens on \(listening): its cues would command it. "
                + "Give the address of another program."
        case .invalidMessage(let fault): fault.sentence
        case .systemError(let action, let errno) where errno == ECONNREFUSED:
            "Nothing listened when we tried to \(action); is the program started and its port right?"
        case .systemError(let action, let errno):
            "The system failed to \(action): \(String(cString: strerror(errno))) (error \(errno)); check the network."
        case .networkFailed(let action, let reason): "The network failed to \(action): \(reason)."
        }
    }

    static func wrappingSystemError(
        _ error: any Error, action: String, endpoint: OSCEndpoint, transport: String = "UDP"
    ) -> ShowControlError {
        switch error {
        case let error as ShowControlError: return error
        case let fault as OSCFault: return .invalidMessage(fault)
        case is SocketAddressError, is SocketAddressError.UnknownHost: return .hostUnknown(endpoint.host)
        case let error as IOError:
            return switch error.errnoCode {
            case EADDRINUSE: .portInUse(endpoint.port, transport: transport)
            case EADDRNOTAVAIL: .addressNotOfThisMachine(endpoint.host)
            case EACCES, EPERM: .notPermitted(action: action)
            case let code: .systemError(action: action, errno: code)
            }
        default: return .networkFailed(action: action, reason: "\(error)")
        }
    }
}
