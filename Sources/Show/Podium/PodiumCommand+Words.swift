import Concert
import Titles

extension PodiumCommand {
    /// The largest number of measures of a nudge.
    public static let maximumNudgeMeasures = 999
    public static let maximumNoteBytes = 2_000

    /// Parses a command from its name, in any letter case, and its arguments.
    /// - Throws: ``CommandFault`` saying what is missing or wrong.
    public init(words: [String]) throws(CommandFault) {
        guard let first = words.first, !first.isEmpty else { throw .empty }
        let name = first.lowercased()
        guard let use = Self.descriptions.first(where: { $0.name == name }) else {
            throw .unknownCommand(first)
        }
        var arguments = CommandArgumentReader(description: use, words: Array(words.dropFirst()))
        self = try Self.parse(name, &arguments)
        try arguments.requireEnd()
    }

    private static func parse(
        _ name: String, _ arguments: inout CommandArgumentReader
    ) throws(CommandFault) -> PodiumCommand {
        switch name {
        case "take": .takeBaton
        case "release": .releaseBaton
        case "hold": .holdPosition
        case "resume": .endHold
        case "tap": .tapMeasureBeginning
        case "nudge": .nudgePosition(try arguments.readMeasureCount())
        case "goto": .goTo(try arguments.readPlace())
        case "bar-is-now": .beginMeasureNow(arguments.isEmpty ? nil : try arguments.readPlace())
        case "choose": .chooseCandidate(try arguments.readCandidateChoice())
        case "arm": .setArmed(arguments.isEmpty ? true : try arguments.readSwitch())
        case "begin": .beginMusic
        case "arm-each-piece": .setArmEachPiece(try arguments.readSwitch())
        case "go": arguments.isEmpty ? .fireStandbyCue : .fireCue(try arguments.readRemainingText())
        case "standby": .chooseStandbyCue(try arguments.readStandbyChoice())
        case "rearm": .rearmCues(arguments.isEmpty ? nil : try arguments.readPlace())
        case "panic": .panic
        case "panic-over": .endPanic
        case "lock": .setShowLock(try arguments.readSwitch())
        case "blackout": .setBlackout(try arguments.readSwitch())
        case "freeze": .setAudienceFreeze(try arguments.readSwitch())
        case "pause-all": .pauseAll
        case "resume-all": .resumeAll
        case "piece":
            .beginPiece(
                try arguments.readNumber(in: 1...ShowProgramme.mostPieces) - 1, try arguments.readPieceStart()
            )
        case "next-piece": .nextPiece
        case "intermission": .setIntermission(try arguments.readSwitch())
        case "auto-advance": .setAutoAdvance(try arguments.readSwitch())
        case "rehearsal": .setRehearsal(try arguments.readSwitch())
        case "message": .sendMessage(try arguments.readMessage())
        case "withdraw": .withdrawMessage
        case "title": .title(try arguments.readTitleCommand())
        default: .logNote(try arguments.readRemainingText())
        }
    }

    /// The command as a list of words, its name and arguments, which parse to the same command.
    public var words: [String] {
        switch self {
        case .takeBaton: ["take"]
        case .releaseBaton: ["release"]
        case .holdPosition: ["hold"]
        case .endHold: ["resume"]
        case .tapMeasureBeginning: ["tap"]
        case .nudgePosition(let measures): ["nudge", "\(measures)"]
        case .goTo(let place): ["goto", place.description]
        case .beginMeasureNow(let place): ["bar-is-now"] + (place.map { [$0.description] } ?? [])
        case .chooseCandidate(.number(let number)): ["choose", "\(number)"]
        case .chooseCandidate(.place(let place)): ["choose", place.textUnlikeCandidateNumber]
        case .setArmed(let isOn): ["arm", Self.onOrOff(isOn)]
        case .beginMusic: ["begin"]
        case .setArmEachPiece(let isOn): ["arm-each-piece", Self.onOrOff(isOn)]
        case .fireStandbyCue: ["go"]
        case .fireCue(let cue): ["go", cue]
        case .chooseStandbyCue(let choice): ["standby", choice.commandWord]
        case .rearmCues(let place): ["rearm"] + (place.map { [$0.description] } ?? [])
        case .panic: ["panic"]
        case .endPanic: ["panic-over"]
        case .setShowLock(let isOn): ["lock", Self.onOrOff(isOn)]
        case .setBlackout(let isOn): ["blackout", Self.onOrOff(isOn)]
        case .setAudienceFreeze(let isOn): ["freeze", Self.onOrOff(isOn)]
        case .pauseAll: ["pause-all"]
        case .resumeAll: ["resume-all"]
        case .beginPiece(let index, let start): ["piece", "\(index + 1)"] + start.commandWords
        case .nextPiece: ["next-piece"]
        case .setIntermission(let isOn): ["intermission", Self.onOrOff(isOn)]
        case .setAutoAdvance(let isOn): ["auto-advance", Self.onOrOff(isOn)]
        case .setRehearsal(let isOn): ["rehearsal", Self.onOrOff(isOn)]
        case .sendMessage(let message):
            ["message", message.title, message.body, message.style.spelling, message.buttonText]
        case .withdrawMessage: ["withdraw"]
        case .title(let command): ["title"] + command.words
        case .logNote(let text): ["note", text]
        }
    }

    private static func onOrOff(_ isOn: Bool) -> String { isOn ? "on" : "off" }
}

extension MeasureReference {
    /// The place, written so that it cannot be mistaken for the number of a candidate.
    fileprivate var textUnlikeCandidateNumber: String {
        if case .printedMeasure(let measure, nil) = self { "\(measure)/1" } else { description }
    }
}

extension StandbyChoice {
    fileprivate var commandWord: String {
        switch self {
        case .next: "next"
        case .previous: "previous"
        case .none: "none"
        case .cue(let id): id
        }
    }
}

extension PieceStart {
    fileprivate var commandWords: [String] {
        switch self {
        case .beginning: []
        case .place(let place): [place.description]
        case .unknownPlace: ["unknown"]
        }
    }
}

/// A command is encoded as a JSON array of its words.
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

/// Reads the arguments of a command one by one.
private struct CommandArgumentReader {
    let description: CommandDescription
    var words: [String]

    var isEmpty: Bool { words.isEmpty }

    private mutating func nextWord() throws(CommandFault) -> String {
        guard !words.isEmpty else {
            throw .missingArgument(command: description.name, wanted: description.arguments)
        }
        return words.removeFirst()
    }

    mutating func readMeasureCount() throws(CommandFault) -> Int {
        let word = try nextWord()
        let digits = word.utf8.first == UInt8(ascii: "+") ? String(word.dropFirst()) : word
        guard let number = Int(digits), number != 0,
            abs(number.clampedForNegation) <= PodiumCommand.maximumNudgeMeasures
        else {
            throw .notAMeasureCount(word)
        }
        return number
    }

    mutating func readNumber(in range: ClosedRange<Int>) throws(CommandFault) -> Int {
        let word = try nextWord()
        guard let number = Int(word), range.contains(number) else {
            throw .notANumber(
                command: description.name, word: word, from: range.lowerBound, to: range.upperBound)
        }
        return number
    }

    /// Reads the choice of a candidate; a plain number is the number of a candidate, never a measure.
    mutating func readCandidateChoice() throws(CommandFault) -> CandidateChoice {
        if let word = words.first, Int(word) == nil, MeasureReference(word) != nil {
            return .place(try readPlace())
        }
        guard let word = words.first, let number = Int(word), (1...3).contains(number) else {
            throw words.isEmpty
                ? .missingArgument(command: description.name, wanted: description.arguments)
                : .notACandidate(words[0])
        }
        words.removeFirst()
        return .number(number)
    }

    mutating func readPlace() throws(CommandFault) -> MeasureReference {
        let word = try nextWord()
        guard let place = MeasureReference(word) else { throw .notAPlace(command: description.name) }
        return place
    }

    mutating func readPieceStart() throws(CommandFault) -> PieceStart {
        guard !isEmpty else { return .beginning }
        guard words[0].lowercased() != "unknown" else {
            words.removeFirst()
            return .unknownPlace
        }
        return .place(try readPlace())
    }

    mutating func readSwitch() throws(CommandFault) -> Bool {
        let word = try nextWord()
        switch word.lowercased() {
        case "on", "1", "true": return true
        case "off", "0", "false": return false
        default: throw .neitherOnNorOff(command: description.name, word: word)
        }
    }

    mutating func readStandbyChoice() throws(CommandFault) -> StandbyChoice {
        let word = try nextWord()
        switch word {
        case "next": return .next
        case "previous": return .previous
        case "none": return .none
        case "": throw .missingArgument(command: description.name, wanted: description.arguments)
        default: return .cue(word)
        }
    }

    /// Reads all remaining words as a command for the titles.
    mutating func readTitleCommand() throws(CommandFault) -> TitleCommand {
        guard !isEmpty, let command = TitleCommand(words: words) else {
            throw .notATitleCommand(words.joined(separator: " "))
        }
        if case .goToPlace(let place) = command, MeasureReference(place) == nil {
            throw .notAPlace(command: "title bar")
        }
        words = []
        return command
    }

    mutating func readMessage() throws(CommandFault) -> PushMessage {
        let title = try nextWord()
        let body = try nextWord()
        let spelling = words.isEmpty ? PushStyle.auto.spelling : words.removeFirst()
        guard let style = PushStyle(spelling: spelling.isEmpty ? PushStyle.auto.spelling : spelling) else {
            throw .unknownMessageStyle(spelling)
        }
        let button = words.isEmpty ? "" : words.removeFirst()
        do {
            return try PushMessage(title: title, body: body, style: style, buttonText: button)
        } catch {
            throw .invalidMessage(error)
        }
    }

    mutating func readRemainingText() throws(CommandFault) -> String {
        let text = words.joined(separator: " ")
        words = []
        guard !text.isEmpty else {
            throw .missingArgument(command: description.name, wanted: description.arguments)
        }
        guard text.utf8.count <= PodiumCommand.maximumNoteBytes else {
            throw .noteTooLong(bytes: text.utf8.count)
        }
        return text
    }

    func requireEnd() throws(CommandFault) {
        if let word = words.first {
            throw .tooManyArguments(command: description.name, word: word, wanted: description.arguments)
        }
    }
}

extension Int {
    /// This number, or `-Int.max` in place of `Int.min`, which has no absolute value.
    fileprivate var clampedForNegation: Int { Swift.max(self, -Int.max) }
}
