/// What happened, as the Podium is told and the show log keeps it.
public enum PodiumEvent: Hashable, Sendable {
    /// A word of the follower.
    case report(FollowerWord)
    /// A person's command. `epoch` is what the person saw when giving it; nil where the way does not carry one.
    case command(PodiumCommand, by: Person, epoch: Epoch? = nil)
    /// Time passed; worth telling at ``Podium/nextDue``.
    case tick
    /// The programme, its sections or cues were edited.
    case course(ShowCourse)
    /// A new reign: this server took over, or was told of a higher term.
    case term(UInt32)
    case fault(Fault)
    /// By the fault's id.
    case faultEnded(String)
    /// The process came back, and goes on with the state it had kept.
    case restarted
    /// The check before a show begins or ends to let the follower listen from anywhere.
    case check(Bool)
}

/// Something that went wrong around the music: a device gone, a full disk, a broker away.
public struct Fault: Hashable, Sendable, Codable {
    /// What is concerned, such as `input`, `disk`, `clock`, `network`, `broker`.
    public var id: String
    /// What is wrong, where, and what to do.
    public var sentence: String

    public init(id: String, sentence: String) {
        self.id = id
        self.sentence = sentence
    }
}

/// A fault as it is shown: since when and how often.
public struct FaultRecord: Hashable, Sendable, Codable {
    public var id: String
    public var sentence: String
    /// When it began the last time.
    public var since: ShowTime
    /// How often it was told of.
    public var count: Int
    public var isOver: Bool

    public init(id: String, sentence: String, since: ShowTime, count: Int, isOver: Bool) {
        self.id = id
        self.sentence = sentence
        self.since = since
        self.count = count
        self.isOver = isOver
    }
}

/// One field named after the case; the log stays readable.
extension PodiumEvent: Codable {
    private enum CodingKeys: CodingKey {
        case report, command, by, epoch, tick, course, term, fault, faultEnded, restarted, check
    }

    public init(from decoder: any Decoder) throws {
        let fields = try decoder.container(keyedBy: CodingKeys.self)
        if fields.contains(.report) {
            self = .report(try fields.decode(FollowerWord.self, forKey: .report))
        } else if fields.contains(.command) {
            self = .command(
                try fields.decode(PodiumCommand.self, forKey: .command),
                by: try fields.decode(Person.self, forKey: .by),
                epoch: try fields.decodeIfPresent(Epoch.self, forKey: .epoch))
        } else if fields.contains(.tick) {
            self = .tick
        } else if fields.contains(.course) {
            self = .course(try fields.decode(ShowCourse.self, forKey: .course))
        } else if fields.contains(.term) {
            self = .term(try fields.decode(UInt32.self, forKey: .term))
        } else if fields.contains(.fault) {
            self = .fault(try fields.decode(Fault.self, forKey: .fault))
        } else if fields.contains(.faultEnded) {
            self = .faultEnded(try fields.decode(String.self, forKey: .faultEnded))
        } else if fields.contains(.restarted) {
            self = .restarted
        } else if fields.contains(.check) {
            self = .check(try fields.decode(Bool.self, forKey: .check))
        } else {
            throw DecodingError.dataCorrupted(
                .init(codingPath: decoder.codingPath, debugDescription: "no event this version knows"))
        }
    }

    public func encode(to encoder: any Encoder) throws {
        var fields = encoder.container(keyedBy: CodingKeys.self)
        switch self {
        case .report(let word): try fields.encode(word, forKey: .report)
        case .command(let command, let person, let epoch):
            try fields.encode(command, forKey: .command)
            try fields.encode(person, forKey: .by)
            try fields.encodeIfPresent(epoch, forKey: .epoch)
        case .tick: try fields.encode(true, forKey: .tick)
        case .course(let course): try fields.encode(course, forKey: .course)
        case .term(let term): try fields.encode(term, forKey: .term)
        case .fault(let fault): try fields.encode(fault, forKey: .fault)
        case .faultEnded(let id): try fields.encode(id, forKey: .faultEnded)
        case .restarted: try fields.encode(true, forKey: .restarted)
        case .check(let isOn): try fields.encode(isOn, forKey: .check)
        }
    }
}
