import Tablature

/// Lists of notes as text.
public enum TabNoteText {
    /// A list of objects, one a line.
    public static func json(_ notes: [StruckNote]) -> String {
        var text = "["
        for (index, note) in notes.enumerated() {
            text += index == 0 ? "\n" : ",\n"
            text += "{\"track\": \(note.track), \"bar\": \(note.bar), \"onset\": \"\(note.onset.text)\", "
            text += "\"string\": \(optional(note.string)), \"fret\": \(optional(note.fret)), "
            text += "\"pitch\": \(note.pitch), \"length\": \"\(note.length.text)\"}"
        }
        return text + (notes.isEmpty ? "]\n" : "\n]\n")
    }

    /// A table with the columns of the JSON.
    public static func table(_ notes: [StruckNote]) -> String {
        func column(_ text: String) -> String { text + String(repeating: " ", count: max(1, 8 - text.count)) }
        var text = ["track", "bar", "onset", "string", "fret", "pitch"].map(column).joined() + "length\n"
        for note in notes {
            let fields = [
                "\(note.track)", "\(note.bar)", note.onset.text, note.string.map { "\($0)" } ?? "-",
                note.fret.map { "\($0)" } ?? "-", "\(note.pitch)",
            ]
            text += fields.map(column).joined() + note.length.text + "\n"
        }
        return text
    }

    private static func optional(_ number: Int?) -> String { number.map { "\($0)" } ?? "null" }
}
