/// The ordinary value of a field, which tab JSON leaves out.
public protocol UsualValue {
    associatedtype Value: Codable & Hashable & Sendable
    static var value: Value { get }
}

public enum EmptyText: UsualValue { public static var value: String { "" } }
public enum EmptyList<Element: Codable & Hashable & Sendable>: UsualValue {
    public static var value: [Element] { [] }
}
public enum No: UsualValue { public static var value: Bool { false } }
public enum Zero: UsualValue { public static var value: Int { 0 } }
public enum One: UsualValue { public static var value: Int { 1 } }
public enum TwentyFour: UsualValue { public static var value: Int { 24 } }
/// The General MIDI program of a steel guitar.
public enum SteelGuitar: UsualValue { public static var value: Int { 25 } }

/// A field that has its ordinary value when it is missing, and is not written when it has it.
@propertyWrapper
public struct Usual<Kind: UsualValue>: Codable, Hashable, Sendable {
    public var wrappedValue: Kind.Value

    public init() { wrappedValue = Kind.value }
    public init(wrappedValue: Kind.Value) { self.wrappedValue = wrappedValue }

    public init(from decoder: any Decoder) throws { wrappedValue = try Kind.Value(from: decoder) }
    public func encode(to encoder: any Encoder) throws { try wrappedValue.encode(to: encoder) }
}

/// A note value: always written with its denominator, as `1/1` for a whole note; nil is not written.
@propertyWrapper
public struct NoteValue: Codable, Hashable, Sendable {
    public var wrappedValue: Fraction?

    public init() {}
    public init(wrappedValue: Fraction?) { self.wrappedValue = wrappedValue }

    public init(from decoder: any Decoder) throws { wrappedValue = try Fraction(from: decoder) }
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(wrappedValue.map { "\($0.numerator)/\($0.denominator)" } ?? "1/4")
    }
}

extension KeyedDecodingContainer {
    func decode(_ type: NoteValue.Type, forKey key: Key) throws -> NoteValue {
        NoteValue(wrappedValue: try decodeIfPresent(Fraction.self, forKey: key))
    }

    func decode<Kind>(_ type: Usual<Kind>.Type, forKey key: Key) throws -> Usual<Kind> {
        Usual(wrappedValue: try decodeIfPresent(Kind.Value.self, forKey: key) ?? Kind.value)
    }
}

extension KeyedEncodingContainer {
    mutating func encode(_ field: NoteValue, forKey key: Key) throws {
        guard let value = field.wrappedValue else { return }
        try encode("\(value.numerator)/\(value.denominator)", forKey: key)
    }

    mutating func encode<Kind>(_ field: Usual<Kind>, forKey key: Key) throws {
        if field.wrappedValue != Kind.value { try encode(field.wrappedValue, forKey: key) }
    }
}
