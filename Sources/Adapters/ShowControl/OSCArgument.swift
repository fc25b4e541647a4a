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

    /// The argument as a number; nil if it is not a number. `yes` and `impulse` count as 1, `no` as 0.
    public var numericValue: Double? {
        switch self {
        case .int(let value): Double(value)
        case .float(let value): Double(value)
        case .long(let value): Double(value)
        case .double(let value): value
        case .yes, .impulse: 1
        case .no: 0
        case .string, .blob, .nothing, .timeTag: nil
        }
    }
}
