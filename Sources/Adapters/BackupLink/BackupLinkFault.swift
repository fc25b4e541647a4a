import Basics
import Glibc
import NIOCore

/// The reason why the main server and the backup cannot communicate.
public enum BackupLinkFault {
    public static func keyUnreadable(path: String, errno: Int32) -> ExplainedError {
        ExplainedError(
            "The key file \(path) cannot be read: \(BackupLinkFault.errnoText(errno)); make one with "
                + "'head -c 48 /dev/urandom | base64', chmod 600, the same on both machines.")
    }

    public static func systemError(action: String, errno: Int32) -> ExplainedError {
        ExplainedError(
            "The system failed to \(action): \(BackupLinkFault.errnoText(errno)); check the network.")
    }

    private static func errnoText(_ errno: Int32) -> String {
        "\(String(cString: strerror(errno))) (error \(errno))"
    }

    static func wrapping(_ error: any Error, action: String, address: String, port: Int) -> ExplainedError {
        if let error = error as? ExplainedError { return error }
        let noAddress = ExplainedError(
            "'\(address)' is not an address of this machine; give one that 'ip a' lists.")
        if error is SocketAddressError { return noAddress }
        guard let error = error as? IOError else {
            return ExplainedError("The network failed to \(action): \(error).")
        }
        return switch error.errnoCode {
        case EADDRINUSE:
            ExplainedError(
                "Port \(port) of \(address) is taken by another program; end it, or give the link another port."
            )
        case EACCES, EPERM:
            ExplainedError(
                "The system does not permit listening on \(address):\(port); use a port above 1023, or check the "
                    + "rights of this user.")
        case EADDRNOTAVAIL: noAddress
        case let code: systemError(action: action, errno: code)
        }
    }
}
