import Basics
import Hosting
import NetworkLinks
import Podium
import ShowControl

/// The pre-show check of the connections: phones, show control, cues and the backup server.
extension PreShowCheck {
    /// Sends a test packet to the phones' multicast group, on a neighbouring port, and waits to receive it.
    func checkMulticast() async {
        guard let phones = checkedComponents.multicastEndpoint else {
            return setResult("multicast", .skipped, "No packets are sent (--no-multicast).")
        }
        do throws(ExplainedError) {
            let port = phones.port < 65_535 ? phones.port + 1 : phones.port - 1
            let beside = try MulticastEndpoint(
                group: "\(phones.group)", port: port, interface: phones.interface)
            let receiver = try await MulticastReceiver(endpoint: beside)
            let sender = try await MulticastSender(endpoint: beside, timeToLive: 0)
            let word = Array("baton check \(UInt64.random(in: 0 ... .max))".utf8)
            let heard = await withTaskGroup(of: Bool.self) { group in
                group.addTask {
                    for await datagram in receiver where datagram.bytes == word { return true }
                    return false
                }
                group.addTask {
                    for _ in 0..<5 {
                        try? await sender.send(word)
                        try? await Task.sleep(for: .milliseconds(200))
                    }
                    return false
                }
                var isHeard = false
                for await found in group {
                    isHeard = isHeard || found
                    if isHeard { break }
                    await receiver.close()
                }
                group.cancelAll()
                return isHeard
            }
            await receiver.close()
            await sender.close()
            if heard {
                let isLocal = phones.interface == MulticastEndpoint.standardInterface
                setResult(
                    "multicast", isLocal ? .warn : .pass,
                    "Packets are seen on \(phones.interface)."
                        + (isLocal
                            ? " That interface reaches only this machine; name the hall's interface with --interface."
                            : "")
                )
            } else {
                setResult(
                    "multicast", .fail,
                    "No packet comes back on \(phones.interface); check that it is up and that multicast is on."
                )
            }
        } catch {
            setResult("multicast", .fail, error.sentence)
        }
    }

    /// Reports cues of any piece that could not be sent if they fired.
    func checkCues(_ course: ShowProgramme) {
        let count = course.pieces.reduce(0) { $0 + $1.cues.cues.count }
        guard count > 0 else { return setResult("cues", .skipped, "No piece has cues.") }
        let troubles = checkedComponents.cueTargets.unsendableReasons(of: course)
        guard let first = troubles.first else {
            return setResult(
                "cues", .pass, count == 1 ? "The cue can be sent." : "All \(count) cues can be sent.")
        }
        let others = troubles.count == 1 ? "" : " And \(troubles.count - 1) more; see the cue lists."
        setResult("cues", .fail, first + others)
    }

    package func checkOSCBrokerAndBackup() async {
        if let osc = checkedComponents.oscOutput,
            !osc.showControlService.stateReceivers.targetStatuses.isEmpty
        {
            var failed: [String] = []
            var silent: [String] = []
            for target in osc.showControlService.stateReceivers.targetStatuses {
                switch await osc.showControlService.stateReceivers.pingTarget(target.target.name) {
                case .answered: break
                case .unconfirmed: silent.append(target.target.name)
                case .failed(let error): failed.append("\(target.target.name): \(error.sentence)")
                }
            }
            if !failed.isEmpty {
                setResult("osc", .fail, failed.joined(separator: " "))
            } else if !silent.isEmpty {
                setResult(
                    "osc", .warn,
                    "Sent, unconfirmed: \(silent.joined(separator: ", ")). Most programs do not answer "
                        + "a ping; check there."
                )
            } else {
                setResult("osc", .pass, "All targets answer.")
            }
        } else {
            setResult("osc", .skipped, "No OSC target is set up; “Outputs” adds one.")
        }
        let brokers = checkedComponents.brokerOutputs.compactMap { $0.client?.status }
        if let lost = brokers.first(where: { !$0.isConnected }) {
            setResult("mqtt", .fail, lost.lastFault ?? "The broker does not answer; start it.")
        } else if !brokers.isEmpty {
            setResult(
                "mqtt", .pass, brokers.count == 1 ? "The broker is connected." : "All brokers are connected.")
        } else {
            setResult("mqtt", .skipped, "No broker is given (--mqtt).")
        }
        if let backup = checkedComponents.describeBackup() {
            setResult("backup", backup.isReady ? .pass : .fail, backup.sentence)
        } else {
            setResult("backup", .skipped, "There is no backup server (--link, --backup-of).")
        }
    }
}
