import Basics
import MIDILinks
import Platform
import Synchronization

/// The MIDI ports of a server and what is heard and sent there.
package struct MIDISettings: Sendable {
    /// A raw MIDI port by the name that cues and the console use.
    package struct Port: Hashable, Sendable {
        package var name: String
        package var path: String

        /// Reads `desk=/dev/snd/midiC1D0`.
        /// - Throws: ``ExplainedError`` if it has no name that a target may have, or no file.
        package init(_ text: String) throws(ExplainedError) {
            let parts = text.split(separator: "=", maxSplits: 1).map(String.init)
            guard parts.count == 2, (1...40).contains(parts[0].count), parts[1].hasPrefix("/"),
                !parts[0].unicodeScalars.contains(where: \.isControlOrLineBreak)
            else {
                throw ExplainedError(
                    "“\(text.prefix(60))” is no MIDI port; write a name and its file, such as "
                        + "desk=/dev/snd/midiC1D0.")
            }
            (name, path) = (parts[0], parts[1])
        }
    }

    /// The ports that cues may name.
    package var outputs: [Port] = []
    /// The ports that may command the show.
    package var inputs: [Port] = []
    /// The commands that they may give.
    package var rules: [MIDICommandRule] = []

    package init() {}

    /// - Throws: ``ExplainedError`` if a port or a command cannot be used.
    package init(outputs: [String], inputs: [String], rules: [String]) throws(ExplainedError) {
        for text in outputs { self.outputs.append(try Port(text)) }
        for text in inputs { self.inputs.append(try Port(text)) }
        for text in rules { self.rules.append(try MIDICommandRule(text)) }
        for (option, ports) in [("--midi-out", self.outputs), ("--midi-in", self.inputs)]
        where Set(ports.map(\.name)).count < ports.count {
            throw ExplainedError("Two ports of \(option) have the same name; give each its own.")
        }
        guard inputs.isEmpty == rules.isEmpty else {
            throw ExplainedError(
                "--midi-in says which port may command the show, and --midi-command by which messages; give both, "
                    + "such as --midi-command \"msc-go -> go\".")
        }
    }
}

/// The MIDI ports that a server has opened. Any thread may use it; nothing waits.
package final class MIDIConnections: Sendable {
    package let settings: MIDISettings
    /// The ports, also those of time code.
    package let ports: MIDIPorts
    /// The newest messages that were sent, to know them if they come back.
    private let sent = Mutex<[(path: String, bytes: [UInt8], at: MonotonicInstant)]>([])

    /// Within this time a message that comes in where it went out is an echo: a loop of cables or programs.
    private static let echoDuration = Duration.seconds(1)

    package init(_ settings: MIDISettings = MIDISettings(), ports: MIDIPorts = MIDIPorts()) {
        (self.settings, self.ports) = (settings, ports)
    }

    /// Sends what a cue says to the port that it names.
    /// - Throws: ``ExplainedError`` if it cannot be sent.
    func send(_ payload: String, to name: String) throws(ExplainedError) {
        guard let port = settings.outputs.first(where: { $0.name == name }) else {
            throw ExplainedError("There is no MIDI port “\(name.prefix(60))”; name one of --midi-out.")
        }
        let bytes = try MIDIText(payload).message.bytes
        let now = MonotonicClock.now
        sent.withLock { sent in
            sent.removeAll { now - $0.at > Self.echoDuration }
            sent.append((port.path, bytes, now))
        }
        try ports.port(at: port.path).send(bytes)
    }

    /// True if a message that was heard is one that was just sent there; it counts once.
    func takeEcho(of bytes: [UInt8], at path: String) -> Bool {
        let now = MonotonicClock.now
        return sent.withLock { sent in
            let echo = sent.firstIndex {
                $0.path == path && $0.bytes == bytes && now - $0.at <= Self.echoDuration
            }
            if let echo { sent.remove(at: echo) }
            return echo != nil
        }
    }

    func outputTrouble(_ port: MIDISettings.Port) -> String? {
        do throws(ExplainedError) { try ports.port(at: port.path).checkOutput() } catch {
            return error.sentence
        }
        return nil
    }

    func inputTrouble(_ port: MIDISettings.Port) -> String? { ports.port(at: port.path).inputTrouble }

    /// The state of each port for the console.
    var targets: [OutputTargetJSON] {
        func target(_ kind: String, _ port: MIDISettings.Port, _ trouble: String?) -> OutputTargetJSON {
            OutputTargetJSON(
                kind: kind, name: port.name, ok: trouble == nil, answers: false,
                detail: trouble ?? "Connected: \(port.path).")
        }
        return settings.outputs.map { target("midi", $0, outputTrouble($0)) }
            + settings.inputs.map { target("midi-in", $0, inputTrouble($0)) }
    }
}
