import Basics
import Foundation
import Hosting

/// Begins the program again in the same process: with the same process number, arguments and environment, and nothing
/// else of what it was. A service manager sees one program that runs on.
@MainActor enum ProgramRestart {
    /// Does not return if it succeeds.
    /// - Returns: the error that says why the program could not begin again.
    static func beginAnew() -> ExplainedError {
        // The new program has the niceness and the signal mask of the thread that executes it, and the dispatch library
        // changes those of its own threads.
        let process = __priority_which_t(PRIO_PROCESS.rawValue)
        _ = setpriority(process, 0, getpriority(process, id_t(getpid())))
        var none = sigset_t()
        sigemptyset(&none)
        pthread_sigmask(SIG_SETMASK, &none, nil)
        // Of the files, the new program has standard input, output and error only.
        for file in (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")) ?? [] {
            if let descriptor = Int32(file), descriptor > 2 { _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC) }
        }
        // By its path, so that it keeps its name; the second way leads to it even if the file was replaced.
        let own = URL(filePath: "/proc/self/exe")
        for path in [own.resolvingSymlinksInPath().path, own.path] { execv(path, CommandLine.unsafeArgv) }
        return ExplainedError(
            "The program could not begin again: \(String(cString: strerror(errno))). Start it; the "
                + "next evening then begins.")
    }
}
