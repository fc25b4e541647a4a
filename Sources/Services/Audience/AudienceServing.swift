import Content
import Hosting
import Podium
import WebServer

/// The audience service: its pages, the fixed addresses of the phone apps, and the live stream.
package struct AudienceServing: HostedService {
    package let listeners: ListenerContent
    package let output: AudienceOutput
    /// Publishes the audience's events to relays; it runs after `AudienceOutput`, whose events it repeats. Nil
    /// without a broker.
    let relayFeed: AudienceBroker?

    /// - Parameters:
    ///   - show: identifies the show; the same when a restart continues it.
    ///   - relayFeed: publishes to relays; nil without a broker.
    ///   - clock: milliseconds since the show began, continuing across restarts.
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

    /// The pre-show check whether the slides cover every measure of tonight's pieces.
    package var preShowQuestions: [PreShowQuestion] {
        [ContentMatch.question { [listeners] in listeners.served }]
    }

    /// The fault that is open while the slides of the piece being played do not fit it.
    package var watchedFaults: [WatchedFault] { [ContentMatch.fault { [listeners] in listeners.served }] }
}
