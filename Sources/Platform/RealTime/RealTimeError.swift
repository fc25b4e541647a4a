import Basics
import Glibc

/// A failed operating system call that the real-time threads need.
public enum RealTimeError: Explained, Equatable, Sendable {
    /// The call `pthread_create` failed.
    case threadNotStarted(name: String, errno: Int32)
    /// The call `mlockall` failed.
    case memoryNotLocked(errno: Int32)
    /// The call `pipe` failed.
    case wakePipeNotOpened(errno: Int32)

    public var sentence: String {
        switch self {
        case .threadNotStarted(let name, let code):
            "The thread “\(name)” could not be started: \(errnoText(code)). "
                + "Look at the limits on processes and on memory (ulimit -u, ulimit -v)."
        case .memoryNotLocked(let code):
            "The memory could not be locked against paging: \(errnoText(code)). "
                + "Raise the limit (ulimit -l, or LimitMEMLOCK=infinity in the service file)."
        case .wakePipeNotOpened(let code):
            "No pipe could be opened to wake a thread: \(errnoText(code)). "
                + "Look at the limit on open files (ulimit -n)."
        }
    }
}

private func errnoText(_ code: Int32) -> String {
    strerror(code).map { String(cString: $0) } ?? "error \(code)"
}
