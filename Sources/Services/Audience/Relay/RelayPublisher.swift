import Foundation
import Hosting
import NetworkLinks
import Podium
import Synchronization
import WebServer

/// Publishes the audience's stream to an MQTT broker, for relays (`baton relay`).
///
/// It must come after `AudienceOutput` in the list of outputs, because it repeats what `AudienceOutput` published. It
/// publishes nothing while another server is active.
package final class RelayPublisher: ShowOutput {
    private struct LastPublished {
        /// The broker connection that was used last. When this server becomes active again, it gets a new connection,
        /// on which nothing has been published yet.
        var client: MQTTClient?
        var sections: [String: [UInt8]] = [:]
        var sequence: Int64 = -1
    }

    /// Where the stream is now; read from its section `live`.
    private struct Place: Decodable {
        var show: String
        var epoch: BatonEpoch
    }

    private let topics: RelayTopics
    private let findBrokerClient: @Sendable () -> MQTTClient?
    private let eventHub: EventHub
    private let readShowMilliseconds: @Sendable () -> Int64
    private let lastPublished = Mutex(LastPublished())

    /// Creates a publisher for the relays at one broker.
    /// - Parameters:
    ///   - findBrokerClient: returns the broker connection; nil while another server is active.
    ///   - eventHub: the live stream of the audience.
    ///   - clock: milliseconds since the show began, continuing across restarts; numbers the messages.
    package init(
        name: String, findBrokerClient: @escaping @Sendable () -> MQTTClient?, eventHub: EventHub,
        clock: @escaping @Sendable () -> Int64
    ) {
        topics = RelayTopics(serverName: name)
        self.findBrokerClient = findBrokerClient
        self.eventHub = eventHub
        readShowMilliseconds = clock
    }

    package func performEffect(_ effect: PodiumEffect, of course: ShowProgramme) {
        switch effect {
        case .showPosition, .endLivePosition, .audienceViewChanged, .showMessage, .withdrawMessage,
            .titleChanged:
            publishChangedSections()
        default: break
        }
    }

    package func receiveSnapshot(_ snapshot: ShowEngineSnapshot) {
        if snapshot.isActiveServer { publishChangedSections() }
    }

    /// Publishes those newest values of the stream that the broker does not have yet.
    private func publishChangedSections() {
        guard let client = findBrokerClient() else { return }
        lastPublished.withLock { published in
            if published.client !== client { (published.client, published.sections) = (client, [:]) }
            let changed = RelayTopics.sections.compactMap { section in
                eventHub.newestValue(section).flatMap {
                    $0 == published.sections[section] ? nil : (name: section, json: $0)
                }
            }
            guard !changed.isEmpty, let live = eventHub.newestValue("live"),
                let place = try? JSONDecoder().decode(Place.self, from: Data(live))
            else { return }
            for section in changed {
                published.sections[section.name] = section.json
                published.sequence = max(published.sequence + 1, readShowMilliseconds())
                let order = RelayMessage.Order(
                    showID: place.show, epoch: place.epoch, sequence: published.sequence)
                // A value that is too long for the broker is also too long for any page, so the error is ignored.
                try? client.publish(
                    RelayMessage(order: order, json: section.json).payload,
                    to: topics.sectionTopic(section.name), isRetained: true)
            }
        }
    }

    package func close() async {}
}
