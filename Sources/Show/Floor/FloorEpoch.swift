/// Numbers the changes of the floor's holder: the leading server's term, and the change of holder within it.
///
/// Epochs are compared by term first, so that two servers or two holders are never both obeyed.
public struct FloorEpoch: Comparable, Hashable, Sendable {
    /// The term of the leading server; it rises when another server takes over.
    public var term: UInt32
    /// The number of times that the holder changed within the term.
    public var changeCount: UInt32

    public init(term: UInt32, changeCount: UInt32 = 0) {
        self.term = term
        self.changeCount = changeCount
    }

    /// The epoch after the next change of holder. After the largest number a new term begins, because an epoch never
    /// decreases.
    var next: FloorEpoch {
        changeCount < .max
            ? FloorEpoch(term: term, changeCount: changeCount + 1) : FloorEpoch(term: term &+ 1)
    }

    public static func < (lhs: FloorEpoch, rhs: FloorEpoch) -> Bool {
        (lhs.term, lhs.changeCount) < (rhs.term, rhs.changeCount)
    }
}

/// An epoch is encoded as the text `term.change`, such as `1.4`.
extension FloorEpoch: CustomStringConvertible, Codable {
    public var description: String { "\(term).\(changeCount)" }

    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        let parts = try container.decode(String.self).split(
            separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 2, let term = UInt32(parts[0]), let count = UInt32(parts[1]) else {
            throw DecodingError.dataCorruptedError(in: container, debugDescription: "no epoch such as 1.4")
        }
        self.init(term: term, changeCount: count)
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(description)
    }
}
