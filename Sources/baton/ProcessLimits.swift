import Foundation
import Hosting

/// Checks the system's limits before a command begins. With too few file descriptors or too little address space, the
/// process would crash later without a message.
enum ProcessLimits {
    struct Requirement: Equatable {
        /// The number of files and sockets that are open at the same time.
        var files: UInt64
        /// Address space in MiB; threads and libraries reserve far more than they use.
        var megabytes: UInt64
    }

    /// For commands that run a server: connections, logs, databases, and stacks for about thirty threads.
    static let serving = Requirement(files: 160, megabytes: 1_000)
    static let working = Requirement(files: 32, megabytes: 400)
    /// For commands that only query a server or print something.
    static let asking = Requirement(files: 16, megabytes: 200)

    static func requirement(of command: String) -> Requirement {
        switch command.split(separator: " ").first {
        case "serve", "relay": serving
        case "ctl", "watch", "devices": asking
        default: working
        }
    }

    /// Raises the limit of open files if needed and allowed, and checks both limits.
    /// - Throws: if a limit is still too low.
    static func check(_ requirement: Requirement) throws(ExplainedError) {
        try check(requirement, files: raised(RLIMIT_NOFILE, to: requirement.files), bytes: limit(RLIMIT_AS))
    }

    /// - Parameters:
    ///   - files: the number of file descriptors that the process may have; nil if unlimited.
    ///   - bytes: the address space that it may have, in bytes; nil if unlimited.
    static func check(_ requirement: Requirement, files: UInt64?, bytes: UInt64?) throws(ExplainedError) {
        if let files, files < requirement.files {
            throw ExplainedError(
                sentence: "The system lets this program open only \(files) files at once, and it needs "
                    + "\(requirement.files); raise the limit (ulimit -n 4096, or LimitNOFILE= of the service)."
            )
        }
        if let bytes, bytes < requirement.megabytes << 20 {
            throw ExplainedError(
                sentence:
                    "The system lets this program have only \(bytes >> 20) MB of address space, and it needs "
                    + "\(requirement.megabytes) MB; lift the limit (ulimit -v unlimited, or LimitAS= of the service) and "
                    + "limit what is really used with MemoryMax= instead.")
        }
    }

    /// The present soft limit; nil if unlimited.
    private static func limit(_ which: __rlimit_resource) -> UInt64? {
        var limit = rlimit()
        guard getrlimit(__rlimit_resource_t(which.rawValue), &limit) == 0, limit.rlim_cur != rlim_t.max else {
            return nil
        }
        return UInt64(limit.rlim_cur)
    }

    private static func raised(_ which: __rlimit_resource, to wanted: UInt64) -> UInt64? {
        var limit = rlimit()
        guard getrlimit(__rlimit_resource_t(which.rawValue), &limit) == 0 else { return nil }
        if limit.rlim_cur < wanted, limit.rlim_cur < limit.rlim_max {
            limit.rlim_cur = min(rlim_t(wanted), limit.rlim_max)
            setrlimit(__rlimit_resource_t(which.rawValue), &limit)
        }
        return self.limit(which)
    }
}
