import Foundation
import PresentingProtocol
import Synchronization

/// Something that a speaker's program says, for people or as a line of JSON.
struct SpeakerReport: Encodable {
    var event: String
    /// Milliseconds since 1970.
    var ms = Int64(Date().timeIntervalSince1970 * 1_000)
    var number: UInt8?
    var server: String?
    /// After a lost connection: true if number and floor were kept.
    var again: Bool?
    var bytes: Int?
    var of: Int?
    var command: String?
    var code: UInt8?
    var presenters: [Presenter]?
    var sentence: String

    struct Presenter: Encodable {
        var number: UInt8
        var name: String
        var connected: Bool
        var hasFloor: Bool
    }

    init(_ event: String, _ sentence: String) { (self.event, self.sentence) = (event, sentence) }

    init(_ event: PresentingClient.Event) {
        switch event {
        case .registered(let id, let endpoint, let isAgain):
            let place = "\(endpoint.address):\(endpoint.port)"
            self.init(
                "registered",
                isAgain
                    ? "You are back at \(place), with your number \(id)."
                    : "You are number \(id) at \(place).")
            (number, server, again) = (id, place, isAgain)
        case .floorGranted: self.init("floor", "You have the floor.")
        case .floorWithdrawn: self.init("no-floor", "You no longer have the floor.")
        case .sent(let sent, let all):
            self.init("sent", "\(sent * 100 / max(all, 1)) % of the file is sent.")
            (bytes, of) = (sent, all)
        case .disconnected: self.init("lost", "The connection is lost; trying to come back.")
        case .numberLost:
            self.init(
                "number-lost",
                "The server has not answered for a minute, so your number and the floor are given up.")
        }
    }

    static func done(_ command: SpeakerCommand) -> Self {
        var report = Self("done", command == .ask ? "Your request is received." : "")
        report.command = command.name
        return report
    }

    static func refused(_ command: String, code: UInt8? = nil, _ sentence: String) -> Self {
        var report = Self("refused", sentence)
        (report.command, report.code) = (command, code)
        return report
    }

    static func presenters(_ all: [ListedPresenter]) -> Self {
        let lines = all.map {
            "\($0.id)\t\(SpeakerSentences.printable($0.name))" + ($0.hasFloor ? "\thas the floor" : "")
                + ($0.isConnected ? "" : "\tnot connected")
        }
        var report = Self("presenters", lines.joined(separator: "\n"))
        report.presenters = all.map {
            Presenter(number: $0.id, name: $0.name, connected: $0.isConnected, hasFloor: $0.hasFloor)
        }
        return report
    }
}

/// An output for reports: lines for people, lines of JSON, or a terminal whose last line shows the current state.
protocol SpeakerOutput: Sendable {
    func write(_ report: SpeakerReport)
}

/// One line of JSON for each report, at once.
struct JSONSpeakerOutput: SpeakerOutput {
    func write(_ report: SpeakerReport) {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        guard let line = try? encoder.encode(report) else { return }
        try? FileHandle.standardOutput.write(contentsOf: line + Data("\n".utf8))
    }
}

/// A line for each report that says something; of the slides' progress every tenth per cent.
final class LineSpeakerOutput: SpeakerOutput {
    private let tenth = Mutex(-1)

    func write(_ report: SpeakerReport) {
        if let bytes = report.bytes, let of = report.of {
            let now = bytes * 10 / max(of, 1)
            guard
                tenth.withLock({ before in
                    defer { before = now }; return before != now
                })
            else { return }
        }
        guard !report.sentence.isEmpty else { return }
        try? FileHandle.standardOutput.write(contentsOf: Data((report.sentence + "\n").utf8))
    }
}

/// Reports above a last line that says who has the floor, which slide is shown and what is being typed.
final class TerminalSpeakerOutput: SpeakerOutput {
    private struct State {
        var hasFloor = false
        var isConnected = false
        var progress: String?
        var slide: Int?
        var question: String?
    }

    private let name: String
    private let state = Mutex(State())

    init(name: String) { self.name = name }

    func write(_ report: SpeakerReport) {
        state.withLock { state in
            switch report.event {
            case "registered": state.isConnected = true
            case "lost": (state.isConnected, state.hasFloor) = (false, false)
            case "floor": state.hasFloor = true
            case "no-floor": state.hasFloor = false
            default: break
            }
            state.progress = report.event == "sent" ? report.sentence : nil
            let isSaid = !report.sentence.isEmpty && report.event != "sent"
            draw(state, above: isSaid ? report.sentence : nil)
        }
    }

    func show(slide: Int?) { change { $0.slide = slide } }

    func show(question: String?) { change { $0.question = question } }

    /// The characters that the last line may have, so that it is one line.
    private static var width: Int {
        var size = winsize()
        guard ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 1 else { return 79 }
        return Int(size.ws_col) - 1
    }

    private func change(_ change: (inout State) -> Void) {
        state.withLock { state in
            change(&state)
            draw(state, above: nil)
        }
    }

    private func draw(_ state: State, above line: String?) {
        var parts = [
            name, state.hasFloor ? "YOU HAVE THE FLOOR" : state.isConnected ? "listening" : "no connection",
        ]
        if let slide = state.slide { parts.append("slide \(slide)") }
        if let progress = state.progress { parts.append(progress) }
        let last = (state.question ?? parts.joined(separator: " · ") + " · ? for the keys").prefix(Self.width)
        let above = line.map { $0.replacing("\n", with: "\r\n") + "\r\n" } ?? ""
        try? FileHandle.standardOutput.write(contentsOf: Data("\r\u{1B}[K\(above)\(last)".utf8))
    }
}
