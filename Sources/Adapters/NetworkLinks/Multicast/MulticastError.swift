import Basics
import Glibc
import NIOCore

/// The reason why multicast packets cannot be sent or received.
public enum MulticastError {
    public static func interfaceUnknown(_ name: String, known: [String]) -> ExplainedError {
        ExplainedError(
            "This machine has no interface '\(name)' with an IPv4 address; it has "
                + (known.isEmpty ? "none." : known.joined(separator: ", ") + "."))
    }

    static func wrapping(_ error: any Error, action: String, port: Int) -> ExplainedError {
        if let error = error as? ExplainedError { return error }
        guard let error = error as? IOError else {
            return ExplainedError("The network failed to \(action): \(error).")
        }
        return switch error.errnoCode {
        case EADDRINUSE:
            ExplainedError(
                "Port \(port) is taken by a program that does not share it; end that program or use another port."
            )
        case EACCES, EPERM:
            ExplainedError(
                "The system does not permit us to \(action); check the firewall, or the rights of this user.")
        case let code:
            ExplainedError(
                "The system failed to \(action): \(String(cString: strerror(code))) (error \(code)); check the "
                    + "network.")
        }
    }
}
