/// Which holding of the baton is meant: the server's reign and the change of hands within it.
///
/// Compared reign first. Whoever was told an epoch obeys no lower one, so two servers or two holders are never
/// both believed.
public struct Epoch: Comparable, Hashable, Sendable {
    /// Which reign: rises when another server takes over.
    public var term: UInt32
    /// Changes of hands within the reign.
    public var change: UInt32

    public init(term: UInt32, change: UInt32) {
        self.term = term
        self.change = change
    }

    /// The next change of hands. Past the last number it begins a new reign, for an epoch never falls.
    public var next: Epoch {
        change < .max ? Epoch(term: term, change: change + 1) : Epoch(term: term &+ 1, change: 0)
    }

    public static func < (lhs: Epoch, rhs: Epoch) -> Bool {
        (lhs.term, lhs.change) < (rhs.term, rhs.change)
    }
}

/// Written `term.change`, such as `1.4`.
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
