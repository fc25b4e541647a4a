import Podium
import Synchronization

/// Tells a service each time the pieces of the programme have changed, on another thread than the show engine's.
package final class ProgrammeChangeOutput: ShowOutput {
    /// Called with the changed programme, and whether this server is the active one.
    package typealias Handler = @Sendable (ShowProgramme, _ isActiveServer: Bool) async -> Void

    private let knownRevision: Mutex<String>
    private let changes: AsyncStream<(ShowProgramme, Bool)>.Continuation
    private let task: Task<Void, Never>

    /// - Parameter known: the programme that the service knows from its start.
    package init(known: ShowProgramme, handler: @escaping Handler) {
        knownRevision = Mutex(known.orderRevision)
        // Only the newest programme matters.
        let (stream, changes) = AsyncStream.makeStream(
            of: (ShowProgramme, Bool).self, bufferingPolicy: .bufferingNewest(1))
        self.changes = changes
        task = Task { for await (programme, isActive) in stream { await handler(programme, isActive) } }
    }

    package func performEffect(_ effect: PodiumEffect, of course: ShowProgramme) {}

    package func receiveSnapshot(_ snapshot: ShowEngineSnapshot) {
        let revision = snapshot.programme.orderRevision
        let isNews = knownRevision.withLock { known in
            defer { known = revision }
            return known != revision
        }
        if isNews { changes.yield((snapshot.programme, snapshot.isActiveServer)) }
    }

    package func close() async {
        changes.finish()
        await task.value
    }
}
