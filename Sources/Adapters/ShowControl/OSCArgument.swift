/// One argument of an OSC message, with the type that the sender gave it.
public enum OSCArgument: Hashable, Sendable {
    case int(Int32)
    case float(Float)
    case string(String)
    case blob([UInt8])
    case yes
    case no
    case nothing
    case impulse
    case long(Int64)
    case double(Double)
    case timeTag(OSCTimeTag)

    /// The letter of the argument in the type tag string.
    public var typeTag: Character {
        switch self {
        case .int: "i"
        case .float: "f"
        case .string: "s"
        case .blob: "b"
        case .yes: "T"
        case .no: "F"
        case .nothing: "N"
        case .impulse: "I"
        case .long: "h"
        case .double: "d"
        case .timeTag: "t"
        }
    }

    /// The argument as a number, also if it is a text that holds one; nil if it is not a number. `yes` and `impulse`
    /// count as 1, `no` as 0.
    public var numericValue: Double? {
        switch self {
        case .int(let value): Double(value)
        case .float(let value): Double(value)
        case .long(let value): Double(value)
        case .double(let value): value
        case .yes, .impulse: 1
        case .no: 0
        case .string(let text): Self.number(in: text)
        case .blob, .nothing, .timeTag: nil
        }
    }

    /// Reads a decimal number such as 57, -1 or 0.5; nil for any other text.
    private static func number(in text: String) -> Double? {
        guard text.utf8.count <= 32, text.utf8.allSatisfy({ "-.0123456789".utf8.contains($0) }) else {
            return nil
        }
        return Double(text)
    }
}
