import Catalogue
import Concert
import Content
import Dispatch
import Hosting
import MessageBroker
import Podium
import ReferenceStore
import Synchronization
import WebServer

/// Publishes the audience's live stream and files to the MQTT broker, for relays (`baton relay`).
///
/// It comes after `AudienceOutput` in the list of outputs and repeats its events byte for byte; it publishes nothing
/// while another server is active. Files are published on a separate queue, so that the show engine does not wait.
package final class RelayPublisher: ShowOutput {
    private struct Published {
        /// The broker connection that was used last. A new one, made when this server becomes active again, has
        /// published nothing yet.
        var client: BrokerClient?
        var sections: [String: [UInt8]] = [:]
        var revision: String?
    }

    private let topics: RelayTopics
    private let client: @Sendable () -> BrokerClient?
    private let hub: EventHub
    private let content: @Sendable () -> PublishedConcert?
    private let filePublisher: RelayFilePublisher
    private let published = Mutex(Published())
    private let queue = DispatchQueue(label: "audience-broker", qos: .utility)

    /// - Parameters:
    ///   - client: returns the broker connection; nil while another server is active.
    ///   - hub: the audience's live stream.
    package init(
        name: String, client: @escaping @Sendable () -> BrokerClient?, hub: EventHub,
        content: @escaping @Sendable () -> PublishedConcert?, shelf: AssetStore,
        trouble: @escaping @Sendable (TechnicalFault) -> Void
    ) {
        topics = RelayTopics(name: name)
        self.client = client
        self.hub = hub
        self.content = content
        filePublisher = RelayFilePublisher(topics: topics, shelf: shelf, trouble: trouble)
    }

    package func carryOut(_ effect: PodiumEffect, of course: ShowProgramme) {
        switch effect {
        case .show, .endLive, .audience, .announce, .withdrawMessage: publishNewest()
        default: break
        }
    }

    package func update(_ snapshot: ShowEngineSnapshot) { if snapshot.isActiveServer { publishNewest() } }

    /// Publishes the stream's newest values that the broker does not have yet.
    private func publishNewest() {
        guard let client = client() else { return }
        let content = content()
        published.withLock { published in
            if published.client !== client { published = Published(client: client) }
            for section in RelayTopics.sections {
                guard let value = hub.newest(section), value != published.sections[section] else { continue }
                published.sections[section] = value
                // A value that is too long for the broker is also too long for any page, so the error is ignored.
                try? client.publish(value, to: topics.section(section), isRetained: true)
            }
            guard let content, content.revision != published.revision else { return }
            published.revision = content.revision
            queue.async { [filePublisher] in filePublisher.publishChanges(content, by: client) }
        }
    }

    package func close() async {}
}
