/// One change to a concert's content. The caller has checked that the texts are valid for their fields.
public enum ConcertChange: Equatable, Sendable {
    /// Writes a field of a node; nil or the empty text clears the field.
    case setField(ConcertNodeID, field: String, to: String?)
    /// Makes a node before a sibling, or as the last child if `before` is nil.
    case insertNode(
        ConcertNodeID, ConcertNodeKind, in: ConcertNodeID, before: ConcertNodeID?, fields: [String: String])
    /// Removes a node with everything below it.
    case removeNode(ConcertNodeID)
    case moveNode(ConcertNodeID, in: ConcertNodeID, before: ConcertNodeID?)
}

/// Changes to a concert that are made together or not at all.
public struct ConcertEdit: Equatable, Sendable {
    public static let mostChanges = 2_000

    /// The revision that the author saw when editing; nil if nobody else can have edited the concert.
    public var baseRevision: Int?
    public var changes: [ConcertChange]
    public var author: String
    /// A few words that describe the edit in the list of edits that can be undone.
    public var label: String

    public init(baseRevision: Int?, changes: [ConcertChange], author: String, label: String) {
        self.baseRevision = baseRevision
        self.changes = changes
        self.author = author
        self.label = label
    }
}

/// The rules for an edit of a concert, besides those of the tree.
public struct ConcertChecks: Sendable {
    /// Checks an entry as an edit would leave it, together with other people's changes: returns a sentence if the entry
    /// is invalid, nil if it is valid.
    public typealias Entry = @Sendable (ConcertNode) -> String?
    /// Decides about the change of a concert as a whole, from the tree before and after; nil if it may be made.
    public typealias Whole =
        @Sendable (_ id: Int64, _ before: ConcertTree, _ after: ConcertTree) -> ConcertEditFault?

    let entry: Entry
    let whole: Whole

    public init(entry: @escaping Entry = { _ in nil }, whole: @escaping Whole = { _, _, _ in nil }) {
        (self.entry, self.whole) = (entry, whole)
    }
}

/// The effect of a change to a concert, recorded with the values before and after, so that the change can be undone.
enum ConcertEditEffect: Codable, Equatable, Sendable {
    case field(ConcertNodeID, String, from: String?, to: String?)
    case presence(ConcertNodeID, isThere: Bool)
    case place(ConcertNodeID, from: Place, to: Place)

    struct Place: Codable, Equatable, Sendable {
        var parent: ConcertNodeID
        var before: ConcertNodeID?
    }

    var changedNodeID: ConcertNodeID {
        switch self {
        case .field(let id, _, _, _), .presence(let id, _), .place(let id, _, _): id
        }
    }

    var inverse: ConcertEditEffect {
        switch self {
        case .field(let id, let name, let from, let to): .field(id, name, from: to, to: from)
        case .presence(let id, let isThere): .presence(id, isThere: !isThere)
        case .place(let id, let from, let to): .place(id, from: to, to: from)
        }
    }
}

/// A conflict between two people's changes to the same field or node.
public struct ConcertEditConflict: Equatable, Sendable {
    /// The reason of a conflict between two people's edits.
    public enum Reason: String, Codable, Sendable {
        /// Both people wrote the same field.
        case field
        /// The node was removed by somebody else.
        case removed
        /// The node to be removed was edited by somebody else.
        case edited
        /// The node was moved by somebody else.
        case moved
    }

    public var reason: Reason
    public var node: ConcertNodeID
    public var field: String?
    /// The value that this edit would write.
    public var proposedValue: String?
    /// The value that somebody else has stored.
    public var storedValue: String?
    public var revision: Int
    /// The author of the value that is stored; nil if unknown.
    public var storedValueAuthor: String?
}
