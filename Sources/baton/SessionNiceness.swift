import Foundation

/// Copies the negative niceness of the server's process to its session, so that it counts against other sessions too.
///
/// With autogrouping, Linux first divides the processors between sessions; niceness counts only within one session. A
/// server started by `nice -n -10` would therefore get no more processor time than a build in another terminal. It
/// costs nothing; without the permission nothing changes. Source: sched(7), "The autogroup feature".
enum SessionNiceness {
    static func copyProcessNicenessToSession() {
        // The main thread's niceness; the dispatch library sets that of its own threads.
        let niceness = getpriority(__priority_which_t(PRIO_PROCESS.rawValue), id_t(getpid()))
        guard niceness < 0, let file = FileHandle(forWritingAtPath: "/proc/self/autogroup") else { return }
        try? file.write(contentsOf: Data("\(niceness)".utf8))
        try? file.close()
    }
}
