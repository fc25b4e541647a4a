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
/// It must come after `AudienceOutput` in the list of outputs, because it repeats the events of `AudienceOutput` byte
/// for byte. It publishes nothing while another server is active. Files are published on a separate queue, so that the
/// show engine does not wait.
package final class RelayPublisher: ShowOutput {
    private struct Published {
        /// The broker connection that was used last. When this server becomes active again, it gets a new connection,
        /// on which nothing has been published yet.
        var client: BrokerClient?
        var sections: [String: [UInt8]] = [:]
        var revision: String?
    }

    private let topics: RelayTopics
    private let client: @Sendable () -> BrokerClient?
    private let eventHub: EventHub
    private let content: @Sendable () -> PublishedConcert?
    private let filePublisher: RelayFilePublisher
    private let published = Mutex(Published())
    private let queue = DispatchQueue(label: "audience-broker", qos: .utility)

    /// Creates a publisher for the relays of one server.
    /// - Parameters:
    ///   - client: returns the broker connection; nil while another server is active.
    ///   - eventHub: the live stream of the audience.
    package init(
        name: String, client: @escaping @Sendable () -> BrokerClient?, eventHub: EventHub,
        content: @escaping @Sendable () -> PublishedConcert?, shelf: AssetStore,
        trouble: @escaping @Sendable (TechnicalFault) -> Void
    ) {
        topics = RelayTopics(name: name)
        self.client = client
        self.eventHub = eventHub
        self.content = content
        filePublisher = RelayFilePublisher(topics: topics, shelf: shelf, reportFault: trouble)
    }

    package func performEffect(_ effect: PodiumEffect, of course: ShowProgramme) {
        switch effect {
        case .showPosition, .endLive, .audienceViewChanged, .announce, .withdrawMessage: publishNewest()
        default: break
        }
    }

    package func receiveSnapshot(_ snapshot: ShowEngineSnapshot) {
        if snapshot.isActiveServer { publishNewest() }
    }

    /// Publishes those newest values of the stream that the broker does not have yet.
    private func publishNewest() {
        guard let client = client() else { return }
        let content = content()
        published.withLock { published in
            if published.client !== client { published = Published(client: client) }
            for section in RelayTopics.sections {
                guard let value = eventHub.newest(section), value != published.sections[section] else {
                    continue
                }
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
