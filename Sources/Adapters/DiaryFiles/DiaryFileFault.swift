import Basics

/// The reason why a file of the diary cannot be read or written.
public enum DiaryFileFault: Explained, Equatable, Sendable {
    case unreadable(file: String, reason: String)
    case notJSON(file: String, byte: Int, what: String)
    case wrongFormat(file: String, what: String)
    /// A record that cannot be; `place` is its key and number, or its line.
    case badRecord(file: String, place: String, what: String)
    case unwritable(file: String, reason: String)

    public var sentence: String { sentence(calling: nil) }

    /// The sentence with other words for the file, such as for one that was sent under another name.
    public func sentence(calling name: String?) -> String {
        let words = { (file: String) in name ?? "“\(file)”" }
        return switch self {
        case .unreadable(let file, let reason):
            "\(words(file)) cannot be read (\(reason)); check its name and its permissions."
        case .notJSON(let file, let byte, let what):
            "\(words(file)) is no sound JSON: at byte \(byte) \(what). Nothing was imported; get the file anew."
        case .wrongFormat(let file, let what):
            "\(words(file)) \(what). Nothing was imported; name the right format."
        case .badRecord(let file, let place, let what):
            "\(words(file)), \(place): \(what). Nothing was imported; mend it and try again."
        case .unwritable(let file, let reason):
            "\(words(file)) cannot be written (\(reason)); check its folder, and that there is space on the disk."
        }
    }
}
