/// Numbers the changes of the baton's holder: the leading server's term, and the change of hands within it.
///
/// Epochs are compared by term first. A receiver of an epoch ignores lower ones, so that two servers or two holders are
/// never both obeyed.
public struct BatonEpoch: Comparable, Hashable, Sendable {
    /// The term of the leading server; it rises when another server takes over.
    public var term: UInt32
    /// The number of times that the baton changed hands within the term.
    public var handoverCount: UInt32

    public init(term: UInt32, handoverCount: UInt32) {
        self.term = term
        self.handoverCount = handoverCount
    }

    /// The epoch after the next change of hands. After the largest number a new term begins, because an epoch never
    /// decreases.
    public var next: BatonEpoch {
        handoverCount < .max
            ? BatonEpoch(term: term, handoverCount: handoverCount + 1)
            : BatonEpoch(term: term &+ 1, handoverCount: 0)
    }

    public static func < (lhs: BatonEpoch, rhs: BatonEpoch) -> Bool {
        (lhs.term, lhs.handoverCount) < (rhs.term, rhs.handoverCount)
    }
}

/// An epoch is encoded as the text `term.change`, such as `1.4`.
extension BatonEpoch: LosslessStringConvertible, Codable {
    public init?(_ text: String) {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 2, let term = UInt32(parts[0]), let change = UInt32(parts[1]) else { return nil }
        self.init(term: term, handoverCount: change)
    }

    public var description: String { "\(term).\(handoverCount)" }

    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        let text = try container.decode(String.self)
        guard let epoch = BatonEpoch(text) else {
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
