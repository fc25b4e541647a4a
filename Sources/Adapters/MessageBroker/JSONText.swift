/// Writes the small JSON payloads for the broker, with keys in the given order.
enum JSONText {
    static func object(_ members: [(key: String, value: String)]) -> String {
        "{" + members.map { "\(string($0.key)):\($0.value)" }.joined(separator: ",") + "}"
    }

    static func string(_ text: String) -> String {
        var out = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"": out += "\\\""
            case "\\": out += "\\\\"
            case "\n": out += "\\n"
            case "\t": out += "\\t"
            case let scalar where scalar.value < 0x20 || scalar.value == 0x7F:
                let hex = String(scalar.value, radix: 16)
                out += "\\u" + String(repeating: "0", count: 4 - hex.count) + hex
            default: out.unicodeScalars.append(scalar)
            }
        }
        return out + "\""
    }

    /// Formats a number with two decimals, never with an exponent; NaN, infinity and values from 1e9 give 0.00.
    static func hundredths(_ value: Double) -> String {
        guard value.isFinite, abs(value) < 1e9 else { return "0.00" }
        let whole = Int((value * 100).rounded())
        let cents = abs(whole) % 100
        return "\(whole < 0 ? "-" : "")\(abs(whole) / 100).\(cents < 10 ? "0" : "")\(cents)"
    }
}
