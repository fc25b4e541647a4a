import Hosting
import NetworkLinks
import Podium
import Synchronization

/// Publishes the show's state to the MQTT broker as retained messages, and sends MQTT cues.
///
/// This output is connected only while this server is active. Two servers with the same name would overwrite each
/// other's retained state, and if one ended, its last will would mark both as offline.
package final class BrokerOutput: ShowOutput {
    private let settings: MQTTSettings
    private let sendsCues: Bool
    private let currentClient: Mutex<MQTTClient?>
    private let failedCueReporter: FailedCueReporter

    /// - Parameter sendsCues: false for a broker that only carries the state, beside one that carries cues too.
    package init(
        _ settings: MQTTSettings, sendsCues: Bool, failedCueReporter: FailedCueReporter
    ) throws(MQTTFault) {
        self.settings = settings
        self.sendsCues = sendsCues
        self.failedCueReporter = failedCueReporter
        // Created at once, so that invalid settings are refused at the start.
        currentClient = Mutex(try MQTTClient(settings))
    }

    /// The broker's host and port, for people.
    package var address: String { "\(settings.host):\(settings.port)" }

    /// The broker's client; nil while another server is active.
    package var client: MQTTClient? { currentClient.withLock { $0 } }

    package func performEffect(_ effect: PodiumEffect, of course: ShowProgramme) {
        guard sendsCues, case .fireCue(let cue, _) = effect else { return }
        guard let client, failedCueReporter.canBeSent(cue) else { return }
        client.publishFiredCue(cue: cue.id, name: cue.name, kind: cue.kind.rawValue)
        guard cue.kind == .mqtt else { return }
        // A cue that fires while the broker is away is dropped, as a light change that comes late would do harm.
        guard client.status.isConnected else {
            return failedCueReporter.reportFailure(
                cue, of: course, because: "The broker does not answer. Fire it by hand when it is back.")
        }
        do throws(MQTTFault) {
            try client.publish(Array(cue.payload.utf8), to: cue.target)
            failedCueReporter.reportSent(cue, of: course)
        } catch {
            failedCueReporter.reportFailure(cue, of: course, because: error.sentence)
        }
    }

    package func receiveSnapshot(_ snapshot: ShowEngineSnapshot) {
        guard let client = updateClient(snapshot.isActiveServer) else { return }
        client.publishState(snapshot.publishedState)
    }

    private func updateClient(_ isActiveServer: Bool) -> MQTTClient? {
        currentClient.withLock { currentClient in
            if isActiveServer, currentClient == nil { currentClient = try? MQTTClient(settings) }
            if !isActiveServer, let client = currentClient {
                currentClient = nil
                Task { await client.close() }
            }
            return currentClient
        }
    }

    package func close() async { await client?.close() }
}
