import Hosting
import MessageBroker
import Podium
import Synchronization

/// The broker's side: retained state, and the cues that are messages to topics.
///
/// Connected only while this server reigns: two servers under one name would take each other's last word.
package final class BrokerOutput: ShowOutput {
    private let settings: BrokerSettings
    private let held: Mutex<BrokerClient?>
    private let trouble: CueTrouble

    package init(
        _ settings: BrokerSettings, trouble: CueTrouble
    ) throws(BrokerFault) {
        self.settings = settings
        self.trouble = trouble
        // Made at once, so that settings which can never work are refused at the start.
        held = Mutex(try BrokerClient(settings))
    }

    /// For people: where the broker is.
    package var name: String { "\(settings.host):\(settings.port)" }

    /// Nil while another server reigns.
    package var client: BrokerClient? { held.withLock { $0 } }

    package func carry(_ effect: PodiumEffect, of course: ShowProgramme) {
        guard case .fire(let cue, _) = effect else { return }
        guard let client, trouble.mayBeSent(cue) else { return }
        client.fired(cue: cue.id, name: cue.name, kind: cue.kind.rawValue)
        guard cue.kind == .mqtt else { return }
        // What fires while the broker is away is dropped: lights that change when it is back would do harm.
        guard client.status.isConnected else {
            return trouble.failed(
                cue, of: course, because: "The broker does not answer. Fire it by hand when it is back.")
        }
        do throws(BrokerFault) {
            try client.publish(Array(cue.payload.utf8), to: cue.target)
            trouble.sent(cue, of: course)
        } catch {
            trouble.failed(cue, of: course, because: error.sentence)
        }
    }

    package func show(_ picture: DeskPicture) {
        guard let client = connected(picture.isOurs) else { return }
        client.show(picture.told)
    }

    private func connected(_ isOurs: Bool) -> BrokerClient? {
        held.withLock { held in
            if isOurs, held == nil { held = try? BrokerClient(settings) }
            if !isOurs, let client = held {
                held = nil
                Task { await client.close() }
            }
            return held
        }
    }

    package func close() async { await client?.close() }
}
