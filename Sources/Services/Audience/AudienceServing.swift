import Content
import Hosting
import Podium
import WebServer

/// The audience's side of a running server: pages, the fixed addresses of existing apps, and the live stream.
package struct AudienceServing: HostedService {
    package let listeners: ListenerContent
    package let output: AudienceOutput
    /// Repeats for relays what the audience's own output says, and so comes after it; nil without a broker.
    let relayFeed: AudienceBroker?

    /// - Parameters:
    ///   - show: names the show, equal after a restart that goes on with it.
    ///   - relayFeed: the feed of relays; nil without a broker.
    ///   - clock: milliseconds since the show began, going on over restarts.
    package init(
        _ listeners: ListenerContent, show: String, relayFeed: AudienceBroker? = nil,
        clock: @escaping @Sendable () -> Int64
    ) {
        self.listeners = listeners
        let output = AudienceOutput(
            hub: listeners.hub, show: show, content: { listeners.served }, clock: clock)
        self.output = output
        self.relayFeed = relayFeed
        listeners.whenChanged { output.contentHasChanged() }
    }

    package var routes: [WebRoute] { Self.routes(listeners) }

    package static func routes(_ listeners: ListenerContent) -> [WebRoute] {
        ContentFixedPaths(listeners: listeners).routes + AudienceRoutes(listeners: listeners).routes
            + [QRCodeRoute.route]
    }

    package var outputs: [any ShowOutput] { [output] + (relayFeed.map { [$0] } ?? []) }

    /// Before the show: do the slides know every bar of tonight's pieces?
    package var preShowQuestions: [PreShowQuestion] {
        [ContentMatch.question { [listeners] in listeners.served }]
    }

    /// During the show: the slides of the piece being played do not fit it.
    package var watchedFaults: [WatchedFault] { [ContentMatch.fault { [listeners] in listeners.served }] }
}
