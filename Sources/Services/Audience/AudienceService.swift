import Content
import Hosting
import Podium
import WebServer

/// The service for the audience: its pages, the fixed addresses that phone apps use, and the live stream.
package struct AudienceService: HostedService {
    package let concertPublisher: ConcertPublisher
    package let output: AudienceOutput
    /// Publish the audience's events to relays, one for each broker. They run after `AudienceOutput`, whose events they
    /// repeat.
    let relayPublishers: [RelayPublisher]

    /// Creates the audience service of one show.
    /// - Parameters:
    ///   - show: identifies the show; the same when a restart continues it.
    ///   - relayFeeds: publish to relays, one for each broker.
    ///   - clock: milliseconds since the show began, continuing across restarts.
    package init(
        _ listeners: ConcertPublisher, show: String, relayFeeds: [RelayPublisher] = [],
        clock: @escaping @Sendable () -> Int64
    ) {
        self.concertPublisher = listeners
        let output = AudienceOutput(
            hub: listeners.audienceEventHub, show: show, content: { listeners.servedConcert }, clock: clock)
        self.output = output
        self.relayPublishers = relayFeeds
        listeners.setChangeAction { output.republishAfterEdit() }
    }

    package var routes: [WebRoute] { Self.makeRoutes(concertPublisher) }

    package static func makeRoutes(_ listeners: ConcertPublisher) -> [WebRoute] {
        PhoneAppRoutes(concertPublisher: listeners).routes
            + AudienceRoutes(concertPublisher: listeners).routes
            + [QRCodeRoute.route]
    }

    package var showOutputs: [any ShowOutput] { [output] + relayPublishers }

    /// The pre-show check whether the slides cover every measure of tonight's pieces.
    package var preShowCheckItems: [PreShowCheckItem] {
        [SlideCoverage.makePreShowCheckItem { [concertPublisher] in concertPublisher.servedConcert }]
    }

    /// The fault that is open while the slides do not fit the piece being played.
    package var watchedFaults: [WatchedFault] {
        [SlideCoverage.makeWatchedFault { [concertPublisher] in concertPublisher.servedConcert }]
    }
}
