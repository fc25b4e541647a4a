import Hosting
import Podium
import WebServer

/// Answers `/healthz`: which server is active, and whether this one can run the show.
package struct ServeHealth: Sendable {
    /// This server's role: alone, main, backup or asking.
    package var role: @Sendable () -> String
    /// The time since the show engine's thread last ran.
    package var idle: @Sendable () -> Duration
    /// False while the audio input is gone.
    package var isListening: @Sendable () -> Bool
    /// A sentence about the age of a backup's replica of content, scores and rooms; nil if there is only one server.
    package var content: @Sendable () -> String? = { nil }

    package init(
        role: @escaping @Sendable () -> String, idle: @escaping @Sendable () -> Duration,
        isListening: @escaping @Sendable () -> Bool, content: @escaping @Sendable () -> String? = { nil }
    ) {
        self.role = role
        self.idle = idle
        self.isListening = isListening
        self.content = content
    }

    package struct Told: Encodable, Equatable {
        package var ok = true
        package var role: String
        /// Rises each time a server becomes active. If two servers both claim to be main, clients follow the higher
        /// term.
        package var term: UInt32
        package var holder: String
        package var listening: Bool
        package var content: String?
    }

    private struct Stuck: Encodable {
        var ok = false
        var role: String
        var error: String
        var code = "stuck"
    }

    /// After this pause the show engine counts as stuck; its thread normally runs twenty times a second.
    private static let longestIdle = Duration.seconds(2)

    package func answer(_ picture: DeskPicture) -> WebResponse {
        let (role, idle) = (role(), idle())
        guard idle <= Self.longestIdle else {
            let seconds = idle.components.seconds
            return .json(
                Stuck(
                    role: role,
                    error:
                        "The show engine has not responded for \(seconds) s, so no commands or positions are "
                        + "processed; check the machine's load and disk, and restart the server if this lasts."
                ),
                status: 503
            )
        }
        return .json(
            Told(
                role: role, term: picture.state.epoch.term, holder: picture.state.holder.kind,
                listening: isListening(),
                content: content()))
    }
}
