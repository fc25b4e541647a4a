import Foundation

/// Writes small JSON texts for the broker. Unlike JSONEncoder, it keeps the given order of keys and writes two
/// decimals.
enum JSONText {
    static func object(_ members: [(key: String, value: String)]) -> String {
        "{" + members.map { "\(string($0.key)):\($0.value)" }.joined(separator: ",") + "}"
    }

    static func string(_ text: String) -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .withoutEscapingSlashes
        // A text can always be encoded.
        return (try? encoder.encode(text)).map { String(decoding: $0, as: UTF8.self) } ?? "\"\""
    }

    /// Formats a number with two decimals, never with an exponent; NaN, infinity and values from 1e9 give 0.00.
    static func hundredths(_ value: Double) -> String {
        guard value.isFinite, abs(value) < 1e9 else { return "0.00" }
        let whole = Int((value * 100).rounded())
        let cents = abs(whole) % 100
        return "\(whole < 0 ? "-" : "")\(abs(whole) / 100).\(cents < 10 ? "0" : "")\(cents)"
    }
}
