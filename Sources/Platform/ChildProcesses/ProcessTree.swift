import Foundation

/// A process with all processes that it started and that they started.
enum ProcessTree {
    /// Kills a child of this process and all its descendants.
    ///
    /// Each process is stopped before its children are listed. It can then neither start further ones nor wait for
    /// those that end, so that no listed id becomes another process's before it is killed.
    static func kill(_ root: pid_t) {
        var tree = [root]
        var index = 0
        while index < tree.count {
            _ = Glibc.kill(tree[index], SIGSTOP)
            tree += children(of: tree[index])
            index += 1
        }
        for process in tree.reversed() { _ = Glibc.kill(process, SIGKILL) }
    }

    private static func children(of parent: pid_t) -> [pid_t] {
        ((try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []).compactMap { name in
            guard let id = pid_t(name), let bytes = FileManager.default.contents(atPath: "/proc/\(id)/stat")
            else { return nil }
            // The name of the program, in parentheses, may contain anything; state and parent come after it.
            let fields = String(decoding: bytes, as: UTF8.self).split(separator: ")").last?.split(
                separator: " ")
            guard let fields, fields.count > 1, pid_t(fields[1]) == parent else { return nil }
            return id
        }
    }
}
