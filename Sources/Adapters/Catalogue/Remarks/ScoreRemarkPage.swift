import Rehearsal

/// A piece of what a user sees of a score's remarks: what changed after a revision, and the lists that are always
/// whole.
public struct ScoreRemarkPage: Sendable {
    /// The layers that the user sees, the own one first.
    public var layers: [ScoreLayer]
    /// The parts of the score whose section the user leads.
    public var ledParts: [Int]
    /// The layers that the user has hidden.
    public var hidden: [String]
    public var bookmarksJSON: [String]
    /// The remarks that were added or changed, as JSON; those changed last are last.
    public var remarksJSON: [String]
    /// The revision of each of these remarks.
    public var revisions: [Int64]
    /// The names of the other authors, by their ids.
    public var names: [String: String]
    /// The erased remarks: their layers and ids.
    public var erased: [ErasedRemark]
    /// The revision after which the next piece continues.
    public var revision: Int64
    /// True if no more pieces follow.
    public var isAll: Bool
    /// The number of all standing remarks that the user sees, and the sum of their revisions modulo 1,000,003, by
    /// which a reader notices that something is missing.
    public var check: [Int64]

    /// A remark that was deleted for good.
    public struct ErasedRemark: Equatable, Sendable, Encodable {
        public var layer: String
        public var id: String
    }
}

/// The answer to one event.
public enum ScoreEventAnswer: Equatable, Sendable {
    /// Accepted now or before, or it changes nothing.
    case accepted(ScoreEvent.ID)
    case refused(ScoreEvent.ID, RoomRefusal)
}

/// The result of storing a list of events.
public struct ScoreEventOutcome: Sendable {
    public var answers: [ScoreEventAnswer] = []
    /// True if something changed that others see too.
    public var isSeenByOthers = false
    /// The acts on layers of rooms, in order.
    public var roomActs: [(layer: ScoreLayer.ID, act: AcceptedAct)] = []
}

/// The result of copying a layer's remarks into other parts.
public struct LayerSpreadOutcome: Sendable {
    public var placed = 0
    /// Copies that their authors have changed since; they stay as they are.
    public var keptChanged = 0
    public var unplaced: [Unplaced] = []

    public struct Unplaced: Sendable {
        public var remark: Remark
        public var part: Int
        public var sentence: String
    }
}

/// A place that a search has found.
public struct FoundRemark: Sendable {
    public var score: String
    /// The remark's layer; nil for a bookmark.
    public var layer: String?
    public var contentJSON: String
}

/// A set that somebody gives, or a request for the recipients' own remarks, with its recipients' answers.
public struct RemarkGift: Equatable, Sendable {
    public enum Kind: String, Sendable, Codable { case give, ask }
    public enum State: String, Sendable, Codable { case waiting, taken, refused }

    public var id: String
    public var score: String
    public var giver: String
    public var giverName: String
    public var kind: Kind
    public var name: String
    /// The number of remarks in the set; 0 for a request.
    public var remarkCount: Int
    public var atMilliseconds: Int64
    public var recipients: [Recipient]

    /// A user to whom the gift was offered, with the user's answer.
    public struct Recipient: Equatable, Sendable {
        public var account: String
        /// Empty if the account was removed.
        public var name: String
        public var state: State
    }
}

/// A user who was given a score.
public struct ScorePlayer: Equatable, Sendable, Encodable {
    public var id: String
    public var name: String
}
