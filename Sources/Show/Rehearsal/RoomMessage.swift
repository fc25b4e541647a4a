/// What the hub sends to a stand; JSON, one object a message, with its version.
public enum RoomMessage: Hashable, Sendable {
    public static let version = 1

    /// `{"after":24,"at":…,"id":"…","seq":25,"turn":[0,7],"v":1}`: something happened.
    case event(SequencedEvent)
    /// Everything, to a stand that holds nothing or was away for too long.
    case snapshot(RoomSnapshot)
    /// The event was taken, now or before: the stand need not keep it.
    case receipt(RoomEvent.ID, sequence: Int)
    /// The event was not taken; without an id the stand itself is not let in.
    case refused(RoomEvent.ID?, RoomRefusal)
    /// The stand's own page, as the follower wishes it; only the newest counts.
    case follow(PageView)
    /// Where the music is, for rest counters and the sign of a lost follower; only the newest counts.
    case live(LiveWord)
    /// Back to whoever measures how long a message takes.
    case echo(ObjectID<RoomMessage>)
}

/// What a stand sends to the hub.
public enum StandMessage: Hashable, Sendable {
    /// The first word of a connection, and whenever something is missing; nil for a stand that holds nothing.
    case hello(Seen?)
    case event(RoomEvent)
    /// Which page the stand shows by its player's own hand.
    case own(page: Int)
    /// The player wants the music's page again, whatever lies there by hand.
    case fallIn
    case echo(ObjectID<RoomMessage>)
}

private enum Field: String, CodingKey {
    case v, seq, after, id, at, by, own, snapshot, seen, receipt, refused, follow, live, echo, hello, reset,
        fallIn
}

private func checkVersion(_ fields: KeyedDecodingContainer<Field>) throws {
    guard let version = try fields.decodeIfPresent(Int.self, forKey: .v) else {
        throw RehearsalFault.noVersion
    }
    guard version == RoomMessage.version else { throw RehearsalFault.otherVersion(version) }
}

extension RoomMessage: Codable {
    public init(from decoder: any Decoder) throws {
        let fields = try decoder.container(keyedBy: Field.self)
        try checkVersion(fields)
        if fields.contains(.snapshot) {
            self = .snapshot(
                RoomSnapshot(
                    content: try fields.decode(RoomContent.self, forKey: .snapshot),
                    seen: try fields.decode(Seen.self, forKey: .seen),
                    isReset: try fields.decodeIfPresent(Bool.self, forKey: .reset) ?? false))
        } else if fields.contains(.receipt) {
            self = .receipt(
                try fields.decode(RoomEvent.ID.self, forKey: .receipt),
                sequence: try fields.decode(Int.self, forKey: .seq))
        } else if fields.contains(.refused) {
            self = .refused(
                try fields.decodeIfPresent(RoomEvent.ID.self, forKey: .id),
                try fields.decode(RoomRefusal.self, forKey: .refused))
        } else if fields.contains(.follow) {
            self = .follow(try fields.decode(PageView.self, forKey: .follow))
        } else if fields.contains(.live) {
            self = .live(try fields.decode(LiveWord.self, forKey: .live))
        } else if fields.contains(.echo) {
            self = .echo(try fields.decode(ObjectID<RoomMessage>.self, forKey: .echo))
        } else if fields.contains(.seq) {
            self = .event(try SequencedEvent(from: decoder))
        } else {
            throw RehearsalFault.unknownMessage
        }
    }

    public func encode(to encoder: any Encoder) throws {
        var fields = encoder.container(keyedBy: Field.self)
        try fields.encode(Self.version, forKey: .v)
        switch self {
        case .event(let event): try event.encode(into: &fields, naming: !event.isTurn, encoder)
        case .snapshot(let snapshot):
            try fields.encode(snapshot.content, forKey: .snapshot)
            try fields.encode(snapshot.seen, forKey: .seen)
            if snapshot.isReset { try fields.encode(true, forKey: .reset) }
        case .receipt(let id, let sequence):
            try fields.encode(id, forKey: .receipt)
            try fields.encode(sequence, forKey: .seq)
        case .refused(let id, let refusal):
            try fields.encodeIfPresent(id, forKey: .id)
            try fields.encode(refusal, forKey: .refused)
        case .follow(let view): try fields.encode(view, forKey: .follow)
        case .live(let word): try fields.encode(word, forKey: .live)
        case .echo(let id): try fields.encode(id, forKey: .echo)
        }
    }
}

extension StandMessage: Codable {
    public init(from decoder: any Decoder) throws {
        let fields = try decoder.container(keyedBy: Field.self)
        try checkVersion(fields)
        if fields.contains(.hello) {
            let text = try fields.decode(String.self, forKey: .hello)
            self = .hello(text == "new" ? nil : try fields.decode(Seen.self, forKey: .hello))
        } else if fields.contains(.own) {
            self = .own(page: try fields.decode(Int.self, forKey: .own))
        } else if fields.contains(.fallIn) {
            guard try fields.decode(Bool.self, forKey: .fallIn) else { throw RehearsalFault.unknownMessage }
            self = .fallIn
        } else if fields.contains(.echo) {
            self = .echo(try fields.decode(ObjectID<RoomMessage>.self, forKey: .echo))
        } else if fields.contains(.id) {
            self = .event(
                RoomEvent(
                    id: try fields.decode(RoomEvent.ID.self, forKey: .id), act: try RoomAct(from: decoder)))
        } else {
            throw RehearsalFault.unknownMessage
        }
    }

    public func encode(to encoder: any Encoder) throws {
        var fields = encoder.container(keyedBy: Field.self)
        try fields.encode(RoomMessage.version, forKey: .v)
        switch self {
        case .hello(nil): try fields.encode("new", forKey: .hello)
        case .hello(let seen?): try fields.encode(seen, forKey: .hello)
        case .event(let event):
            try fields.encode(event.id, forKey: .id)
            try event.act.encode(to: encoder)
        case .own(let page): try fields.encode(page, forKey: .own)
        case .fallIn: try fields.encode(true, forKey: .fallIn)
        case .echo(let id): try fields.encode(id, forKey: .echo)
        }
    }
}

/// As the log keeps it: as on the wire, but always with whom it is by.
extension SequencedEvent: Codable {
    var isTurn: Bool {
        if case .turn = act { true } else { false }
    }

    public init(from decoder: any Decoder) throws {
        let fields = try decoder.container(keyedBy: Field.self)
        self.init(
            sequence: try fields.decode(Int.self, forKey: .seq),
            after: try fields.decode(Int.self, forKey: .after),
            id: try fields.decode(RoomEvent.ID.self, forKey: .id),
            at: try fields.decode(RoomTime.self, forKey: .at),
            by: try fields.decodeIfPresent(User.ID.self, forKey: .by),
            isOwn: try fields.decodeIfPresent(Bool.self, forKey: .own) ?? false,
            act: try TakenAct(from: decoder))
    }

    public func encode(to encoder: any Encoder) throws {
        var fields = encoder.container(keyedBy: Field.self)
        try encode(into: &fields, naming: true, encoder)
    }

    fileprivate func encode(
        into fields: inout KeyedEncodingContainer<Field>, naming: Bool, _ encoder: any Encoder
    ) throws {
        try fields.encode(sequence, forKey: .seq)
        try fields.encode(after, forKey: .after)
        try fields.encode(id, forKey: .id)
        try fields.encode(at, forKey: .at)
        if naming { try fields.encodeIfPresent(by, forKey: .by) }
        if isOwn { try fields.encode(true, forKey: .own) }
        try act.encode(to: encoder)
    }
}
