import Basics
import Concert
import Titles

/// The reasons why a line of words cannot be read as a command.
public enum CommandFault: Explained, Hashable, Sendable {
    case empty
    case unknownCommand(String)
    case missingArgument(command: String, wanted: String)
    case tooManyArguments(command: String, word: String, wanted: String)
    case notAMeasureCount(String)
    case notANumber(command: String, word: String, from: Int, to: Int)
    case notAPlace(command: String)
    case notACandidate(String)
    case neitherOnNorOff(command: String, word: String)
    case unknownMessageStyle(String)
    case invalidMessage(ExplainedError)
    case noteTooLong(bytes: Int)
    case notATitleCommand(String)

    public var sentence: String {
        switch self {
        case .empty: "There is no command; name one, such as “go”."
        case .unknownCommand(let name):
            "There is no command “\(name.prefix(40))”; the commands are "
                + PodiumCommand.descriptions.map(\.name).joined(separator: ", ") + "."
        case .missingArgument(let command, let wanted): "Something is missing; write “\(command) \(wanted)”."
        case .tooManyArguments(let command, let word, let wanted):
            "“\(word.prefix(40))” is too much; write “\(wanted.isEmpty ? command : command + " " + wanted)”."
        case .notAMeasureCount(let word):
            "A nudge needs a number of measures such as 1 or -1, at most \(PodiumCommand.maximumNudgeMeasures), "
                + "not “\(word.prefix(40))”."
        case .notANumber(let command, let word, let from, let to):
            "“\(command)” needs a number from \(from) to \(to), not “\(word.prefix(40))”."
        case .notAPlace(let command):
            "“\(command)” needs a place: a measure such as 57 or 57/2, a rehearsal letter, or p:60."
        case .notACandidate(let word):
            "“choose” needs a candidate's number, 1 to 3, or its place, such as p:60, 57/2 or a rehearsal letter, "
                + "not “\(word.prefix(40))”."
        case .neitherOnNorOff(let command, let word):
            "“\(command)” needs “on” or “off”, not “\(word.prefix(40))”."
        case .unknownMessageStyle(let word): "A message's style is BUTTON or AUTO, not “\(word.prefix(40))”."
        case .invalidMessage(let fault): fault.sentence
        case .notATitleCommand(let words):
            "“title \(words.prefix(40))” is no command for the titles; write “title \(TitleCommand.arguments)”."
        case .noteTooLong(let bytes):
            "The note has \(bytes) bytes; shorten it to \(PodiumCommand.maximumNoteBytes) at most."
        }
    }
}
