import ArgumentParser
import Concert
import Dispatch
import Foundation
import Multicast

/// `baton watch`: hears what phones hear and shows what they would show.
struct WatchCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "watch",
        abstract: "Shows what the audience's phones see.",
        discussion: """
            Joins the multicast group as a phone does. In a terminal one screen is kept up to date; elsewhere \
            each change is a line. Ends with status 1 where nothing was heard in the time given.
            """
    )

    @Option(help: "The multicast group.")
    var group = MulticastEndpoint.standardGroup

    @Option(help: "The UDP port.")
    var port = MulticastEndpoint.standardPort

    @Option(help: "The interface to listen on: one of this machine's IPv4 addresses, or a name such as eth0.")
    var interface = MulticastEndpoint.standardInterface

    @Option(help: "Listen for so many seconds; until Ctrl-C where not given.")
    var seconds: Double?

    @Flag(help: "Print one JSON object for each packet.")
    var json = false

    @Flag(help: "End with the first measure heard.")
    var once = false

    func validate() throws {
        if let seconds, !(seconds > 0 && seconds <= 1_000_000) {
            throw ValidationError("--seconds must be more than 0 and at most 1000000, not \(seconds).")
        }
        do { _ = try endpoint() } catch { throw ValidationError(error.sentence) }
    }

    func run() async throws {
        let receiver: MulticastReceiver
        do {
            receiver = try await MulticastReceiver(endpoint: endpoint())
        } catch {
            try printError(error.sentence)
            throw ExitCode(2)
        }
        let output: any WatchOutput =
            if json { JSONWatchOutput() } else if Terminal.isInteractive {
                ScreenWatchOutput(endpoint: receiver.endpoint, interface: interface)
            } else { LineWatchOutput() }
        let heard = await listen(to: receiver, into: output)
        await receiver.close()
        guard heard else {
            try printError(
                "Nothing was heard on \(group):\(port) through \(interface); check that the sender runs and "
                    + "that --interface is the network it sends to.")
            throw ExitCode(1)
        }
    }

    private func endpoint() throws(MulticastError) -> MulticastEndpoint {
        try MulticastEndpoint(group: group, port: port, interface: interface)
    }

    private func printError(_ sentence: String) throws {
        try FileHandle.standardError.write(contentsOf: Data("baton watch: \(sentence)\n".utf8))
    }

    /// - Returns: whether any well-formed packet was heard; an interrupted watch counts as content.
    private func listen(to receiver: MulticastReceiver, into output: any WatchOutput) async -> Bool {
        let start = ContinuousClock.now
        var inspector = PacketInspector()
        var source: String?
        var interrupted = false
        output.begin()
        for await event in WatchEvent.all(from: receiver, for: seconds) {
            if case .timeIsUp = event { break }
            if case .interrupted = event {
                interrupted = true
                break
            }
            var verdict: PacketVerdict?
            var now = start.duration(to: .now)
            if case .datagram(let datagram) = event {
                now = start.duration(to: datagram.arrival)
                source = datagram.source
                verdict = inspector.receive(datagram.bytes, at: now)
            }
            output.show(verdict, WatchMoment(inspector: inspector, source: source, now: now))
            if once, inspector.shown != nil { break }
        }
        let now = start.duration(to: .now)
        output.end(WatchMoment(inspector: inspector, source: source, now: now))
        return interrupted || inspector.tally.measures + inspector.tally.messages > 0
    }
}

/// Everything that can happen to a watch, in one sequence.
private enum WatchEvent: Sendable {
    case datagram(ReceivedDatagram)
    /// Four times a second, so that ages and rates stay true while nothing arrives.
    case refresh
    case timeIsUp
    case interrupted

    static func all(from receiver: MulticastReceiver, for seconds: Double?) -> AsyncStream<WatchEvent> {
        AsyncStream(bufferingPolicy: .bufferingNewest(1_024)) { continuation in
            let hearing = Task {
                for await datagram in receiver { continuation.yield(.datagram(datagram)) }
                continuation.finish()
            }
            let refresh = Task {
                while (try? await Task.sleep(for: .milliseconds(250))) != nil { continuation.yield(.refresh) }
            }
            let timer = seconds.map { seconds in
                Task {
                    if (try? await Task.sleep(for: .seconds(seconds))) != nil {
                        continuation.yield(.timeIsUp)
                    }
                }
            }
            // Only cancelled later, which any thread may do.
            nonisolated(unsafe) let signals = [SIGINT, SIGTERM].map { number in
                // The default action would end us with the cursor hidden.
                signal(number, SIG_IGN)
                let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
                source.setEventHandler { continuation.yield(.interrupted) }
                source.resume()
                return source
            }
            continuation.onTermination = { _ in
                hearing.cancel()
                refresh.cancel()
                timer?.cancel()
                for source in signals { source.cancel() }
            }
        }
    }
}

/// What is known at one instant of a watch.
private struct WatchMoment {
    let inspector: PacketInspector
    let source: String?
    let now: Duration
}

private protocol WatchOutput {
    func begin()
    /// - Parameter verdict: nil where only time has passed.
    func show(_ verdict: PacketVerdict?, _ moment: WatchMoment)
    func end(_ moment: WatchMoment)
}

extension WatchOutput {
    func begin() {}
    func end(_ moment: WatchMoment) {}
}

private enum Terminal {
    static var isInteractive: Bool {
        isatty(STDOUT_FILENO) == 1 && ProcessInfo.processInfo.environment["TERM"] != "dumb"
    }

    /// At once, also into a pipe. A reader that went away is told by the signal for it, not by us.
    static func write(_ text: String) {
        try? FileHandle.standardOutput.write(contentsOf: Data(text.utf8))
    }
}

extension Duration {
    fileprivate var inSeconds: Double { self / .seconds(1) }
}

/// A line for each packet that changed what phones show, or that they would have dropped.
private final class LineWatchOutput: WatchOutput {
    private var position: LivePosition?

    func show(_ verdict: PacketVerdict?, _ moment: WatchMoment) {
        guard let verdict, let line = line(verdict) else { return }
        Terminal.write(String(format: "%9.3f  ", moment.now.inSeconds) + line + "\n")
    }

    func end(_ moment: WatchMoment) {
        Terminal.write(String(format: "%9.3f  ", moment.now.inSeconds) + moment.summary + "\n")
    }

    private func line(_ verdict: PacketVerdict) -> String? {
        switch verdict {
        case .shown(let packet):
            guard packet.position != position else { return nil }
            position = packet.position
            return "measure \(packet.measure) of \(packet.piece) (count \(packet.count))"
        case .restarted(let packet):
            position = packet.position
            return "new sender: measure \(packet.measure) of \(packet.piece) (count \(packet.count))"
        case .late(let packet): return "late packet \(packet.count), dropped"
        case .duplicate(let packet): return "packet \(packet.count) again, dropped"
        case .message(let message, let isNew): return isNew ? "message: \(message.line)" : nil
        case .malformed(let fault): return "not a packet: \(fault.sentence)"
        }
    }
}

extension PushMessage {
    fileprivate var line: String {
        [title, body, style.closesByItself ? "" : "[\(buttonText)]"].filter { !$0.isEmpty }.joined(
            separator: " · ")
    }
}

extension WatchMoment {
    fileprivate var rate: String { String(format: "%.1f packets/s", inspector.packetsPerSecond(at: now)) }

    fileprivate var summary: String {
        let tally = inspector.tally
        return
            "heard \(tally.heard), messages \(tally.messages); \(tally.lost) lost, \(tally.late) late, "
            + "\(tally.duplicates) twice, \(tally.malformed) malformed, \(tally.restarts) restarts; gaps: "
            + gaps
    }

    fileprivate var gaps: String {
        guard let longest = inspector.longestGap else { return "none yet" }
        let allowed = String(format: "%g", inspector.allowedGap.inSeconds)
        return String(format: "longest %.2f s", longest.inSeconds)
            + ", \(inspector.tally.longGaps) over \(allowed) s"
    }
}

/// One JSON object a packet, on a line of its own.
private final class JSONWatchOutput: WatchOutput {
    func show(_ verdict: PacketVerdict?, _ moment: WatchMoment) {
        guard let verdict else { return }
        var object = fields(verdict)
        object["seconds"] = moment.now.inSeconds
        object["source"] = moment.source
        let options: JSONSerialization.WritingOptions = [.sortedKeys, .withoutEscapingSlashes]
        guard let line = try? JSONSerialization.data(withJSONObject: object, options: options) else { return }
        Terminal.write(String(decoding: line, as: UTF8.self) + "\n")
    }

    private func fields(_ verdict: PacketVerdict) -> [String: Any] {
        switch verdict {
        case .shown(let packet): fields("measure", packet)
        case .restarted(let packet): fields("restart", packet)
        case .late(let packet): fields("late", packet)
        case .duplicate(let packet): fields("duplicate", packet)
        case .message(let message, let isNew):
            [
                "kind": "message", "isNew": isNew, "title": message.title, "body": message.body,
                "style": message.style.spelling, "buttonText": message.buttonText,
            ]
        case .malformed(let fault): ["kind": "malformed", "fault": fault.sentence]
        }
    }

    private func fields(_ kind: String, _ packet: MeasurePacket) -> [String: Any] {
        ["kind": kind, "piece": packet.piece.text, "measure": packet.measure, "count": packet.count]
    }
}

/// One calm screen, redrawn in place; the terminal is given back as it was.
private final class ScreenWatchOutput: WatchOutput {
    private static let digits: [Character: [String]] = [
        "0": ["█▀▀█", "█  █", "█▄▄█"], "1": [" ▀█ ", "  █ ", " ▄█▄"], "2": ["▀▀▀█", "█▀▀▀", "█▄▄▄"],
        "3": ["▀▀▀█", " ▀▀█", "▄▄▄█"], "4": ["█  █", "▀▀▀█", "   █"], "5": ["█▀▀▀", "▀▀▀█", "▄▄▄█"],
        "6": ["█▀▀▀", "█▀▀█", "█▄▄█"], "7": ["▀▀▀█", "   █", "   █"], "8": ["█▀▀█", "█▀▀█", "█▄▄█"],
        "9": ["█▀▀█", "▀▀▀█", "▄▄▄█"],
    ]
    private let place: String
    private var drawn: [String] = []

    init(endpoint: MulticastEndpoint, interface: String) {
        place = "\(endpoint.group):\(endpoint.port) through \(interface)"
    }

    /// The alternate screen, without a cursor, with long lines cut instead of wrapped.
    func begin() { Terminal.write("\u{1B}[?1049h\u{1B}[?25l\u{1B}[?7l\u{1B}[2J") }

    func show(_ verdict: PacketVerdict?, _ moment: WatchMoment) {
        let lines = screen(moment)
        guard lines != drawn else { return }
        drawn = lines
        Terminal.write("\u{1B}[H" + lines.map { $0 + "\u{1B}[K" }.joined(separator: "\r\n") + "\u{1B}[J")
    }

    func end(_ moment: WatchMoment) {
        Terminal.write("\u{1B}[?7h\u{1B}[?25h\u{1B}[?1049l" + moment.summary + "\n")
    }

    private func screen(_ moment: WatchMoment) -> [String] {
        let inspector = moment.inspector
        let tally = inspector.tally
        guard let shown = inspector.shown, let age = inspector.age(at: moment.now) else {
            return [
                "", "  Listening on \(place)", "", "  Nothing heard yet.", "",
                "  \(tally.malformed) malformed",
            ]
        }
        let lines = [
            shown.piece.text, "",
            big(shown.measure, row: 0), big(shown.measure, row: 1), big(shown.measure, row: 2), "",
            inspector.message.map { "message   \($0.line)" } ?? "message   none", "",
            "rate      " + moment.rate + String(format: ", newest %.1f s ago", age.inSeconds),
            "gaps      " + moment.gaps,
            "dropped   \(tally.duplicates) twice, \(tally.late) late, \(tally.malformed) malformed",
            "lost      \(tally.lost) of \(tally.lost + tally.measures + tally.messages), \(tally.restarts) restarts",
            "sender    \(moment.source ?? "?"), count \(shown.count)", "",
            "Listening on \(place). Ctrl-C ends.",
        ]
        return [""] + lines.map { "  " + $0 }
    }

    private func big(_ measure: Int, row: Int) -> String {
        String(measure).compactMap { Self.digits[$0]?[row] }.joined(separator: " ")
    }
}
