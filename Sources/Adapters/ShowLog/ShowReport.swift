import Podium

/// The report of a show: the played measures with their times, the people's commands, the faults and the notes.
///
/// All times are milliseconds since the show began. The report is encoded as JSON, for the report page and for files.
public struct ShowReport: Codable, Equatable, Sendable {
    /// A measure in a report.
    public struct Measure: Codable, Equatable, Sendable {
        /// The measure number as printed in the score.
        public var measure: Int
        /// The index of the measure in playing order, in which repeated measures count again.
        public var played: Int
        public var at: Int64
        /// The length of the measure in the reference recording, in seconds.
        public var referenceSeconds: Double
        /// The length of the measure in this show, in seconds. It is nil if the measure was entered in its middle or
        /// is the first in which the follower found the music, if another measure than the next one followed, or if
        /// somebody moved the position or stopped the music during it.
        public var liveSeconds: Double?
    }

    /// A piece in a report.
    public struct Piece: Codable, Equatable, Sendable {
        public var name: String
        public var measures: [Measure] = []
        /// The follower's confidence over time, as pairs of time and confidence.
        public var confidence: [[Double]] = []
        public var states: [TimedState] = []
    }

    /// The name of the state of a piece from the moment at which another one is played.
    public static let leftStateName = "left"

    /// A state and the time at which it began. Encoded as a JSON array of time and state.
    public struct TimedState: Codable, Equatable, Sendable {
        public var atMilliseconds: Int64
        public var stateName: String

        public init(atMilliseconds: Int64, stateName: String) {
            self.atMilliseconds = atMilliseconds
            self.stateName = stateName
        }

        public init(from decoder: any Decoder) throws {
            var pair = try decoder.unkeyedContainer()
            atMilliseconds = try pair.decode(Int64.self)
            stateName = try pair.decode(String.self)
        }

        public func encode(to encoder: any Encoder) throws {
            var pair = encoder.unkeyedContainer()
            try pair.encode(atMilliseconds)
            try pair.encode(stateName)
        }
    }

    /// A person's command, and its refusal if there was one.
    public struct Intervention: Codable, Equatable, Sendable {
        public var at: Int64
        public var who: String
        /// The command as words, joined by spaces.
        public var what: String
        /// The reason why the command was refused; nil if it was carried out.
        public var refused: String?
    }

    /// A technical fault with its beginning and end, in milliseconds of the show.
    public struct FaultSpan: Codable, Equatable, Sendable {
        public var at: Int64
        /// The time at which the fault ended; nil if it lasted until the end of the show.
        public var until: Int64?
        public var id: String
        public var sentence: String
    }

    /// A note in a report.
    public struct Note: Codable, Equatable, Sendable {
        public var at: Int64
        public var text: String
    }

    /// The name of the evening.
    public var title = ""
    /// Those who performed, each on a line with the role; nil if nobody said.
    public var people: String?
    /// The name of the show's folder, which a recording of the show has too; nil in reports of earlier versions.
    public var folder: String?
    /// The time at which the show began, ISO 8601.
    public var started = ""
    /// The time at which the show ended, ISO 8601; nil while it is running, or if it ended by a crash.
    public var ended: String?
    /// The show time of the last line of the log.
    public var lastedMilliseconds: Int64 = 0
    public var pieces: [Piece] = []
    public var interventions: [Intervention] = []
    public var holders: [TimedState] = []
    public var faults: [FaultSpan] = []
    public var notes: [Note] = []
    /// The number of packets sent so far, as pairs of time and number.
    public var packets: [[Int64]] = []
    public var clients: [[Int64]] = []
    /// The distance of the time code from the music, as pairs of time and milliseconds by which the music was ahead; nil if
    /// no code was sent.
    public var timeCode: [[Int64]]?
    public var accuracy: ShowAccuracy?
    /// The number of log lines that are lost or damaged, so that their content is missing in the report.
    public var missingLines = 0

    public init() {}

    /// Makes the report of a show from its log.
    /// - Parameter show: the path of the show's folder.
    /// - Throws: ``ShowLogFault`` if the folder cannot be read; damaged lines are skipped and counted.
    /// - Complexity: some 0.1 ms a line.
    public init(show: String) throws(ShowLogFault) {
        var replay = try ShowReplay(show: show, whenDamaged: .skipAndRecord)
        var writing = ShowReportBuilder()
        while let step = try replay.replayNextLine() {
            if let podium = replay.podium { writing.addReplayedLine(step, podium) }
        }
        self = writing.finishedReport()
        let evening = replay.podium?.course.evening
        title = evening?.name ?? replay.header?.show ?? ""
        if let evening, !evening.people.isEmpty { people = evening.peopleText }
        folder = ServerDataFolder.name(ofShow: show)
        timeCode = TimeCodeDistances.read(show: show)
        started = replay.started ?? ""
        missingLines = Int(clamping: replay.lostLineCount) + replay.damage.count
    }

    /// The report as JSON, for a file or for the report page.
    public var json: [UInt8] { ShowRecorder.encodeJSON(self) }
}
