import Glibc

/// An operating system call of the real-time lanes that failed.
public enum RealTimeError: Error, Equatable, Sendable {
    /// `pthread_create` failed.
    case threadNotStarted(name: String, errno: Int32)
    /// `mlockall` failed.
    case memoryNotLocked(errno: Int32)
    /// `pipe` failed.
    case doorbellNotInstalled(errno: Int32)

    public var sentence: String {
        switch self {
        case .threadNotStarted(let name, let code):
            "The thread “\(name)” could not be started: \(text(code)). "
                + "Look at the limits on processes and on memory (ulimit -u, ulimit -v)."
        case .memoryNotLocked(let code):
            "The memory could not be locked against paging: \(text(code)). "
                + "Raise the limit (ulimit -l, or LimitMEMLOCK=infinity in the service file)."
        case .doorbellNotInstalled(let code):
            "No pipe could be opened to wake a thread: \(text(code)). "
                + "Look at the limit on open files (ulimit -n)."
        }
    }
}

private func text(_ code: Int32) -> String {
    strerror(code).map { String(cString: $0) } ?? "error \(code)"
}
