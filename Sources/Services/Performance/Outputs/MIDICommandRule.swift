import Basics
import MIDILinks
import Podium

/// A row of the table of MIDI commands: `note number=60 -> next-piece`, `msc-go -> go`.
package struct MIDICommandRule: Sendable {
    private let pattern: MIDIText
    private let words: [String]
    /// True if the command takes “on” or “off”, which the message says.
    private let isSwitch: Bool

    /// The movement of a key, a button or a fader that a message reports.
    enum Stroke: Equatable {
        case pressed
        case released
        /// A fader that stays on its side of the middle.
        case moved
    }

    /// - Throws: ``ExplainedError`` if the message or the command is none.
    package init(_ text: String) throws(ExplainedError) {
        let parts = text.split(separator: "->", maxSplits: 1).map(String.init)
        guard parts.count == 2 else {
            throw ExplainedError(
                "“\(text.prefix(60))” is no MIDI command; write a message, -> and a command, such as "
                    + "note number=60 -> next-piece.")
        }
        pattern = try MIDIText(parts[0])
        words = parts[1].split(separator: " ").map(String.init)
        if (try? PodiumCommand(words: words + ["on"])) != nil, (try? PodiumCommand(words: words)) == nil {
            isSwitch = true
            return
        }
        isSwitch = false
        do throws(CommandFault) { _ = try PodiumCommand(words: words) } catch {
            throw ExplainedError("“\(text.prefix(60))”: \(error.sentence)")
        }
    }

    /// The command that a message gives, as words; nil if it gives none. The command *go* or *standby* takes the number
    /// of the cue from a message of show control that has one.
    /// - Parameter stroke: what the message does.
    func commandWords(for message: MIDIMessage, stroke: Stroke) -> [String]? {
        guard pattern.matches(message) else { return nil }
        // Whoever names the value means that value, each time.
        let namesValue = pattern.names("value") || pattern.names("velocity")
        let stroke = namesValue ? .pressed : stroke
        guard stroke == .pressed || stroke == .released && isSwitch else { return nil }
        if isSwitch { return words + [stroke == .pressed ? "on" : "off"] }
        if case .showControl(let command) = message, !command.cue.isEmpty,
            ["go", "standby"].contains(words[0]),
            words.count == 1
        {
            return words + [command.cue]
        }
        return words
    }
}
