/// The outcome of a change of a document, or of one of its values, that several people edit.
///
/// One rule holds for all of them. A change names what its author saw: the value, or the revision. It is never made
/// over somebody else's change unseen, and making it twice is no conflict, because the answer to the first may have
/// been lost.
public enum EditVerdict: Sendable {
    /// All is as the change leaves it already.
    case isDone
    case isMade
    /// Somebody else has changed the same since the author looked.
    case conflicts

    public init(isDone: Bool, isSeen: Bool) { self = isDone ? .isDone : isSeen ? .isMade : .conflicts }
}

/// A change of one value: the value that its author saw, and the new one.
public struct ValueChange<Value: Equatable & Sendable>: Equatable, Sendable {
    public var from: Value
    public var to: Value

    public init(from: Value, to: Value) { (self.from, self.to) = (from, to) }

    /// The change that takes this one back.
    public var inverse: Self { Self(from: to, to: from) }

    /// - Parameter isSame: compares two values; in some fields different texts say the same.
    public func verdict(on present: Value, isSame: (Value, Value) -> Bool = { $0 == $1 }) -> EditVerdict {
        EditVerdict(isDone: isSame(present, to), isSeen: isSame(present, from))
    }
}

extension ValueChange: Decodable where Value: Decodable {}

/// A document of which only the whole is replaced.
public struct WholeDocument<Content: Equatable & Sendable>: Equatable, Sendable {
    /// Nil before the document is added, and once it is removed.
    public private(set) var content: Content?
    /// Rises by one with each change, also with the removal; 0 for a document that never was.
    public private(set) var revision: Int64

    public init(_ content: Content? = nil, revision: Int64 = 0) {
        (self.content, self.revision) = (content, revision)
    }

    /// Replaces the content, or removes it.
    /// - Parameter seen: the revision that the author saw; 0 for no document. One that was removed may be added again.
    public mutating func replace(by new: Content?, after seen: Int64) -> EditVerdict {
        let verdict = EditVerdict(
            isDone: new == content, isSeen: seen == (content == nil ? 0 : revision))
        if case .isMade = verdict { (content, revision) = (new, revision + 1) }
        return verdict
    }
}
