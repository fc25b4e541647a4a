import Basics
import Foundation
import Hosting

/// Checks the system's limits before a command begins. With too few file descriptors or too little address space, the
/// process would crash later without a message.
enum ProcessLimits {
    struct Requirement: Equatable {
        /// The number of files and sockets that are open at the same time.
        var openFiles: UInt64
        /// The address space in MiB; threads and libraries reserve far more than they use.
        var addressSpaceMebibytes: UInt64
    }

    /// The needs of commands that run a server: connections, logs, databases, and stacks for about thirty threads.
    static let forServers = Requirement(openFiles: 160, addressSpaceMebibytes: 1_000)
    static let forProcessing = Requirement(openFiles: 32, addressSpaceMebibytes: 400)
    /// The needs of commands that only query a server or print something.
    static let forQueries = Requirement(openFiles: 16, addressSpaceMebibytes: 200)

    static func requirement(of command: String) -> Requirement {
        switch command.split(separator: " ").first {
        case "serve", "relay": forServers
        case "ctl", "watch", "devices", "present": forQueries
        default: forProcessing
        }
    }

    /// Raises the limit of open files if needed and allowed, and checks both limits.
    /// - Throws: if a limit is still too low.
    static func checkSystemLimits(_ requirement: Requirement) throws {
        try checkSystemLimits(
            requirement, files: raiseLimit(RLIMIT_NOFILE, to: requirement.openFiles),
            bytes: softLimit(RLIMIT_AS))
    }

    /// Checks both limits.
    /// - Parameters:
    ///   - files: the number of file descriptors that the process may have; nil if unlimited.
    ///   - bytes: the address space that it may have, in bytes; nil if unlimited.
    static func checkSystemLimits(_ requirement: Requirement, files: UInt64?, bytes: UInt64?)
        throws
    {
        if let files, files < requirement.openFiles {
            throw ExplainedError(
                "The system lets this program open only \(files) files at once, and it needs "
                    + "\(requirement.openFiles); raise the limit (ulimit -n 4096, or LimitNOFILE= of the service)."
            )
        }
        if let bytes, bytes < requirement.addressSpaceMebibytes << 20 {
            throw ExplainedError(
                "The system lets this program have only \(bytes >> 20) MB of address space, and it needs "
                    + "\(requirement.addressSpaceMebibytes) MB; lift the limit "
                    + "(ulimit -v unlimited, or LimitAS= of the service) and "
                    + "limit what is really used with MemoryMax= instead.")
        }
    }

    /// Returns the present soft limit of a resource; nil if unlimited.
    private static func softLimit(_ which: __rlimit_resource) -> UInt64? {
        var limit = rlimit()
        guard getrlimit(__rlimit_resource_t(which.rawValue), &limit) == 0, limit.rlim_cur != rlim_t.max else {
            return nil
        }
        return UInt64(limit.rlim_cur)
    }

    private static func raiseLimit(_ which: __rlimit_resource, to wanted: UInt64) -> UInt64? {
        var limit = rlimit()
        guard getrlimit(__rlimit_resource_t(which.rawValue), &limit) == 0 else { return nil }
        if limit.rlim_cur < wanted, limit.rlim_cur < limit.rlim_max {
            limit.rlim_cur = min(rlim_t(wanted), limit.rlim_max)
            setrlimit(__rlimit_resource_t(which.rawValue), &limit)
        }
        return self.softLimit(which)
    }
}
