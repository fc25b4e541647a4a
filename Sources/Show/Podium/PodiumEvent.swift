import Floor
import Titles

/// An input of the Podium, as the show log stores it.
public enum PodiumEvent: Hashable, Sendable {
    /// A report of the follower.
    case followerReport(FollowerReport)
    /// A person gave a command. `epoch` is the epoch that the person saw; nil if the command came in a way that
    /// carries no epoch.
    case command(PodiumCommand, by: CommandSender, epoch: BatonEpoch? = nil)
    /// Time has passed; the owner sends this at ``Podium/nextTickDue``.
    case tick
    /// The programme, its sections or its cues were edited.
    case programmeChanged(ShowProgramme)
    /// Titles of one piece were edited. The piece is an index into ``ShowProgramme/pieces``; its folder tells that the
    /// programme has not changed meanwhile.
    case titlesEdited(piece: Int, folder: String, TitleListEdit)
    /// A new term: this server took over, or received a higher one.
    case failoverTermChanged(UInt32)
    case fault(TechnicalFault)
    /// A fault has ended; the value is the fault's id.
    case faultEnded(String)
    /// The process was restarted and continues from its saved state.
    case restarted
    /// The pre-show check begins or ends. During the check the follower may find any place of the piece.
    case setPreShowCheck(Bool)
    /// Something happens to the floor, which decides what speakers show on the screen.
    case floor(FloorEvent, by: CommandSender)
}

/// A technical fault: a lost device, a full disk, an unreachable broker.
public struct TechnicalFault: Hashable, Sendable, Codable {
    /// Identifies the fault, such as `cue:1:c3`. A fault that is reported again has the same id.
    public var id: String
    /// A sentence for the technician: what is wrong, where, and what to do.
    public var sentence: String

    public init(id: String, sentence: String) {
        self.id = id
        self.sentence = sentence
    }
}

/// A fault as it is displayed, with its time and count.
public struct TechnicalFaultRecord: Hashable, Sendable, Codable {
    public var id: String
    public var sentence: String
    /// The time at which the fault last began.
    public var since: ShowTime
    /// The number of times that the fault was reported.
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

/// An event is encoded as a JSON object with a field named after the case, so that the log stays readable.
extension PodiumEvent: Codable {
    private enum CodingKeys: CodingKey {
        case report, command, by, epoch, tick, course, term, fault, faultEnded, restarted, check, floor
        case titles, piece, folder
    }

    public init(from decoder: any Decoder) throws {
        let fields = try decoder.container(keyedBy: CodingKeys.self)
        if fields.contains(.report) {
            self = .followerReport(try fields.decode(FollowerReport.self, forKey: .report))
        } else if fields.contains(.command) {
            self = .command(
                try fields.decode(PodiumCommand.self, forKey: .command),
                by: try fields.decode(CommandSender.self, forKey: .by),
                epoch: try fields.decodeIfPresent(BatonEpoch.self, forKey: .epoch))
        } else if fields.contains(.tick) {
            self = .tick
        } else if fields.contains(.course) {
            self = .programmeChanged(try fields.decode(ShowProgramme.self, forKey: .course))
        } else if fields.contains(.titles) {
            self = .titlesEdited(
                piece: try fields.decode(Int.self, forKey: .piece),
                folder: try fields.decode(String.self, forKey: .folder),
                try fields.decode(TitleListEdit.self, forKey: .titles))
        } else if fields.contains(.term) {
            self = .failoverTermChanged(try fields.decode(UInt32.self, forKey: .term))
        } else if fields.contains(.fault) {
            self = .fault(try fields.decode(TechnicalFault.self, forKey: .fault))
        } else if fields.contains(.faultEnded) {
            self = .faultEnded(try fields.decode(String.self, forKey: .faultEnded))
        } else if fields.contains(.restarted) {
            self = .restarted
        } else if fields.contains(.check) {
            self = .setPreShowCheck(try fields.decode(Bool.self, forKey: .check))
        } else if fields.contains(.floor) {
            self = .floor(
                try fields.decode(FloorEvent.self, forKey: .floor),
                by: try fields.decode(CommandSender.self, forKey: .by))
        } else {
            throw DecodingError.dataCorrupted(
                .init(codingPath: decoder.codingPath, debugDescription: "no event this version knows"))
        }
    }

    public func encode(to encoder: any Encoder) throws {
        var fields = encoder.container(keyedBy: CodingKeys.self)
        switch self {
        case .followerReport(let word): try fields.encode(word, forKey: .report)
        case .command(let command, let person, let epoch):
            try fields.encode(command, forKey: .command)
            try fields.encode(person, forKey: .by)
            try fields.encodeIfPresent(epoch, forKey: .epoch)
        case .tick: try fields.encode(true, forKey: .tick)
        case .programmeChanged(let course): try fields.encode(course, forKey: .course)
        case .titlesEdited(let piece, let folder, let edit):
            try fields.encode(piece, forKey: .piece)
            try fields.encode(folder, forKey: .folder)
            try fields.encode(edit, forKey: .titles)
        case .failoverTermChanged(let term): try fields.encode(term, forKey: .term)
        case .fault(let fault): try fields.encode(fault, forKey: .fault)
        case .faultEnded(let id): try fields.encode(id, forKey: .faultEnded)
        case .restarted: try fields.encode(true, forKey: .restarted)
        case .setPreShowCheck(let isOn): try fields.encode(isOn, forKey: .check)
        case .floor(let event, let person):
            try fields.encode(event, forKey: .floor)
            try fields.encode(person, forKey: .by)
        }
    }
}
