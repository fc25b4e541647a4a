/// The markup of a title's text: `<i>…</i>` for italics, such as letters and voices off stage, and `<b>…</b>` for bold.
/// All other signs are words.
public enum TitleMarkup {
    /// The tags. Each of them is ASCII, so that a text has as many bytes in any case.
    public static let tags = ["<i>", "</i>", "<b>", "</b>"]

    /// Returns a text without its tags, for lists and prints.
    /// - Complexity: linear in the bytes.
    public static func plain(_ text: String) -> String {
        guard text.utf8.contains(UInt8(ascii: "<")) else { return text }
        return tags.reduce(text) { $0.replacing($1, with: "").replacing($1.uppercased(), with: "") }
    }
}
