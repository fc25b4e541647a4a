/// One score of a room's programme. The same score may stand in a programme twice, as an encore does.
public struct ProgrammeEntry: Hashable, Sendable, Identifiable {
    public typealias ID = ObjectID<ProgrammeEntry>

    public let id: ID
    public let score: Score.ID
    /// True if the next entry follows without a break: stands open it as they turn a page, before it begins.
    public internal(set) var isAttacca: Bool

    public init(id: ID, score: Score.ID, isAttacca: Bool = false) {
        self.id = id
        self.score = score
        self.isAttacca = isAttacca
    }
}

extension ProgrammeEntry: Codable {
    private enum CodingKeys: String, CodingKey {
        case id, score
        case isAttacca = "attacca"
    }

    public init(from decoder: any Decoder) throws {
        let fields = try decoder.container(keyedBy: CodingKeys.self)
        self.init(
            id: try fields.decode(ID.self, forKey: .id),
            score: try fields.decode(Score.ID.self, forKey: .score),
            isAttacca: try fields.decodeIfPresent(Bool.self, forKey: .isAttacca) ?? false)
    }

    public func encode(to encoder: any Encoder) throws {
        var fields = encoder.container(keyedBy: CodingKeys.self)
        try fields.encode(id, forKey: .id)
        try fields.encode(score, forKey: .score)
        if isAttacca { try fields.encode(true, forKey: .isAttacca) }
    }
}

/// The scores that a room plays, in order, of which one is open on all stands.
///
/// There is always at least one entry, and the open one is always among them.
public struct RoomProgramme: Hashable, Sendable {
    public internal(set) var entries: [ProgrammeEntry]
    /// The entry that is open on all stands.
    public internal(set) var openID: ProgrammeEntry.ID
    /// The folder of the piece that the show was at when the entry was opened; nil if nobody knows. As long as the
    /// show stays there, the music opens nothing by itself.
    public internal(set) var openedDuringPiece: String?
    /// True if the room plays tonight's programme: the scores of its pieces, in its order.
    public internal(set) var isEvening = false
    /// Those to whom the server gives tonight's scores; nil if the room is not the evening's own.
    public internal(set) var players: EveningPlayers?

    /// The programme of a room with one score, as all rooms were made before there were programmes. Its entry has the
    /// room's own id, so that server and stands agree on it without a word.
    init(ofRoom room: RehearsalRoom) {
        let own = ProgrammeEntry(
            id: ProgrammeEntry.ID(high: room.id.high, low: room.id.low), score: room.score)
        entries = [own]
        openID = own.id
    }

    init?(
        entries: [ProgrammeEntry], openID: ProgrammeEntry.ID, openedDuringPiece: String?,
        isEvening: Bool = false, players: EveningPlayers? = nil
    ) {
        (self.isEvening, self.players) = (isEvening, players)
        guard entries.contains(where: { $0.id == openID }),
            Set(entries.map(\.id)).count == entries.count
        else { return nil }
        self.entries = entries
        self.openID = openID
        self.openedDuringPiece = openedDuringPiece
    }

    public subscript(id: ProgrammeEntry.ID) -> ProgrammeEntry? { entries.first { $0.id == id } }

    public var open: ProgrammeEntry { self[openID] ?? entries[0] }
    /// The score that is open on all stands.
    public var openScore: Score.ID { open.score }
    public var scores: Set<Score.ID> { Set(entries.map(\.score)) }
    public var isSeveral: Bool { entries.count > 1 }

    /// The entry after the open one; nil at the end.
    public var next: ProgrammeEntry? {
        entries.firstIndex { $0.id == openID }.flatMap { $0 + 1 < entries.count ? entries[$0 + 1] : nil }
    }

    /// The first entry that satisfies a condition, looked for from the open one on and then from the beginning.
    public func nearestEntry(where isWanted: (ProgrammeEntry) -> Bool) -> ProgrammeEntry? {
        let from = entries.firstIndex { $0.id == openID } ?? 0
        return (entries[from...] + entries[..<from]).first(where: isWanted)
    }

    // MARK: Changes that were accepted; one that does not fit changes nothing

    mutating func add(_ addition: ProgrammeAddition) {
        guard self[addition.entry.id] == nil else { return }
        entries.insert(addition.entry, at: index(before: addition.before))
    }

    mutating func drop(_ id: ProgrammeEntry.ID) {
        guard id != openID else { return }
        entries.removeAll { $0.id == id }
    }

    mutating func move(_ move: ProgrammeMove) {
        guard let at = entries.firstIndex(where: { $0.id == move.entry }), move.entry != move.before else {
            return
        }
        let entry = entries.remove(at: at)
        entries.insert(entry, at: index(before: move.before))
    }

    mutating func setAttacca(_ change: AttaccaChange) {
        guard let at = entries.firstIndex(where: { $0.id == change.entry }) else { return }
        entries[at].isAttacca = change.isAttacca
    }

    mutating func open(_ opened: OpenedScore) {
        guard self[opened.entry] != nil else { return }
        openID = opened.entry
        openedDuringPiece = opened.piece
    }

    /// The open score stays at the front if it is no longer played tonight.
    mutating func take(_ evening: EveningScores) {
        isEvening = evening.isOn
        players = evening.isOn ? evening.players ?? players : nil
        guard let new = evening.entries, !new.isEmpty else { return }
        entries = new.contains { $0.id == openID } ? new : [open] + new
    }

    /// The entries that play other scores in a given order: those of the same scores, and new ones.
    public func makeEntries(playing scores: [Score.ID], newID: () -> ProgrammeEntry.ID) -> [ProgrammeEntry] {
        var left = entries
        return scores.map { score in
            guard let index = left.firstIndex(where: { $0.score == score }) else {
                return ProgrammeEntry(id: newID(), score: score)
            }
            return left.remove(at: index)
        }
    }

    private func index(before id: ProgrammeEntry.ID?) -> Int {
        id.flatMap { id in entries.firstIndex { $0.id == id } } ?? entries.endIndex
    }
}

/// An entry that joins the programme.
public struct ProgrammeAddition: Hashable, Sendable, Codable {
    public var entry: ProgrammeEntry
    /// The entry before which it is put; nil for the end.
    public var before: ProgrammeEntry.ID?

    public init(_ entry: ProgrammeEntry, before: ProgrammeEntry.ID? = nil) {
        self.entry = entry
        self.before = before
    }
}

/// A new place of an entry in the programme.
public struct ProgrammeMove: Hashable, Sendable, Codable {
    public var entry: ProgrammeEntry.ID
    /// The entry before which it is put; nil for the end.
    public var before: ProgrammeEntry.ID?

    public init(_ entry: ProgrammeEntry.ID, before: ProgrammeEntry.ID?) {
        self.entry = entry
        self.before = before
    }
}

/// Sets whether an entry is followed by the next one without a break.
public struct AttaccaChange: Hashable, Sendable, Codable {
    public var entry: ProgrammeEntry.ID
    public var isAttacca: Bool

    public init(_ entry: ProgrammeEntry.ID, _ isAttacca: Bool) {
        self.entry = entry
        self.isAttacca = isAttacca
    }
}

/// Whether a room plays tonight's programme, and its scores in order.
public struct EveningScores: Hashable, Sendable, Codable {
    public var isOn: Bool
    /// Nil leaves the list as it is.
    public var entries: [ProgrammeEntry]?
    /// Nil leaves them as they are. Only the server names them.
    public var players: EveningPlayers?

    public init(isOn: Bool, entries: [ProgrammeEntry]? = nil, players: EveningPlayers? = nil) {
        (self.isOn, self.entries, self.players) = (isOn, entries, players)
    }
}

/// Those to whom the server gives the scores of tonight's programme.
public enum EveningPlayers: String, Hashable, Sendable, Codable {
    /// The people of the evening who have an account of their name.
    case people
    /// They, and everybody with a musician's account.
    case everyMusician
}

/// The entry that all stands open.
public struct OpenedScore: Hashable, Sendable, Codable {
    public var entry: ProgrammeEntry.ID
    /// The entry's score.
    public var score: Score.ID
    /// The folder of the piece that the show was at; nil if nobody knows.
    public var piece: String?

    public init(_ entry: ProgrammeEntry.ID, score: Score.ID, piece: String? = nil) {
        self.entry = entry
        self.score = score
        self.piece = piece
    }
}
