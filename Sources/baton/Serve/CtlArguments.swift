import Hosting

/// The arguments of `baton ctl`: the command's words, and the options among them.
///
/// Arguments may begin with a dash (`nudge -1`), so the argument parser passes everything after the command's name on
/// unchanged. People also write options last (`ctl status --server …`). These options are found here at any place;
/// otherwise they would be ignored and a command might go to the wrong server. Words after `--` are never options.
struct CtlArguments: Equatable, Sendable {
    /// The command and its arguments.
    var words: [String] = []
    var server: String?
    var user: String?
    /// True if help was requested.
    var wantsHelp = false

    /// Separates the options from the words of the command.
    /// - Throws: ``ExplainedError`` if an option has no value.
    init(_ given: [String]) throws(ExplainedError) {
        var rest = given[...]
        while let word = rest.popFirst() {
            switch word {
            case "--":
                words += rest
                return
            case "--help", "-h": wantsHelp = true
            case "--server": server = try Self.value(of: word, &rest)
            case "--user": user = try Self.value(of: word, &rest)
            case _ where word.hasPrefix("--server="): server = String(word.dropFirst("--server=".count))
            case _ where word.hasPrefix("--user="): user = String(word.dropFirst("--user=".count))
            default: words.append(word)
            }
        }
    }

    private static func value(of option: String, _ rest: inout ArraySlice<String>) throws(ExplainedError)
        -> String
    {
        // If another option follows, the value was forgotten; taking the option for it would address the wrong
        // server.
        guard let value = rest.popFirst(), !value.hasPrefix("--") else {
            throw ExplainedError(sentence: "The option \(option) needs a value.")
        }
        return value
    }
}
