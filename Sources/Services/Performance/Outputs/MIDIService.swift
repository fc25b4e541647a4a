import Basics
import Hosting
import MIDILinks
import Platform
import Podium
import ServiceLifecycle
import Synchronization

/// Sends MIDI cues, and obeys the commands that come in by MIDI.
package final class MIDIService: HostedService, ShowOutput {
    private let connections: MIDIConnections
    private let inbox: ShowInbox
    private let failedCueReporter: FailedCueReporter
    private let state = Mutex(State())
    private let heardCommands: AsyncStream<HeardCommand>
    private let commandQueue: AsyncStream<HeardCommand>.Continuation

    private struct HeardCommand: Sendable {
        var port: String
        var words: [String]
    }

    private struct State {
        var rates = RateLimit<String>(unitsPerSecond: 200, burst: 400)
        /// For each controller of each port, whether it is in its upper half.
        var isHigh: [String: Bool] = [:]
        /// Why something was refused, and when.
        var refusal: (sentence: String, at: MonotonicInstant)?
    }

    /// The time for which a refusal is shown: somebody must see why a desk does nothing.
    private static let refusalDuration = Duration.seconds(30)

    package convenience init(_ components: PerformanceComponents) {
        self.init(
            components.midiConnections, inbox: components.inbox,
            failedCueReporter: components.failedCueReporter)
    }

    init(_ connections: MIDIConnections, inbox: ShowInbox, failedCueReporter: FailedCueReporter) {
        (self.connections, self.inbox, self.failedCueReporter) = (connections, inbox, failedCueReporter)
        (heardCommands, commandQueue) = AsyncStream.makeStream(bufferingPolicy: .bufferingOldest(256))
    }

    // MARK: Out

    package var showOutputs: [any ShowOutput] { connections.settings.outputs.isEmpty ? [] : [self] }

    package func performEffect(_ effect: PodiumEffect, of course: ShowProgramme) {
        guard case .fireCue(let cue, _) = effect, cue.kind == .midi, failedCueReporter.canBeSent(cue) else {
            return
        }
        do throws(ExplainedError) {
            try connections.send(cue.payload, to: cue.target)
            failedCueReporter.reportSent(cue, of: course)
        } catch {
            failedCueReporter.reportFailure(cue, of: course, because: error.sentence)
        }
    }

    // MARK: In

    package func run() async throws {
        var threads: [RealTimeThread] = []
        for input in connections.settings.inputs {
            let port = connections.ports.port(at: input.path)
            threads.append(
                try RealTimeThread(name: "midi", priority: nil) { [self] stop in
                    port.listen(until: stop) { receive($0, from: input) }
                })
        }
        await cancelWhenGracefulShutdown { [self] in await obeyCommands() }
        for thread in threads { thread.requestStop() }
        for thread in threads { thread.stop() }
    }

    private func obeyCommands() async {
        for await heard in heardCommands {
            let commands = ShowControlCommands(showInbox: inbox)
            if let refusal = await commands.executeCommand(heard.words, fromPort: heard.port) {
                refuse("“\(heard.words.joined(separator: " "))” from “\(heard.port)”: \(refusal)")
            }
        }
    }

    /// Takes a whole message of a port.
    func receive(_ bytes: [UInt8], from input: MIDISettings.Port) {
        guard let message = MIDIMessage(bytes: bytes) else { return }
        let stroke = stroke(of: message, at: input.path)
        let words = connections.settings.rules.lazy.compactMap {
            $0.commandWords(for: message, stroke: stroke)
        }.first
        guard let words else { return }
        guard !connections.takeEcho(of: bytes, at: input.path) else {
            return refuse(
                "What was sent to “\(input.name)” came back from there and was not obeyed; end the loop of cables or "
                    + "programs.")
        }
        let now = MonotonicClock.now - MonotonicInstant(nanoseconds: 0)
        guard state.withLock({ $0.rates.take(of: input.name, at: now) }) == nil else {
            return refuse("More than 200 commands a second came from “\(input.name)”; some were dropped.")
        }
        if case .dropped = commandQueue.yield(HeardCommand(port: input.name, words: words)) {
            refuse("Too many commands of “\(input.name)” wait; one was dropped.")
        }
    }

    private func stroke(of message: MIDIMessage, at path: String) -> MIDICommandRule.Stroke {
        switch message {
        case .note(_, _, let velocity): return velocity > 0 ? .pressed : .released
        case .program, .showControl: return .pressed
        case .controller(let channel, let number, let value):
            let isHigh = value >= 64
            let before = state.withLock {
                $0.isHigh.updateValue(isHigh, forKey: "\(path) \(channel) \(number)")
            }
            return before == isHigh ? .moved : isHigh ? .pressed : .released
        }
    }

    private func refuse(_ sentence: String) {
        state.withLock { $0.refusal = (sentence, MonotonicClock.now) }
    }

    // MARK: The console

    package var watchedFaults: [WatchedFault] {
        let (settings, connections) = (connections.settings, connections)
        return settings.outputs.map { port in
            WatchedFault(id: "midi-\(port.name)") { _ in connections.outputTrouble(port) }
        }
            + settings.inputs.map { port in
                WatchedFault(id: "midi-in-\(port.name)") { _ in connections.inputTrouble(port) }
            }
            + (settings.inputs.isEmpty ? [] : [WatchedFault(id: "midi-refused") { [self] _ in newRefusal }])
    }

    private var newRefusal: String? {
        state.withLock { state in
            state.refusal.flatMap { MonotonicClock.now - $0.at < Self.refusalDuration ? $0.sentence : nil }
        }
    }

    package var preShowCheckItems: [PreShowCheckItem] {
        let (settings, connections) = (connections.settings, connections)
        guard !settings.outputs.isEmpty || !settings.inputs.isEmpty else { return [] }
        return [
            PreShowCheckItem(id: "midi", title: "MIDI ports") { _ in
                let troubles = connections.targets.filter { !$0.ok }.map(\.detail)
                guard troubles.isEmpty else {
                    return PreShowCheckVerdict(.fail, troubles.joined(separator: " "))
                }
                return PreShowCheckVerdict(
                    .pass, "All MIDI ports are connected. Nothing confirms what is sent: look at the desk.")
            }
        ]
    }
}
