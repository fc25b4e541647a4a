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

/// Tells the broker what the audience's stream says and what the audience loads, for relays (`baton relay`).
///
/// Stands behind `AudienceOutput` among the outputs and repeats what that one published, byte for byte; says nothing
/// while another server reigns. The files go out on a queue of their own: the desk waits for none of it.
package final class AudienceBroker: ShowOutput {
    private struct Told {
        /// A new client, after another reign, has told nothing yet.
        var client: BrokerClient?
        var sections: [String: [UInt8]] = [:]
        var revision: String?
    }

    private let topics: RelayTopics
    private let client: @Sendable () -> BrokerClient?
    private let hub: EventHub
    private let content: @Sendable () -> ContentServed?
    private let shipping: AudienceShipping
    private let told = Mutex(Told())
    private let queue = DispatchQueue(label: "audience-broker", qos: .utility)

    /// - Parameters:
    ///   - client: nil while another server reigns.
    ///   - hub: the audience's stream.
    package init(
        name: String, client: @escaping @Sendable () -> BrokerClient?, hub: EventHub,
        content: @escaping @Sendable () -> ContentServed?, shelf: AssetStore,
        trouble: @escaping @Sendable (TechnicalFault) -> Void
    ) {
        topics = RelayTopics(name: name)
        self.client = client
        self.hub = hub
        self.content = content
        shipping = AudienceShipping(topics: topics, shelf: shelf, trouble: trouble)
    }

    package func carry(_ effect: PodiumEffect, of course: ShowProgramme) {
        switch effect {
        case .show, .endLive, .audience, .announce, .withdrawMessage: tell()
        default: break
        }
    }

    package func show(_ picture: DeskPicture) { if picture.isOurs { tell() } }

    /// The stream's newest values, those that the broker was not told.
    private func tell() {
        guard let client = client() else { return }
        let content = content()
        told.withLock { told in
            if told.client !== client { told = Told(client: client) }
            for section in RelayTopics.sections {
                guard let value = hub.newest(section), value != told.sections[section] else { continue }
                told.sections[section] = value
                // Too long for the broker is only what no page could show.
                try? client.publish(value, to: topics.section(section), isRetained: true)
            }
            guard let content, content.revision != told.revision else { return }
            told.revision = content.revision
            queue.async { [shipping] in shipping.ship(content, by: client) }
        }
    }

    package func close() async {}
}
