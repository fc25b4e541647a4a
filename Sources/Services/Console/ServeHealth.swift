import Hosting
import Podium
import WebServer

/// What `/healthz` says: who reigns, and whether this server can serve at all.
package struct ServeHealth: Sendable {
    /// alone, main, backup or asking.
    package var role: @Sendable () -> String
    /// Since the show engine was last at work.
    package var idle: @Sendable () -> Duration
    /// False while the sound input is gone.
    package var isListening: @Sendable () -> Bool
    /// How old a backup's copy of content, scores and rooms is; nil where there is one server.
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
        /// Rises with each reign; of two servers that both say they are main the higher one is believed.
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

    /// The desk looks up twenty times a second.
    private static let longestIdle = Duration.seconds(2)

    package func answer(_ picture: DeskPicture) -> WebResponse {
        let (role, idle) = (role(), idle())
        guard idle <= Self.longestIdle else {
            let seconds = idle.components.seconds
            return .json(
                Stuck(
                    role: role,
                    error:
                        "The show has stood still for \(seconds) s, so neither commands nor positions go out; look at "
                        + "the machine's load and disk, and start the server again if it lasts."), status: 503
            )
        }
        return .json(
            Told(
                role: role, term: picture.state.epoch.term, holder: picture.state.holder.kind,
                listening: isListening(),
                content: content()))
    }
}
