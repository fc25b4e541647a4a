import Hosting

/// What stands behind `baton ctl`: the command's words, and the options that may stand anywhere among them.
///
/// A command's arguments may begin with a dash (`nudge -1`), so everything behind its name is passed through as
/// written. People write options last all the same (`ctl status --server …`), and asking another server than the
/// one named would be worse than a refusal: the options known here are taken out wherever they stand. Words behind
/// `--` are words.
struct CtlWords: Equatable, Sendable {
    /// The command and its arguments.
    var words: [String] = []
    var server: String?
    var user: String?
    /// Whether help was asked for.
    var wantsHelp = false

    /// - Throws: ``LiveFailure`` where an option has no value.
    init(_ given: [String]) throws(LiveFailure) {
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

    private static func value(of option: String, _ rest: inout ArraySlice<String>) throws(LiveFailure)
        -> String
    {
        // An option behind it: the value was forgotten, and would be the wrong server's or nobody's.
        guard let value = rest.popFirst(), !value.hasPrefix("--") else {
            throw LiveFailure(sentence: "Behind \(option) its value is missing.")
        }
        return value
    }
}
