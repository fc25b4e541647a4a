/// JSON that keeps the order of its members. The same results give the same bytes, so two files of results can be
/// compared line by line.
///
/// JSONEncoder keeps no order, and the engine does not import Foundation.
public indirect enum OrderedJSON: Hashable, Sendable {
    case null
    case bool(Bool)
    case integer(Int)
    case number(Double)
    case text(String)
    case list([OrderedJSON])
    case object([Member])

    public struct Member: Hashable, Sendable {
        public var name: String
        public var value: OrderedJSON

        public init(_ name: String, _ value: OrderedJSON) {
            self.name = name
            self.value = value
        }
    }

    public init(_ figure: AccuracyMetricValue) {
        switch figure {
        case .count(let count): self = .integer(count)
        case .decimal(let value): self = .number(value)
        case .absent: self = .null
        }
    }

    public init(_ value: Double?) { self = value.map(OrderedJSON.number) ?? .null }
    public init(_ value: Bool?) { self = value.map(OrderedJSON.bool) ?? .null }

    /// The JSON text: one line per value, indented by one space per level, non-ASCII characters escaped.
    public func jsonText() -> String {
        var out = ""
        writeValue(into: &out, level: 0)
        return out
    }

    private func writeValue(into out: inout String, level: Int) {
        switch self {
        case .null: out += "null"
        case .bool(let value): out += value ? "true" : "false"
        case .integer(let value): out += "\(value)"
        // JSON has no form for NaN and infinity.
        case .number(let value): out += value.isFinite ? "\(value)" : "null"
        case .text(let value): Self.quote(value, into: &out)
        case .list(let values):
            Self.writeItems(values.map { (nil, $0) }, between: "[", and: "]", into: &out, level: level)
        case .object(let members):
            Self.writeItems(
                members.map { ($0.name, $0.value) }, between: "{", and: "}", into: &out, level: level)
        }
    }

    private static func writeItems(
        _ items: [(String?, OrderedJSON)], between open: String, and close: String, into out: inout String,
        level: Int
    ) {
        out += open
        for (index, item) in items.enumerated() {
            out += index == 0 ? "\n" : ",\n"
            out += String(repeating: " ", count: level + 1)
            if let name = item.0 {
                quote(name, into: &out)
                out += ": "
            }
            item.1.writeValue(into: &out, level: level + 1)
        }
        if !items.isEmpty { out += "\n" + String(repeating: " ", count: level) }
        out += close
    }

    private static func quote(_ text: String, into out: inout String) {
        out += "\""
        for unit in text.utf16 {
            switch unit {
            case 0x22: out += "\\\""
            case 0x5C: out += "\\\\"
            case 0x0A: out += "\\n"
            case 0x0D: out += "\\r"
            case 0x09: out += "\\t"
            case 0x08: out += "\\b"
            case 0x0C: out += "\\f"
            case 0x20..<0x7F: out += String(UnicodeScalar(UInt8(unit)))
            default:
                let digits = String(unit, radix: 16)
                out += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
            }
        }
        out += "\""
    }
}
