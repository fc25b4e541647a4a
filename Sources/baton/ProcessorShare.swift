import Foundation

/// Makes the niceness with which a server was started count against other sessions.
///
/// Linux shares the processors between sessions first, and niceness counts within one only: a server begun with
/// `nice -n -10` in a terminal or as a service of its own has no more than a build in another one, and most of its
/// threads are the dispatch library's, which sets their niceness anew. The session's own niceness is set to the same.
/// Costs nothing; if the system does not allow it, nothing changes.
/// Source: sched(7), "The autogroup feature".
enum ProcessorShare {
    static func claim() {
        // The first thread's: threads of the dispatch library set their own.
        let niceness = getpriority(__priority_which_t(PRIO_PROCESS.rawValue), id_t(getpid()))
        guard niceness < 0, let file = FileHandle(forWritingAtPath: "/proc/self/autogroup") else { return }
        try? file.write(contentsOf: Data("\(niceness)".utf8))
        try? file.close()
    }
}
