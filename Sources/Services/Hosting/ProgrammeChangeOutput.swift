import Podium
import Synchronization

/// Tells a service each time the pieces of the programme have changed or an encore was played, on another thread than the
/// show engine's.
package final class ProgrammeChangeOutput: ShowOutput {
    /// Called with the changed programme, its ``ShowProgramme/secretEncores(heard:)``, and whether this server is the
    /// active one.
    package typealias Handler =
        @Sendable (ShowProgramme, _ secret: [Int], _ isActiveServer: Bool) async -> Void

    private let knownRevision: Mutex<String>
    private let changes: AsyncStream<(ShowProgramme, [Int], Bool)>.Continuation
    private let task: Task<Void, Never>

    /// - Parameter known: the programme that the service knows from its start.
    package init(known: ShowProgramme, handler: @escaping Handler) {
        knownRevision = Mutex(Self.revision(of: known, known.secretEncores(heard: nil)))
        // Only the newest programme matters.
        let (stream, changes) = AsyncStream.makeStream(
            of: (ShowProgramme, [Int], Bool).self, bufferingPolicy: .bufferingNewest(1))
        self.changes = changes
        task = Task {
            for await (programme, secret, isActive) in stream { await handler(programme, secret, isActive) }
        }
    }

    package func performEffect(_ effect: PodiumEffect, of course: ShowProgramme) {}

    package func receiveSnapshot(_ snapshot: ShowEngineSnapshot) {
        let secret = snapshot.secretEncores
        let revision = Self.revision(of: snapshot.programme, secret)
        let isNews = knownRevision.withLock { known in
            defer { known = revision }
            return known != revision
        }
        if isNews { changes.yield((snapshot.programme, secret, snapshot.isActiveServer)) }
    }

    private static func revision(of programme: ShowProgramme, _ secret: [Int]) -> String {
        secret.isEmpty ? programme.orderRevision : "\(programme.orderRevision) \(secret)"
    }

    package func close() async {
        changes.finish()
        await task.value
    }
}
