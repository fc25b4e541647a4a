import Foundation
import Hosting
import Sound
import Synchronization

/// Makes sure that an interrupted preparation leaves neither a half-written model nor scratch files.
package final class PreparationCleanup: Sendable {
    private struct State {
        var isRendering = false
        var isInterrupted = false
    }

    package static let interruptionMessage = "Interrupted: nothing was written."

    private let console: any PreparationObserver
    /// Folder for temporary files, created on first use.
    package let scratchFolder: URL
    private let state = Mutex(State())

    /// - Parameter scratchFolder: the folder for temporary files; nil for one among the system's.
    package init(console: any PreparationObserver, scratchFolder: URL? = nil) {
        self.console = console
        self.scratchFolder =
            scratchFolder
            ?? FileManager.default.temporaryDirectory
            .appendingPathComponent("baton-prepare-\(UUID().uuidString)", isDirectory: true)
    }

    package var isInterrupted: Bool { state.withLock { $0.isInterrupted } }

    /// Handles Ctrl-C by ending the process. If a score is being rendered, only the rendering is cancelled, because it
    /// must delete its own files.
    package func handleInterrupt(cancel: () -> Void) {
        state.withLock { state in
            if state.isRendering {
                state.isInterrupted = true
                cancel()
            } else {
                deleteScratchFiles()
                console.printLine(Self.interruptionMessage)
                exit(130)
            }
        }
    }

    /// Runs work that Ctrl-C cancels instead of ending the process, because the work must delete its own files.
    func runCancellable<Result>(_ work: () async throws -> Result) async throws -> Result {
        state.withLock { $0.isRendering = true }
        defer { state.withLock { $0.isRendering = false } }
        return try await work()
    }

    /// Runs short work to its end before Ctrl-C takes effect, such as writing the model.
    func runUninterrupted<Made: Sendable>(
        _ work: () throws -> Made
    ) throws -> Made {
        try state.withLock { _ in Result(catching: work) }.get()
    }

    /// The path of a recording that can be read: the file itself, or what ffmpeg makes of it among the scratch files.
    func makeReadable(_ recording: String) async throws -> String {
        try await runCancellable {
            try? FileManager.default.createDirectory(at: scratchFolder, withIntermediateDirectories: true)
            return try await SoundConversion.makeReadable(recording, in: scratchFolder)
        }
    }

    package func deleteScratchFiles() { try? FileManager.default.removeItem(at: scratchFolder) }
}
