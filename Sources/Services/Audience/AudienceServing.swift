import Podium
import WebServer

/// The audience's side of a running server: pages, the fixed addresses of existing apps, and the live stream.
struct AudienceServing: Sendable {
    let listeners: ListenerContent
    let output: AudienceOutput

    /// - Parameters:
    ///   - show: names the show, equal after a restart that goes on with it.
    ///   - clock: milliseconds since the show began, going on over restarts.
    init(_ listeners: ListenerContent, show: String, clock: @escaping @Sendable () -> Int64) {
        self.listeners = listeners
        let output = AudienceOutput(
            hub: listeners.hub, show: show, content: { listeners.served }, clock: clock)
        self.output = output
        listeners.whenChanged { output.contentHasChanged() }
    }

    var routes: [WebRoute] { Self.routes(listeners) }

    static func routes(_ listeners: ListenerContent) -> [WebRoute] {
        ContentFixedPaths(listeners: listeners).routes + AudienceRoutes(listeners: listeners).routes
    }

    /// Before the show: do the slides know every bar of tonight's pieces?
    var slidesQuestion: PreShowQuestion { ContentMatch.question { [listeners] in listeners.served } }

    /// During the show: the slides of the piece being played do not fit it.
    var slidesFault: WatchedFault { ContentMatch.fault { [listeners] in listeners.served } }
}
