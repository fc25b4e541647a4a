import Content
import Hosting
import Podium
import WebServer

/// The audience service: its pages, the fixed addresses of the phone apps, and the live stream.
package struct AudienceService: HostedService {
    package let listeners: ConcertPublisher
    package let output: AudienceOutput
    /// Publishes the audience's events to relays; it runs after `AudienceOutput`, whose events it repeats. Nil
    /// without a broker.
    let relayFeed: RelayPublisher?

    /// - Parameters:
    ///   - show: identifies the show; the same when a restart continues it.
    ///   - relayFeed: publishes to relays; nil without a broker.
    ///   - clock: milliseconds since the show began, continuing across restarts.
    package init(
        _ listeners: ConcertPublisher, show: String, relayFeed: RelayPublisher? = nil,
        clock: @escaping @Sendable () -> Int64
    ) {
        self.listeners = listeners
        let output = AudienceOutput(
            hub: listeners.hub, show: show, content: { listeners.served }, clock: clock)
        self.output = output
        self.relayFeed = relayFeed
        listeners.setChangeAction { output.republishAfterEdit() }
    }

    package var routes: [WebRoute] { Self.routes(listeners) }

    package static func routes(_ listeners: ConcertPublisher) -> [WebRoute] {
        PhoneAppRoutes(listeners: listeners).routes + AudienceRoutes(listeners: listeners).routes
            + [QRCodeRoute.route]
    }

    package var outputs: [any ShowOutput] { [output] + (relayFeed.map { [$0] } ?? []) }

    /// The pre-show check whether the slides cover every measure of tonight's pieces.
    package var preShowCheckItems: [PreShowCheckItem] {
        [SlideCoverage.preShowCheckItem { [listeners] in listeners.served }]
    }

    /// The fault that is open while the slides of the piece being played do not fit it.
    package var watchedFaults: [WatchedFault] { [SlideCoverage.fault { [listeners] in listeners.served }] }
}
