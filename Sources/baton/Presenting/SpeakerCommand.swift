import Basics

/// A command that a speaker types into `baton present`.
enum SpeakerCommand: Hashable {
    case next
    case previous
    case goTo(Int)
    case ask
    /// `to` is a name or a number.
    case handOn(to: String)
    /// `seconds` is nil for a loan until it is returned.
    case lend(to: String, seconds: Int?)
    /// Takes a lent floor back after so many seconds.
    case recall(seconds: Int)
    case giveBack
    case blank(isWhite: Bool)
    case slides(path: String)
    case draw(type: Int, path: String)
    case video(path: String)
    case play(name: String)
    case pause
    case stop
    case seek(seconds: Double)
    case who
    /// Waits for the floor.
    case wait
    case help
    case quit

    /// The reason why a line is no command.
    struct Fault: Explained, Equatable {
        var sentence: String
    }

    /// Every command as it is written, with what it does.
    static let descriptions: [(use: String, meaning: String)] = [
        ("next", "shows the next slide"), ("previous", "shows the slide before"),
        ("go NUMBER", "shows a slide, counted from 1"), ("ask", "asks for the floor"),
        ("hand NAME|NUMBER", "hands the floor on"),
        ("lend NAME|NUMBER [SECONDS]", "lends it; without seconds until it is returned"),
        ("recall [SECONDS]", "takes a lent floor back, at once or after so many seconds"),
        ("return", "gives the floor back"), ("blank", "takes the slide away until the next one"),
        ("white", "the same, with a white screen"), ("slides FILE", "sends a PDF"),
        ("draw TYPE FILE", "sends a drawing on the slide, as bytes"),
        ("video FILE", "sends a video, which has the file's name"),
        ("play NAME", "plays it, or goes on with it"),
        ("pause", "pauses the video"), ("stop", "takes it away"),
        ("seek SECONDS", "goes to a place in the video"), ("who", "lists the speakers"),
        ("wait", "waits for the floor"), ("quit", "unregisters and ends"),
    ]

    /// Reads a line.
    init(line: String) throws(Fault) {
        let words = line.split(whereSeparator: \.isWhitespace).map(String.init)
        let rest = Array(words.dropFirst())
        let all = rest.joined(separator: " ")
        func number(_ text: String, _ range: ClosedRange<Int>, _ what: String) throws(Fault) -> Int {
            guard let number = Int(text), range.contains(number) else {
                throw Fault(
                    sentence:
                        "\(what) is a number from \(range.lowerBound) to \(range.upperBound), not “\(text)”.")
            }
            return number
        }
        switch (words.first ?? "", rest.count) {
        case ("next", 0): self = .next
        case ("previous", 0): self = .previous
        case ("go", 1): self = .goTo(try number(rest[0], 1...255, "A slide"))
        case ("ask", 0): self = .ask
        case ("hand", 1...): self = .handOn(to: all)
        case ("lend", 1): self = .lend(to: all, seconds: nil)
        case ("lend", 2...):
            guard Int(rest.last!) != nil else {
                self = .lend(to: all, seconds: nil)
                return
            }
            self = .lend(
                to: rest.dropLast().joined(separator: " "),
                seconds: try number(rest.last!, 1...65_534, "A loan's seconds"))
        case ("recall", 0): self = .recall(seconds: 0)
        case ("recall", 1): self = .recall(seconds: try number(rest[0], 0...255, "The time of “recall”"))
        case ("return", 0): self = .giveBack
        case ("blank", 0): self = .blank(isWhite: false)
        case ("white", 0): self = .blank(isWhite: true)
        case ("slides", 1...): self = .slides(path: all)
        case ("draw", 2...):
            self = .draw(
                type: try number(rest[0], 0...65_535, "A drawing's type"),
                path: rest.dropFirst().joined(separator: " "))
        case ("video", 1...): self = .video(path: all)
        case ("play", 1...): self = .play(name: all)
        case ("pause", 0): self = .pause
        case ("stop", 0): self = .stop
        case ("seek", 1):
            guard let seconds = Double(rest[0]), (0...86_400).contains(seconds) else {
                throw Fault(
                    sentence: "A place in a video is a number of seconds from 0 to 86400, not “\(rest[0])”.")
            }
            self = .seek(seconds: seconds)
        case ("who", 0): self = .who
        case ("wait", 0): self = .wait
        case ("help", 0): self = .help
        case ("quit", 0): self = .quit
        default:
            let known = Self.descriptions.first { $0.use.split(separator: " ")[0] == words.first ?? "" }
            throw Fault(
                sentence: known.map { "It is written “\($0.use)”, not “\(line)”." }
                    ?? "There is no command “\(line)”; “help” lists them.")
        }
    }

    /// The first word of the command's line.
    var name: String {
        switch self {
        case .next: "next"
        case .previous: "previous"
        case .goTo: "go"
        case .ask: "ask"
        case .handOn: "hand"
        case .lend: "lend"
        case .recall: "recall"
        case .giveBack: "return"
        case .blank(let isWhite): isWhite ? "white" : "blank"
        case .slides: "slides"
        case .draw: "draw"
        case .video: "video"
        case .play: "play"
        case .pause: "pause"
        case .stop: "stop"
        case .seek: "seek"
        case .who: "who"
        case .wait: "wait"
        case .help: "help"
        case .quit: "quit"
        }
    }
}
