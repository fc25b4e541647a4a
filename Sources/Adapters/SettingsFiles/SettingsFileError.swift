/// The reason why a file of settings cannot be used. Lines count from 1.
public enum SettingsFileError: Error, Equatable, Sendable {
    case unreadable(path: String, reason: String)
    case notYAML(path: String, line: Int, reason: String)
    /// The file is no list of names with values.
    case notSettings(path: String, line: Int)
    case namedTwice(name: String, path: String, line: Int)
    case noValue(name: String, path: String, line: Int)
    /// The value is itself a group of settings or a list of lists.
    case nested(name: String, path: String, line: Int)

    /// The error as a sentence for people.
    public var sentence: String {
        switch self {
        case .unreadable(let path, let reason): "\(path) cannot be read: \(reason)."
        case .notYAML(let path, let line, let reason):
            "\(path), line \(line): this is not YAML (\(reason)); write a setting as “name: value”."
        case .notSettings(let path, let line):
            "\(path), line \(line): a setting is written “name: value”, with a space after the colon."
        case .namedTwice(let name, let path, let line):
            "\(path), line \(line): “\(name)” is set twice; keep one of them. Several values are a list."
        case .noValue(let name, let path, let line):
            "\(path), line \(line): “\(name)” has no value; write one after the colon, or put # before the line."
        case .nested(let name, let path, let line):
            "\(path), line \(line): “\(name)” takes a value or a list of values, no settings of its own; "
                + "write further settings at the beginning of their lines."
        }
    }
}
