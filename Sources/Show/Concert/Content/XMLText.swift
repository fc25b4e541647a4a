import Basics

/// Formats text and numbers for the content's XML.
public enum XMLText {
    /// Escapes text for elements and attributes. It goes through Unicode scalars, because a combining mark after an
    /// ampersand would hide the ampersand from a search by characters.
    public static func escaped(_ text: String) -> String {
        var escaped = String.UnicodeScalarView()
        for scalar in text.unicodeScalars where !CleanText.isForbiddenInXML(scalar) {
            switch scalar {
            case "&": escaped += "&amp;".unicodeScalars
            case "<": escaped += "&lt;".unicodeScalars
            case ">": escaped += "&gt;".unicodeScalars
            case "\"": escaped += "&quot;".unicodeScalars
            default: escaped.append(scalar)
            }
        }
        return String(escaped)
    }

    /// Writes seconds with the fewest digits that read back to the same number, never with an exponent: `77`, `0.5044`.
    static func formatSeconds(_ time: ReferenceTime) -> String {
        let value = time.seconds.isFinite && time.seconds != 0 ? time.seconds : 0
        let shortest = "\(value)"
        if shortest.hasSuffix(".0") { return String(shortest.dropLast(2)) }
        guard shortest.contains("e") else { return shortest }
        // Only values below a tenth of a millisecond, or longer than any recording, get here.
        let micros = Int((min(max(value, -1e9), 1e9) * 1e6).rounded())
        let decimals = String(micros.magnitude % 1_000_000)
        let padding = String(repeating: "0", count: 6 - decimals.count)
        return "\(micros < 0 ? "-" : "")\(micros.magnitude / 1_000_000).\(padding)\(decimals)"
    }
}
