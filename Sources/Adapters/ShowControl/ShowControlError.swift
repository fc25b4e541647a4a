import Basics
import Glibc
import NIOCore

/// The reasons why show control cannot listen or send.
public enum ShowControlError {
    public static func notHostAndPort(_ text: String) -> ExplainedError {
        ExplainedError(
            "'\(text)' is not an address and port; write for example 127.0.0.1:9120 or "
                + "192.168.1.20:53000.")
    }

    public static var tooManyTargets: ExplainedError {
        ExplainedError("There are \(OSCStateReceivers.maximumTargets) targets already; remove one first.")
    }

    public static func unknownTarget(_ name: String) -> ExplainedError {
        ExplainedError(
            "There is no target “\(name.prefix(60))”; name one that is configured, or configure it.")
    }

    static func systemError(action: String, errno: Int32) -> ExplainedError {
        ExplainedError(
            errno == ECONNREFUSED
                ? "Nothing listened when we tried to \(action); is the program started and its port right?"
                : "The system failed to \(action): \(String(cString: strerror(errno))) (error \(errno)); check the "
                    + "network.")
    }

    static func wrappingSystemError(
        _ error: any Error, action: String, endpoint: OSCEndpoint, transport: String = "UDP"
    ) -> ExplainedError {
        switch error {
        case let error as ExplainedError: return error
        case is SocketAddressError, is SocketAddressError.UnknownHost:
            return ExplainedError(
                "The name '\(endpoint.host)' was not found on the network; check it, or give the address "
                    + "in numbers.")
        case let error as IOError:
            return switch error.errnoCode {
            case EADDRINUSE:
                ExplainedError(
                    "\(transport) port \(endpoint.port) is taken by another program; end that program or "
                        + "use another port.")
            case EADDRNOTAVAIL:
                ExplainedError(
                    "This machine has no address '\(endpoint.host)'; give one of its own, or 0.0.0.0 for all."
                )
            case EACCES, EPERM:
                ExplainedError(
                    "The system does not permit us to \(action); check the firewall, or the rights of this user."
                )
            case let code: systemError(action: action, errno: code)
            }
        default: return ExplainedError("The network failed to \(action): \(error).")
        }
    }
}
