import Glibc

/// The maximum number of files and sockets that this process may have open.
enum FileDescriptorLimit {
    /// The number of file descriptors that client connections may not use; they are reserved for files, devices and
    /// other sockets.
    static let reservedFileDescriptors = 128

    /// Raises the limit to the highest value that the system allows. The usual initial limit is 1,024, and a full hall
    /// needs thousands of connections.
    static func raiseLimit() {
        var limit = rlimit()
        guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return }
        limit.rlim_cur = limit.rlim_max
        setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
    }

    /// The number of connections, at most `wanted`, that can be open without using the reserved file descriptors. A
    /// phone that has to wait does less harm than a log that cannot open its next file.
    static func connectionLimit(for wanted: Int) -> Int {
        guard let available else { return wanted }
        return max(16, min(wanted, available - reservedFileDescriptors - sentFileLimit()))
    }

    private static let mostSentFiles = 1_152

    /// The number of files that may be sent to clients at the same time. Each needs a file descriptor.
    static func sentFileLimit() -> Int {
        available.map { max(9, min(mostSentFiles, $0 / 8)) } ?? mostSentFiles
    }

    private static var available: Int? {
        var limit = rlimit()
        guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return nil }
        return Int(clamping: limit.rlim_cur)
    }
}
