/// Numbers the changes of the baton's holder: the leading server's term, and the change of hands within it.
///
/// Epochs are compared by term first. Everybody who has received an epoch ignores lower ones, so that two servers or
/// two holders are never both obeyed.
public struct Epoch: Comparable, Hashable, Sendable {
    /// The term of the leading server; it rises when another server takes over.
    public var term: UInt32
    /// Number of changes of hands within the term.
    public var change: UInt32

    public init(term: UInt32, change: UInt32) {
        self.term = term
        self.change = change
    }

    /// The next change of hands. After the largest number it begins a new term, because an epoch never decreases.
    public var next: Epoch {
        change < .max ? Epoch(term: term, change: change + 1) : Epoch(term: term &+ 1, change: 0)
    }

    public static func < (lhs: Epoch, rhs: Epoch) -> Bool {
        (lhs.term, lhs.change) < (rhs.term, rhs.change)
    }
}

/// Encoded as `term.change`, such as `1.4`.
extension Epoch: LosslessStringConvertible, Codable {
    public init?(_ text: String) {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 2, let term = UInt32(parts[0]), let change = UInt32(parts[1]) else { return nil }
        self.init(term: term, change: change)
    }

    public var description: String { "\(term).\(change)" }

    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        let text = try container.decode(String.self)
        guard let epoch = Epoch(text) else {
            throw DecodingError.dataCorruptedError(
                in: container, debugDescription: "“\(text)” is no epoch such as 1.4")
        }
        self = epoch
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(description)
    }
}
