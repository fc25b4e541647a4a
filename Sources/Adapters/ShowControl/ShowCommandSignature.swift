import Basics

/// A command with the kind of its arguments, so that a button, a switch or a fader can send it.
public struct ShowCommandSignature: Hashable, Sendable {
    /// The argument that a command takes.
    public enum ArgumentKind: Hashable, Sendable {
        /// The command has no argument. A number from a controller counts as a button: 0 is a release and is ignored,
        /// any other number is a press.
        case noArgument
        /// A cue may follow. 0 to 1, true and false are a button, because many controllers send them; any other number
        /// is a cue's.
        case cueOrNothing
        /// The argument is "on" or "off", or 1 or 0 from controllers that cannot send text.
        case onOff
        case anyArguments
        /// A place in the score may follow. OSC's `true` counts as a pressed button, `false` as a released one.
        case placeOrNothing
    }

    public let name: String
    public let argumentKind: ArgumentKind

    /// The commands in the order of the command table.
    public static let allCommands: [ShowCommandSignature] = [
        makeSignature("take", .noArgument), makeSignature("release", .noArgument),
        makeSignature("hold", .noArgument),
        makeSignature("resume", .noArgument), makeSignature("tap", .noArgument),
        makeSignature("nudge", .anyArguments),
        makeSignature("goto", .anyArguments),
        makeSignature("bar-is-now", .placeOrNothing), makeSignature("choose", .anyArguments),
        makeSignature("arm", .onOff), makeSignature("begin", .noArgument),
        makeSignature("arm-each-piece", .onOff), makeSignature("go", .cueOrNothing),
        makeSignature("standby", .anyArguments), makeSignature("rearm", .placeOrNothing),
        makeSignature("panic", .noArgument),
        makeSignature("panic-over", .noArgument),
        makeSignature("lock", .onOff), makeSignature("blackout", .onOff), makeSignature("freeze", .onOff),
        makeSignature("pause-all", .noArgument), makeSignature("resume-all", .noArgument),
        makeSignature("piece", .anyArguments),
        makeSignature("next-piece", .noArgument), makeSignature("intermission", .onOff),
        makeSignature("auto-advance", .onOff),
        makeSignature("rehearsal", .onOff), makeSignature("message", .anyArguments),
        makeSignature("withdraw", .noArgument), makeSignature("title", .anyArguments),
        makeSignature("note", .anyArguments),
    ]

    public static let commandNames = allCommands.map(\.name)

    private static let commandsByName = [String: ShowCommandSignature](
        uniqueKeysWithValues: allCommands.map { ($0.name, $0) })

    public static func findCommand(_ name: String) -> ShowCommandSignature? { commandsByName[name] }

    private static func makeSignature(_ name: String, _ takes: ArgumentKind) -> ShowCommandSignature {
        ShowCommandSignature(name: name, argumentKind: takes)
    }

    /// Returns the command's name and arguments as words; nil if a button was released.
    func commandWords(_ arguments: [OSCArgument]) throws(ExplainedError) -> [String]? {
        switch (argumentKind, arguments.first) {
        case (.noArgument, let first?) where first.numericValue != nil && arguments.count == 1:
            return first.numericValue == 0 ? nil : [name]
        case (.cueOrNothing, let first?)
        where (first.numericValue.map { (0...1).contains($0) } ?? false) && arguments.count == 1:
            return first.numericValue == 0 ? nil : [name]
        case (.cueOrNothing, .impulse?): return [name]
        case (.onOff, let first?) where first.numericValue != nil && arguments.count == 1:
            return [name, first.numericValue == 0 ? "off" : "on"]
        case (.placeOrNothing, .yes?), (.placeOrNothing, .impulse?): return [name]
        case (.placeOrNothing, .no?): return nil
        default:
            var words = [name]
            for argument in arguments {
                if let word = try argument.commandWord(isText: Self.commandsWithText.contains(name)) {
                    words.append(word)
                }
            }
            return words
        }
    }

    /// The commands whose arguments are names and texts: a number in a text stays as it was written.
    private static let commandsWithText: Set<String> = ["go", "standby", "message", "note", "title"]
}

extension OSCArgument {
    /// Returns the argument as a word of a command: 57.0 becomes "57", true and false become "on" and "off"; nil for
    /// the types N and I.
    /// - Parameter isText: false if a text that holds a number means that number.
    func commandWord(isText: Bool) throws(ExplainedError) -> String? {
        switch self {
        case .int(let value): return "\(value)"
        case .long(let value): return "\(value)"
        case .float(let value):
            guard value.isFinite else {
                throw ExplainedError("An argument is not a number (NaN or infinite).")
            }
            return Int64(exactly: value).map { "\($0)" } ?? "\(value)"
        case .double(let value):
            guard value.isFinite else {
                throw ExplainedError("An argument is not a number (NaN or infinite).")
            }
            return Int64(exactly: value).map { "\($0)" } ?? "\(value)"
        case .string(let text):
            guard !isText, let number = numericValue else { return text }
            return Int64(exactly: number).map { "\($0)" } ?? text
        case .yes: return "on"
        case .no: return "off"
        case .nothing, .impulse: return nil
        case .blob, .timeTag: throw ExplainedError("A command cannot have an argument of type '\(typeTag)'.")
        }
    }
}
