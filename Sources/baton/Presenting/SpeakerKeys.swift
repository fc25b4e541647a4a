/// Turns pressed keys into commands. Some keys ask for a word, which is typed and ended with Enter.
struct SpeakerKeys {
    enum Step: Hashable {
        case command(SpeakerCommand)
        /// The question has changed, or has ended.
        case question
        case fault(String)
    }

    /// The question that is being answered, with what was typed; nil while keys are commands.
    private(set) var question: (title: String, word: String, typed: String)?

    static let help =
        "right or n next · left or p previous · number and Enter go to · a ask · h hand on · l lend · t take back · "
        + "r return · b blank · w white · s send slides · v send a video · m play a video · k pause · x stop · o others · "
        + "q quit"

    /// Takes what the terminal has sent at once: a key, a sequence of a special key, or text that was pasted.
    mutating func take(_ bytes: [UInt8]) -> [Step] {
        if bytes.first == 0x1B {
            if question != nil, bytes.count == 1 { return end() }
            return Self.special[bytes].map { question == nil ? [.command($0)] : [] } ?? []
        }
        return String(decoding: bytes, as: UTF8.self).flatMap { take($0) }
    }

    private static let special: [[UInt8]: SpeakerCommand] = {
        func sequence(_ text: String) -> [UInt8] { [0x1B] + Array(text.utf8) }
        var keys: [[UInt8]: SpeakerCommand] = [:]
        // Arrows, in both modes of a terminal, and the pages of a presenter's remote control.
        for key in ["[C", "OC", "[B", "OB", "[6~"] { keys[sequence(key)] = .next }
        for key in ["[D", "OD", "[A", "OA", "[5~"] { keys[sequence(key)] = .previous }
        keys[sequence("[H")] = .goTo(1)
        return keys
    }()

    private mutating func take(_ key: Character) -> [Step] {
        guard question == nil else { return type(key) }
        switch key {
        case "n", " ": return [.command(.next)]
        case "p", "\u{7F}": return [.command(.previous)]
        case "0"..."9", "g": return ask("Slide", "go", key == "g" ? "" : String(key))
        case "a": return [.command(.ask)]
        case "h": return ask("Hand on to (name or number)", "hand")
        case "l": return ask("Lend to (name or number, and seconds)", "lend")
        case "t": return [.command(.recall(seconds: 0))]
        case "r": return [.command(.giveBack)]
        case "b", ".": return [.command(.blank(isWhite: false))]
        case "w", ",": return [.command(.blank(isWhite: true))]
        case "s": return ask("Send the PDF", "slides")
        case "v": return ask("Send the video", "video")
        case "m": return ask("Play the video", "play")
        case "k": return [.command(.pause)]
        case "x": return [.command(.stop)]
        case "o": return [.command(.who)]
        case "q", "\u{4}": return [.command(.quit)]
        case "?": return [.command(.help)]
        default: return []
        }
    }

    private mutating func ask(_ title: String, _ word: String, _ typed: String = "") -> [Step] {
        question = (title, word, typed)
        return [.question]
    }

    private mutating func end() -> [Step] {
        question = nil
        return [.question]
    }

    private mutating func type(_ key: Character) -> [Step] {
        guard let question else { return [] }
        switch key {
        case "\n", "\r", "\r\n":
            guard !question.typed.isEmpty else { return end() }
            let steps = end()
            do throws(SpeakerCommand.Fault) {
                return steps + [.command(try SpeakerCommand(line: question.word + " " + question.typed))]
            } catch { return steps + [.fault(error.sentence)] }
        case "\u{7F}", "\u{8}": self.question?.typed = String(question.typed.dropLast())
        default: if question.typed.utf8.count < 1_000, !key.isNewline { self.question?.typed.append(key) }
        }
        return [.question]
    }
}
