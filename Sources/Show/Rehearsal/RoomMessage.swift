/// A message from the server to a stand: one JSON object with a version.
public enum RoomMessage: Hashable, Sendable {
    public static let version = 1

    /// An accepted event: `{"after":24,"at":…,"id":"…","seq":25,"turn":[0,7],"v":1}`.
    case acceptedEvent(SequencedEvent)
    /// All contents of the room, for a stand that has none or was disconnected for too long.
    case snapshot(RoomSnapshot)
    /// The event was accepted, now or earlier: the stand need not keep it any longer.
    case receipt(RoomEvent.ID, sequence: Int)
    /// The event was refused; without an id, the stand itself was refused.
    case refused(RoomEvent.ID?, RoomRefusal)
    /// The page that the follower wants on this stand; only the newest counts.
    case followerPage(PageView)
    /// The position of the music, for rest counters and to show a lost follower; only the newest counts.
    case livePosition(LivePositionUpdate)
    /// The answer to a stand that measures how long a message takes.
    case latencyEcho(ObjectID<RoomMessage>)
    /// The score has a new edition: its pages or measures were changed. The stand loads it again.
    case scoreChanged
}

/// A message from a stand to the server.
public enum StandMessage: Hashable, Sendable {
    /// Asks for missing events, at the beginning of a connection and whenever the stand notices a gap; the value is nil
    /// from a stand without any contents.
    case requestMissedEvents(EventCursor?)
    case event(RoomEvent)
    /// The page that the stand shows because its player turned to it; the score is nil from stands of one score.
    case turnedPage(page: Int, score: Score.ID? = nil)
    /// After a turn by hand, the player lets the follower choose the page again.
    case followAgain
    case latencyEcho(ObjectID<RoomMessage>)
}

private enum RoomMessageField: String, CodingKey {
    case v, seq, after, id, at, by, own, snapshot, seen, receipt, refused, follow, live, echo, hello, reset,
        fallIn, score, edition
}

private func checkMessageVersion(_ fields: KeyedDecodingContainer<RoomMessageField>) throws {
    guard let version = try fields.decodeIfPresent(Int.self, forKey: .v) else {
        throw RehearsalFault.messageWithoutVersion
    }
    guard version == RoomMessage.version else { throw RehearsalFault.messageOfOtherVersion(version) }
}

extension RoomMessage: Codable {
    public init(from decoder: any Decoder) throws {
        let fields = try decoder.container(keyedBy: RoomMessageField.self)
        try checkMessageVersion(fields)
        if fields.contains(.snapshot) {
            self = .snapshot(
                RoomSnapshot(
                    content: try fields.decode(RoomContent.self, forKey: .snapshot),
                    seen: try fields.decode(EventCursor.self, forKey: .seen),
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
            self = .followerPage(try fields.decode(PageView.self, forKey: .follow))
        } else if fields.contains(.live) {
            self = .livePosition(try fields.decode(LivePositionUpdate.self, forKey: .live))
        } else if fields.contains(.echo) {
            self = .latencyEcho(try fields.decode(ObjectID<RoomMessage>.self, forKey: .echo))
        } else if fields.contains(.edition) {
            self = .scoreChanged
        } else if fields.contains(.seq) {
            self = .acceptedEvent(try SequencedEvent(from: decoder))
        } else {
            throw RehearsalFault.unknownMessage
        }
    }

    public func encode(to encoder: any Encoder) throws {
        var fields = encoder.container(keyedBy: RoomMessageField.self)
        try fields.encode(Self.version, forKey: .v)
        switch self {
        case .acceptedEvent(let event): try event.encode(into: &fields, naming: !event.isPageTurn, encoder)
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
        case .followerPage(let view): try fields.encode(view, forKey: .follow)
        case .livePosition(let word): try fields.encode(word, forKey: .live)
        case .latencyEcho(let id): try fields.encode(id, forKey: .echo)
        case .scoreChanged: try fields.encode(true, forKey: .edition)
        }
    }
}

extension StandMessage: Codable {
    public init(from decoder: any Decoder) throws {
        let fields = try decoder.container(keyedBy: RoomMessageField.self)
        try checkMessageVersion(fields)
        if fields.contains(.hello) {
            let text = try fields.decode(String.self, forKey: .hello)
            self = .requestMissedEvents(
                text == "new" ? nil : try fields.decode(EventCursor.self, forKey: .hello))
        } else if fields.contains(.own) {
            self = .turnedPage(
                page: try fields.decode(Int.self, forKey: .own),
                score: try fields.decodeIfPresent(Score.ID.self, forKey: .score))
        } else if fields.contains(.fallIn) {
            guard try fields.decode(Bool.self, forKey: .fallIn) else { throw RehearsalFault.unknownMessage }
            self = .followAgain
        } else if fields.contains(.echo) {
            self = .latencyEcho(try fields.decode(ObjectID<RoomMessage>.self, forKey: .echo))
        } else if fields.contains(.id) {
            self = .event(
                RoomEvent(
                    id: try fields.decode(RoomEvent.ID.self, forKey: .id), act: try RoomAct(from: decoder)))
        } else {
            throw RehearsalFault.unknownMessage
        }
    }

    public func encode(to encoder: any Encoder) throws {
        var fields = encoder.container(keyedBy: RoomMessageField.self)
        try fields.encode(RoomMessage.version, forKey: .v)
        switch self {
        case .requestMissedEvents(nil): try fields.encode("new", forKey: .hello)
        case .requestMissedEvents(let seen?): try fields.encode(seen, forKey: .hello)
        case .event(let event):
            try fields.encode(event.id, forKey: .id)
            try event.act.encode(to: encoder)
        case .turnedPage(let page, let score):
            try fields.encode(page, forKey: .own)
            try fields.encodeIfPresent(score, forKey: .score)
        case .followAgain: try fields.encode(true, forKey: .fallIn)
        case .latencyEcho(let id): try fields.encode(id, forKey: .echo)
        }
    }
}

/// A log stores an event as it is sent to stands, but always with its author.
extension SequencedEvent: Codable {
    var isPageTurn: Bool {
        if case .turnPagesForAll = act { true } else { false }
    }

    public init(from decoder: any Decoder) throws {
        let fields = try decoder.container(keyedBy: RoomMessageField.self)
        self.init(
            sequence: try fields.decode(Int.self, forKey: .seq),
            previousSequence: try fields.decode(Int.self, forKey: .after),
            id: try fields.decode(RoomEvent.ID.self, forKey: .id),
            acceptedAt: try fields.decode(CalendarTime.self, forKey: .at),
            author: try fields.decodeIfPresent(User.ID.self, forKey: .by),
            isPrivate: try fields.decodeIfPresent(Bool.self, forKey: .own) ?? false,
            act: try AcceptedAct(from: decoder))
    }

    public func encode(to encoder: any Encoder) throws {
        var fields = encoder.container(keyedBy: RoomMessageField.self)
        try encode(into: &fields, naming: true, encoder)
    }

    fileprivate func encode(
        into fields: inout KeyedEncodingContainer<RoomMessageField>, naming: Bool, _ encoder: any Encoder
    ) throws {
        try fields.encode(sequence, forKey: .seq)
        try fields.encode(previousSequence, forKey: .after)
        try fields.encode(id, forKey: .id)
        try fields.encode(acceptedAt, forKey: .at)
        if naming { try fields.encodeIfPresent(author, forKey: .by) }
        if isPrivate { try fields.encode(true, forKey: .own) }
        try act.encode(to: encoder)
    }
}
