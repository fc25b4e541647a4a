import Foundation

/// Waits until what was written to a file is on the disk. Those who ask while it waits share the next wait.
///
/// A wait takes some milliseconds, a tenth of a second on a busy disk. It blocks a thread of its own and nobody else.
public actor FileFlusher {
    private let synchronize: @Sendable () -> CInt
    private let thread = DispatchQueue(label: "file-flusher")
    private var waiting: [CheckedContinuation<CInt, Never>] = []
    private var isFlushing = false

    /// - Parameter synchronize: waits for the disk; gives 0 or the system's error number.
    init(_ synchronize: @escaping @Sendable () -> CInt) { self.synchronize = synchronize }

    /// Returns once everything written before the call is on the disk.
    /// - Returns: 0, or the system's error number if the disk did not take it.
    func flush() async -> CInt {
        await withCheckedContinuation { continuation in
            waiting.append(continuation)
            flushWaiting()
        }
    }

    /// Number of callers for whom the next wait is.
    var waitingCount: Int { waiting.count }

    private func flushWaiting() {
        guard !isFlushing, !waiting.isEmpty else { return }
        isFlushing = true
        let asked = waiting
        waiting = []
        thread.async { [self, synchronize] in
            let code = synchronize()
            for each in asked { each.resume(returning: code) }
            Task { await self.flushNext() }
        }
    }

    private func flushNext() {
        isFlushing = false
        flushWaiting()
    }

    /// Waits until a file's content is on the disk. A file that is not there has nothing to wait for.
    /// - Returns: 0, or the system's error number.
    @Sendable public static func synchronizeFile(_ path: String) -> CInt {
        let handle = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
        guard handle >= 0 else { return errno == ENOENT ? 0 : errno }
        defer { close(handle) }
        return fdatasync(handle) == 0 ? 0 : errno
    }
}
