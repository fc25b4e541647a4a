import Glibc

/// File descriptors of this process.
enum Descriptors {
    /// Kept for files, devices and other sockets.
    static let reserve = 128

    /// Lets the process open as many as the system ever grants it: a full hall needs thousands, and the usual first
    /// limit is 1,024.
    static func raiseLimit() {
        var limit = rlimit()
        guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return }
        limit.rlim_cur = limit.rlim_max
        setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
    }

    /// How many connections of those wanted may be open at once without taking descriptors from the rest of the
    /// program: a log that cannot open its next file is worse than a phone that waits.
    static func room(for wanted: Int) -> Int {
        var limit = rlimit()
        guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return wanted }
        return max(16, min(wanted, Int(clamping: limit.rlim_cur) - reserve))
    }
}
