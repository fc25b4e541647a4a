/// A place of a score that one user has named.
public struct ScoreBookmark: Hashable, Sendable, Identifiable {
    public typealias ID = ObjectID<ScoreBookmark>

    public let id: ID
    public let name: String
    public let part: Int
    public let page: Int
    /// The movement and the printed measure, if known.
    public let movement: Int?
    public let measure: Int?

    public init(id: ID, name: String, part: Int, page: Int, movement: Int? = nil, measure: Int? = nil)
        throws(RehearsalFault)
    {
        self.id = id
        self.name = try RoomLimits.validatedName(name, of: .bookmark)
        self.part = part
        self.page = page
        self.movement = movement
        self.measure = measure
    }
}

extension ScoreBookmark: Codable {
    private enum CodingKeys: CodingKey { case id, name, part, page, movement, measure }

    public init(from decoder: any Decoder) throws {
        let fields = try decoder.container(keyedBy: CodingKeys.self)
        try self.init(
            id: fields.decode(ID.self, forKey: .id), name: fields.decode(String.self, forKey: .name),
            part: fields.decode(Int.self, forKey: .part), page: fields.decode(Int.self, forKey: .page),
            movement: fields.decodeIfPresent(Int.self, forKey: .movement),
            measure: fields.decodeIfPresent(Int.self, forKey: .measure))
    }
}

/// An action of a reader in a score, with or without a room.
public enum ScoreAct: Hashable, Sendable {
    case placeRemark(Remark)
    case editRemark(RemarkEdit)
    case eraseRemark(Remark.ID)
    /// Brings an erased remark back. It comes whole, because the server keeps nothing of what was erased.
    case restoreRemark(Remark)
    case setLayerHidden(RemarkLayer.ID, isHidden: Bool)
    case putBookmark(ScoreBookmark)
    case removeBookmark(ScoreBookmark.ID)
}

/// An act with the id by which a copy that arrives again is recognised.
public struct ScoreEvent: Hashable, Sendable {
    public typealias ID = ObjectID<ScoreEvent>

    public let id: ID
    public let act: ScoreAct

    public init(id: ID, act: ScoreAct) {
        self.id = id
        self.act = act
    }
}

/// An event is encoded as a JSON object with `v`, `id` and one field named after its act.
extension ScoreEvent: Codable {
    private enum EventKeys: CodingKey { case v, id }
    private enum ActKeys: CodingKey, CaseIterable {
        case place, edit, erase, restore, hide, bookmark, unbookmark
    }
    private enum HideKeys: CodingKey { case layer, isHidden }

    /// Decodes an event.
    /// - Throws: ``RehearsalFault`` unless it has this version and exactly one act that this version knows.
    public init(from decoder: any Decoder) throws {
        let event = try decoder.container(keyedBy: EventKeys.self)
        guard let version = try event.decodeIfPresent(Int.self, forKey: .v) else {
            throw RehearsalFault.messageWithoutVersion
        }
        guard version == RoomMessage.version else { throw RehearsalFault.messageOfOtherVersion(version) }
        id = try event.decode(ID.self, forKey: .id)
        let fields = try decoder.container(keyedBy: ActKeys.self)
        guard let key = fields.allKeys.first, fields.allKeys.count == 1 else {
            throw RehearsalFault.unknownAct
        }
        switch key {
        case .place: act = .placeRemark(try fields.decode(Remark.self, forKey: key))
        case .edit: act = .editRemark(try fields.decode(RemarkEdit.self, forKey: key))
        case .erase: act = .eraseRemark(try fields.decode(Remark.ID.self, forKey: key))
        case .restore: act = .restoreRemark(try fields.decode(Remark.self, forKey: key))
        case .hide:
            let hide = try fields.nestedContainer(keyedBy: HideKeys.self, forKey: key)
            act = .setLayerHidden(
                try hide.decode(RemarkLayer.ID.self, forKey: .layer),
                isHidden: try hide.decode(Bool.self, forKey: .isHidden))
        case .bookmark: act = .putBookmark(try fields.decode(ScoreBookmark.self, forKey: key))
        case .unbookmark: act = .removeBookmark(try fields.decode(ScoreBookmark.ID.self, forKey: key))
        }
    }

    public func encode(to encoder: any Encoder) throws {
        var event = encoder.container(keyedBy: EventKeys.self)
        try event.encode(RoomMessage.version, forKey: .v)
        try event.encode(id, forKey: .id)
        var fields = encoder.container(keyedBy: ActKeys.self)
        switch act {
        case .placeRemark(let remark): try fields.encode(remark, forKey: .place)
        case .editRemark(let edit): try fields.encode(edit, forKey: .edit)
        case .eraseRemark(let id): try fields.encode(id, forKey: .erase)
        case .restoreRemark(let remark): try fields.encode(remark, forKey: .restore)
        case .setLayerHidden(let layer, let isHidden):
            var hide = fields.nestedContainer(keyedBy: HideKeys.self, forKey: .hide)
            try hide.encode(layer, forKey: .layer)
            try hide.encode(isHidden, forKey: .isHidden)
        case .putBookmark(let bookmark): try fields.encode(bookmark, forKey: .bookmark)
        case .removeBookmark(let id): try fields.encode(id, forKey: .unbookmark)
        }
    }
}
