import Foundation
import Hosting
import Synchronization

/// Makes sure that an interrupted preparation leaves neither a half-written model nor scratch files.
package final class PreparationCleanup: Sendable {
    private struct State {
        var isRendering = false
        var isInterrupted = false
    }

    package static let interrupted = "Interrupted: nothing was written."

    private let console: PreparationConsole
    /// Folder for temporary files, created on first use.
    package let scratch = FileManager.default.temporaryDirectory
        .appendingPathComponent("baton-prepare-\(UUID().uuidString)", isDirectory: true)
    private let state = Mutex(State())

    package init(console: PreparationConsole) { self.console = console }

    package var isInterrupted: Bool { state.withLock { $0.isInterrupted } }

    /// Handles Ctrl-C: ends the process. A rendering is cancelled instead, since it must delete its own files.
    package func interrupt(cancel: () -> Void) {
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

    /// Runs work that deletes its own files when it is cancelled.
    func cancellable<Result>(_ work: () async throws -> Result) async throws -> Result {
        state.withLock { $0.isRendering = true }
        defer { state.withLock { $0.isRendering = false } }
        return try await work()
    }

    /// Runs work that an interruption must wait for; it must be short.
    func uninterrupted<Made: Sendable>(
        _ work: () throws(PreparationError) -> Made
    ) throws(PreparationError) -> Made {
        try state.withLock { _ in Result(catching: work) }.get()
    }

    package func clear() { try? FileManager.default.removeItem(at: scratch) }
}
