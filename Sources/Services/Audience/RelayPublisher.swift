import Catalogue
import Concert
import Content
import Dispatch
import Hosting
import NetworkLinks
import Podium
import ReferenceStore
import Synchronization
import WebServer

/// Publishes the audience's live stream and files to the MQTT broker, for relays (`baton relay`).
///
/// It must come after `AudienceOutput` in the list of outputs, because it repeats the events of `AudienceOutput` byte
/// for byte. It publishes nothing while another server is active. Files are published on a separate queue, so that the
/// show engine does not wait.
package final class RelayPublisher: ShowOutput {
    private struct LastPublished {
        /// The broker connection that was used last. When this server becomes active again, it gets a new connection,
        /// on which nothing has been published yet.
        var lastBrokerClient: MQTTClient?
        var publishedSections: [String: [UInt8]] = [:]
        var contentRevision: String?
    }

    private let topics: RelayTopics
    private let findBrokerClient: @Sendable () -> MQTTClient?
    private let eventHub: EventHub
    private let readServedConcert: @Sendable () -> PublishedConcert?
    private let filePublisher: RelayFilePublisher
    private let lastPublished = Mutex(LastPublished())
    private let filePublishingQueue = DispatchQueue(label: "audience-broker", qos: .utility)

    /// Creates a publisher for the relays of one server.
    /// - Parameters:
    ///   - findBrokerClient: returns the broker connection; nil while another server is active.
    ///   - eventHub: the live stream of the audience.
    package init(
        name: String, findBrokerClient: @escaping @Sendable () -> MQTTClient?, eventHub: EventHub,
        readServedConcert: @escaping @Sendable () -> PublishedConcert?, shelf: AssetStore,
        trouble: @escaping @Sendable (TechnicalFault) -> Void
    ) {
        topics = RelayTopics(serverName: name)
        self.findBrokerClient = findBrokerClient
        self.eventHub = eventHub
        self.readServedConcert = readServedConcert
        filePublisher = RelayFilePublisher(topics: topics, assetStore: shelf, reportFault: trouble)
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
        let content = readServedConcert()
        lastPublished.withLock { published in
            if published.lastBrokerClient !== client { published = LastPublished(lastBrokerClient: client) }
            for section in RelayTopics.relayedSections {
                guard let value = eventHub.newestValue(section), value != published.publishedSections[section]
                else {
                    continue
                }
                published.publishedSections[section] = value
                // A value that is too long for the broker is also too long for any page, so the error is ignored.
                try? client.publish(value, to: topics.sectionTopic(section), isRetained: true)
            }
            guard let content else {
                guard published.contentRevision != nil else { return }
                published.contentRevision = nil
                filePublishingQueue.async { [filePublisher] in filePublisher.withdrawFiles(by: client) }
                return
            }
            guard content.revision != published.contentRevision else { return }
            published.contentRevision = content.revision
            filePublishingQueue.async { [filePublisher] in filePublisher.publishChanges(content, by: client) }
        }
    }

    package func close() async {}
}
