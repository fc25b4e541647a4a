import Foundation
import Synchronization

/// Sees to it that an interrupted preparation leaves nothing half done and nothing behind.
final class PrepareWorkplace: Sendable {
    private struct State {
        var isRendering = false
        var isInterrupted = false
    }

    static let interrupted = "Interrupted: nothing was written."

    private let console: PrepareConsole
    /// Made when it is first needed.
    let scratch = FileManager.default.temporaryDirectory
        .appendingPathComponent("baton-prepare-\(UUID().uuidString)", isDirectory: true)
    private let state = Mutex(State())

    init(console: PrepareConsole) { self.console = console }

    var isInterrupted: Bool { state.withLock { $0.isInterrupted } }

    /// Ends the process; a rendering is cancelled instead, because it has files of its own to clear away.
    func interrupt(cancel: () -> Void) {
        state.withLock { state in
            if state.isRendering {
                state.isInterrupted = true
                cancel()
            } else {
                clear()
                console.finish()
                console.say(Self.interrupted)
                exit(130)
            }
        }
    }

    /// Work that clears up after itself when it is cancelled.
    func rendering<Result>(_ work: () async throws -> Result) async throws -> Result {
        state.withLock { $0.isRendering = true }
        defer { state.withLock { $0.isRendering = false } }
        return try await work()
    }

    /// Work that an interruption waits for: it must be short.
    func undisturbed<Made: Sendable>(
        _ work: () throws(PrepareFailure) -> Made
    ) throws(PrepareFailure) -> Made {
        try state.withLock { _ in Result(catching: work) }.get()
    }

    func clear() { try? FileManager.default.removeItem(at: scratch) }
}
