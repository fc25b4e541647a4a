import Glibc

/// The limit of this process's file descriptors.
enum FileDescriptorLimit {
    /// File descriptors held back from client connections for files, devices and other sockets.
    static let reserve = 128

    /// Raises the limit to the highest that the system allows: a full hall needs thousands, and the usual initial
    /// limit is 1,024.
    static func raiseLimit() {
        var limit = rlimit()
        guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return }
        limit.rlim_cur = limit.rlim_max
        setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
    }

    /// The number of connections, at most `wanted`, that may be open at once without using descriptors that the rest
    /// of the program needs: a log that cannot open its next file is worse than a phone that waits.
    static func room(for wanted: Int) -> Int {
        var limit = rlimit()
        guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return wanted }
        return max(16, min(wanted, Int(clamping: limit.rlim_cur) - reserve))
    }
}
