import Hosting
import Podium
import WebServer

/// Answers `/healthz`: which server is active, and whether this one can run the show.
package struct HealthResponder: Sendable {
    /// Returns this server's role: `alone`, `main`, `backup`, or `asking` while it finds out whether another server is
    /// active.
    package var determineServerRole: @Sendable () -> String
    /// Returns the time since the show engine's thread last ran.
    package var timeSinceEngineRan: @Sendable () -> Duration
    /// Returns false while the audio input is gone.
    package var isAudioInputPresent: @Sendable () -> Bool
    /// Returns a sentence about the age of a backup server's replica of content, scores and rooms; nil for a single
    /// server.
    package var describeReplicaAge: @Sendable () -> String? = { nil }

    package init(
        determineServerRole: @escaping @Sendable () -> String,
        timeSinceEngineRan: @escaping @Sendable () -> Duration,
        isAudioInputPresent: @escaping @Sendable () -> Bool,
        describeReplicaAge: @escaping @Sendable () -> String? = { nil }
    ) {
        self.determineServerRole = determineServerRole
        self.timeSinceEngineRan = timeSinceEngineRan
        self.isAudioInputPresent = isAudioInputPresent
        self.describeReplicaAge = describeReplicaAge
    }

    package struct HealthStatus: Encodable, Equatable {
        package var ok = true
        package var role: String
        /// The number of the present leadership term. It rises each time a server becomes active; if two servers both
        /// claim to be main, clients follow the one with the higher term.
        package var term: UInt32
        package var holder: String
        package var listening: Bool
        package var content: String?
    }

    private struct StuckStatus: Encodable {
        var ok = false
        var role: String
        var error: String
        var code = "stuck"
    }

    /// The show engine counts as stuck after this pause; normally its thread runs twenty times a second.
    private static let stuckAfter = Duration.seconds(2)

    package func makeHealthResponse(_ snapshot: ShowEngineSnapshot) -> WebResponse {
        let (role, idle) = (determineServerRole(), timeSinceEngineRan())
        guard idle <= Self.stuckAfter else {
            let seconds = idle.components.seconds
            return .json(
                StuckStatus(
                    role: role,
                    error:
                        "The show engine has not responded for \(seconds) s, so no commands or positions are "
                        + "processed; check the machine's load and disk, and restart the server if this lasts."
                ),
                status: 503
            )
        }
        return .json(
            HealthStatus(
                role: role, term: snapshot.state.epoch.term,
                holder: snapshot.state.holder.kind,
                listening: isAudioInputPresent(),
                content: describeReplicaAge()))
    }
}
