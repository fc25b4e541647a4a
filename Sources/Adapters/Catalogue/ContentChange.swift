/// One thing an editor does. Texts are checked for their meaning by whoever sends it here.
public enum ContentChange: Equatable, Sendable {
    /// Writes a field; nil and the empty text empty it.
    case set(ContentNodeID, field: String, to: String?)
    /// Makes a node, before a sibling or behind all.
    case insert(
        ContentNodeID, ContentKind, in: ContentNodeID, before: ContentNodeID?, fields: [String: String])
    /// With everything in it.
    case remove(ContentNodeID)
    case move(ContentNodeID, in: ContentNodeID, before: ContentNodeID?)
}

/// Changes that are made together or not at all.
public struct ContentEdit: Equatable, Sendable {
    public static let mostChanges = 2_000

    /// The revision its author had before the eyes; nil where nobody else can have edited.
    public var base: Int?
    public var changes: [ContentChange]
    public var author: String
    /// In a few words, for the list of what can be undone.
    public var label: String

    public init(base: Int?, changes: [ContentChange], author: String, label: String) {
        self.base = base
        self.changes = changes
        self.author = author
        self.label = label
    }
}

/// Looks at an entry as an edit would leave it: a sentence where it cannot be so, nil where it can.
public typealias EntryCheck = @Sendable (ContentNode) -> String?

/// What a change came to, as the history keeps it: from what to what, so that it can be taken back.
enum ContentEffect: Codable, Equatable, Sendable {
    case field(ContentNodeID, String, from: String?, to: String?)
    case presence(ContentNodeID, isThere: Bool)
    case place(ContentNodeID, from: Place, to: Place)

    struct Place: Codable, Equatable, Sendable {
        var parent: ContentNodeID
        var before: ContentNodeID?
    }

    var node: ContentNodeID {
        switch self {
        case .field(let id, _, _, _), .presence(let id, _), .place(let id, _, _): id
        }
    }

    var inverse: ContentEffect {
        switch self {
        case .field(let id, let name, let from, let to): .field(id, name, from: to, to: from)
        case .presence(let id, let isThere): .presence(id, isThere: !isThere)
        case .place(let id, let from, let to): .place(id, from: to, to: from)
        }
    }
}

/// One field that two people wrote at once.
public struct ContentConflict: Equatable, Sendable {
    public enum Reason: String, Codable, Sendable {
        /// The same field was written.
        case field
        /// It was removed meanwhile.
        case removed
        /// It was edited, and would be removed.
        case edited
        /// It was moved meanwhile.
        case moved
    }

    public var reason: Reason
    public var node: ContentNodeID
    public var field: String?
    /// What was to be written.
    public var mine: String?
    /// What is there.
    public var theirs: String?
    public var revision: Int
    /// Who wrote what is there.
    public var author: String?
}
