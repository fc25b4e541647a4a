import Basics
import Hosting

/// The arguments of `baton ctl`: the command's words, and the options among them.
///
/// Arguments may begin with a dash (`nudge -1`), so the argument parser passes everything after the command's name on
/// unchanged. People also write options last (`ctl status --server …`). These options are found here at any place;
/// otherwise they would be ignored and a command might go to the wrong server. Words after `--` are never options.
struct ServerControlArguments: Equatable, Sendable {
    /// The command and its arguments.
    var commandWords: [String] = []
    var serverAddress: String?
    var userName: String?
    /// True if help was requested.
    var wantsHelp = false

    /// Separates the options from the words of the command.
    /// - Throws: ``ExplainedError`` if an option has no value.
    init(_ given: [String]) throws {
        var rest = given[...]
        while let word = rest.popFirst() {
            switch word {
            case "--":
                commandWords += rest
                return
            case "--help", "-h": wantsHelp = true
            case "--server": serverAddress = try Self.takeOptionValue(of: word, &rest)
            case "--user": userName = try Self.takeOptionValue(of: word, &rest)
            case _ where word.hasPrefix("--server="):
                serverAddress = String(word.dropFirst("--server=".count))
            case _ where word.hasPrefix("--user="): userName = String(word.dropFirst("--user=".count))
            default: commandWords.append(word)
            }
        }
    }

    private static func takeOptionValue(of option: String, _ rest: inout ArraySlice<String>)
        throws
        -> String
    {
        // If another option follows, the value was forgotten; taking the option for it would address the wrong
        // server.
        guard let value = rest.popFirst(), !value.hasPrefix("--") else {
            throw ExplainedError("The option \(option) needs a value.")
        }
        return value
    }
}
