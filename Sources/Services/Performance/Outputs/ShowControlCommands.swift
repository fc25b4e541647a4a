import Basics
import Hosting
import NetworkLinks
import Podium
import ShowControl

/// Passes commands from OSC, MQTT and MIDI to the show engine and returns its answers.
struct ShowControlCommands: Sendable {
    let showInbox: ShowInbox

    init(showInbox: ShowInbox) {
        self.showInbox = showInbox
    }

    func executeCommand(_ words: [String], from peer: OSCPeer) async -> ShowCommandResult {
        switch await submitCommand(words, by: "osc \(peer.address)") {
        case .success(let epoch): .done(epoch.description)
        case .failure(let refused): .refused(sentence: refused.sentence)
        }
    }

    /// - Returns: why it was refused; nil if it was obeyed.
    func executeCommand(_ words: [String], fromPort name: String) async -> String? {
        guard case .failure(let refused) = await submitCommand(words, by: "midi \(name)") else { return nil }
        return refused.sentence
    }

    /// Takes commands from the present broker client; there is a new one each time this server becomes active.
    func executeBrokerCommands(_ broker: BrokerOutput) async {
        while !Task.isCancelled {
            if let client = broker.client, let commands = try? client.commands() {
                for await words in commands {
                    switch await submitCommand(words, by: "mqtt") {
                    case .success: client.publishReply(to: words, isDone: true, sentence: "")
                    case .failure(let refused):
                        client.publishReply(to: words, isDone: false, sentence: refused.sentence)
                    }
                }
            }
            try? await Task.sleep(for: .seconds(1))
        }
    }

    private struct RefusedCommand: Explained {
        var sentence: String
    }

    private func submitCommand(_ words: [String], by name: String) async -> Result<BatonEpoch, RefusedCommand>
    {
        let command: PodiumCommand
        do throws(CommandFault) { command = try PodiumCommand(words: words) } catch {
            return .failure(RefusedCommand(sentence: error.sentence))
        }
        let person = CommandSender(name: name, role: .showControl)
        let answer = await showInbox.submitEvent(.command(command, by: person, epoch: nil))
        if case .done(let epoch) = answer { return .success(epoch) }
        return .failure(RefusedCommand(sentence: answer.sentence ?? ""))
    }
}
