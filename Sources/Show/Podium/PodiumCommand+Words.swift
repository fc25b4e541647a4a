import Concert

extension PodiumCommand {
    /// The largest number of measures of a nudge.
    public static let longestNudge = 999
    public static let longestNote = 2_000

    /// Reads a name and its arguments; the name in any letter case.
    /// - Throws: ``CommandFault`` saying what is missing or wrong.
    public init(words: [String]) throws(CommandFault) {
        guard let first = words.first, !first.isEmpty else { throw .empty }
        let name = first.lowercased()
        guard let use = Self.uses.first(where: { $0.name == name }) else { throw .unknown(first) }
        var arguments = Arguments(use: use, words: Array(words.dropFirst()))
        self = try Self.read(name, &arguments)
        try arguments.end()
    }

    private static func read(
        _ name: String, _ arguments: inout Arguments
    ) throws(CommandFault) -> PodiumCommand {
        switch name {
        case "take": .take
        case "release": .release
        case "hold": .hold
        case "resume": .resume
        case "tap": .tap
        case "nudge": .nudge(try arguments.measures())
        case "goto": .goTo(try arguments.place())
        case "bar-is-now": .barIsNow(arguments.isEmpty ? nil : try arguments.place())
        case "choose": .choose(try arguments.candidate())
        case "go": .go
        case "standby": .standby(try arguments.standby())
        case "rearm": .rearm(arguments.isEmpty ? nil : try arguments.place())
        case "panic": .panic
        case "panic-over": .panicOver
        case "lock": .lock(try arguments.isOn())
        case "blackout": .blackout(try arguments.isOn())
        case "freeze": .freeze(try arguments.isOn())
        case "pause-all": .pauseAll
        case "resume-all": .resumeAll
        case "piece":
            .piece(try arguments.number(in: 1...ShowProgramme.mostPieces) - 1, try arguments.start())
        case "next-piece": .nextPiece
        case "intermission": .intermission(try arguments.isOn())
        case "auto-advance": .autoAdvance(try arguments.isOn())
        case "rehearsal": .rehearsal(try arguments.isOn())
        case "message": .message(try arguments.message())
        case "withdraw": .withdraw
        default: .note(try arguments.text())
        }
    }

    /// The command in words; reading them gives the same command.
    public var words: [String] {
        switch self {
        case .take: ["take"]
        case .release: ["release"]
        case .hold: ["hold"]
        case .resume: ["resume"]
        case .tap: ["tap"]
        case .nudge(let measures): ["nudge", "\(measures)"]
        case .goTo(let place): ["goto", place.description]
        case .barIsNow(let place): ["bar-is-now"] + (place.map { [$0.description] } ?? [])
        case .choose(.number(let number)): ["choose", "\(number)"]
        case .choose(.place(let place)): ["choose", place.unambiguousText]
        case .go: ["go"]
        case .standby(let choice): ["standby", choice.word]
        case .rearm(let place): ["rearm"] + (place.map { [$0.description] } ?? [])
        case .panic: ["panic"]
        case .panicOver: ["panic-over"]
        case .lock(let isOn): ["lock", Self.word(isOn)]
        case .blackout(let isOn): ["blackout", Self.word(isOn)]
        case .freeze(let isOn): ["freeze", Self.word(isOn)]
        case .pauseAll: ["pause-all"]
        case .resumeAll: ["resume-all"]
        case .piece(let index, let start): ["piece", "\(index + 1)"] + start.words
        case .nextPiece: ["next-piece"]
        case .intermission(let isOn): ["intermission", Self.word(isOn)]
        case .autoAdvance(let isOn): ["auto-advance", Self.word(isOn)]
        case .rehearsal(let isOn): ["rehearsal", Self.word(isOn)]
        case .message(let message):
            ["message", message.title, message.body, message.style.spelling, message.buttonText]
        case .withdraw: ["withdraw"]
        case .note(let text): ["note", text]
        }
    }

    private static func word(_ isOn: Bool) -> String { isOn ? "on" : "off" }
}

extension MeasureReference {
    /// Writes a place so that it does not read as a candidate's number.
    fileprivate var unambiguousText: String {
        if case .printed(let measure, nil) = self { "\(measure)/1" } else { description }
    }
}

extension StandbyChoice {
    fileprivate var word: String {
        switch self {
        case .next: "next"
        case .previous: "previous"
        case .none: "none"
        case .cue(let id): id
        }
    }
}

extension PieceStart {
    fileprivate var words: [String] {
        switch self {
        case .beginning: []
        case .place(let place): [place.description]
        case .unknown: ["unknown"]
        }
    }
}

/// Encoded as its words.
extension PodiumCommand: Codable {
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        try self.init(words: container.decode([String].self))
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(words)
    }
}

/// Takes the words after a command's name one by one.
private struct Arguments {
    let use: CommandDescription
    var words: [String]

    var isEmpty: Bool { words.isEmpty }

    private mutating func next() throws(CommandFault) -> String {
        guard !words.isEmpty else { throw .missing(command: use.name, wanted: use.arguments) }
        return words.removeFirst()
    }

    mutating func measures() throws(CommandFault) -> Int {
        let word = try next()
        let digits = word.utf8.first == UInt8(ascii: "+") ? String(word.dropFirst()) : word
        guard let number = Int(digits), number != 0, abs(number.clamped) <= PodiumCommand.longestNudge else {
            throw .notMeasures(word)
        }
        return number
    }

    mutating func number(in range: ClosedRange<Int>) throws(CommandFault) -> Int {
        let word = try next()
        guard let number = Int(word), range.contains(number) else {
            throw .notANumber(command: use.name, word: word, from: range.lowerBound, to: range.upperBound)
        }
        return number
    }

    /// A plain number always means the number of a candidate.
    mutating func candidate() throws(CommandFault) -> CandidateChoice {
        if let word = words.first, Int(word) == nil, MeasureReference(word) != nil {
            return .place(try place())
        }
        guard let word = words.first, let number = Int(word), (1...3).contains(number) else {
            throw words.isEmpty
                ? .missing(command: use.name, wanted: use.arguments) : .notACandidate(words[0])
        }
        words.removeFirst()
        return .number(number)
    }

    mutating func place() throws(CommandFault) -> MeasureReference {
        let word = try next()
        guard let place = MeasureReference(word) else { throw .notAPlace(command: use.name) }
        return place
    }

    mutating func start() throws(CommandFault) -> PieceStart {
        guard !isEmpty else { return .beginning }
        guard words[0].lowercased() != "unknown" else {
            words.removeFirst()
            return .unknown
        }
        return .place(try place())
    }

    mutating func isOn() throws(CommandFault) -> Bool {
        let word = try next()
        switch word.lowercased() {
        case "on", "1", "true": return true
        case "off", "0", "false": return false
        default: throw .neitherOnNorOff(command: use.name, word: word)
        }
    }

    mutating func standby() throws(CommandFault) -> StandbyChoice {
        let word = try next()
        switch word {
        case "next": return .next
        case "previous": return .previous
        case "none": return .none
        case "": throw .missing(command: use.name, wanted: use.arguments)
        default: return .cue(word)
        }
    }

    mutating func message() throws(CommandFault) -> PushMessage {
        let title = try next()
        let body = try next()
        let spelling = words.isEmpty ? PushStyle.auto.spelling : words.removeFirst()
        guard let style = PushStyle(spelling: spelling.isEmpty ? PushStyle.auto.spelling : spelling) else {
            throw .messageStyle(spelling)
        }
        let button = words.isEmpty ? "" : words.removeFirst()
        do {
            return try PushMessage(title: title, body: body, style: style, buttonText: button)
        } catch {
            throw .message(error)
        }
    }

    mutating func text() throws(CommandFault) -> String {
        let text = words.joined(separator: " ")
        words = []
        guard !text.isEmpty else { throw .missing(command: use.name, wanted: use.arguments) }
        guard text.utf8.count <= PodiumCommand.longestNote else { throw .noteTooLong(bytes: text.utf8.count) }
        return text
    }

    func end() throws(CommandFault) {
        if let word = words.first { throw .tooMany(command: use.name, word: word, wanted: use.arguments) }
    }
}

extension Int {
    /// Avoids the lowest number, which has no absolute value.
    fileprivate var clamped: Int { Swift.max(self, -Int.max) }
}
