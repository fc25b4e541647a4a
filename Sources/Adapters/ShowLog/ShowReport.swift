import Podium

/// A show afterwards: what was played when, who intervened, what went wrong.
///
/// Times are milliseconds of the show. Written as JSON for the report page and for files.
public struct ShowReport: Codable, Equatable, Sendable {
    public struct Measure: Codable, Equatable, Sendable {
        /// As printed in the score.
        public var measure: Int
        /// Index of the played measure, repeats unfolded.
        public var played: Int
        public var at: Int64
        /// Its length in the reference.
        public var referenceSeconds: Double
        /// Its length now; nil where the music did not go on to the measure after it, where it was entered
        /// in its middle, or where a person moved the place or stopped the music meanwhile.
        public var liveSeconds: Double?
    }

    public struct Piece: Codable, Equatable, Sendable {
        public var name: String
        public var measures: [Measure] = []
        /// Pairs of time and confidence.
        public var confidence: [[Double]] = []
        public var states: [Moment] = []
    }

    /// From then on it was so; written as a pair.
    public struct Moment: Codable, Equatable, Sendable {
        public var at: Int64
        public var what: String

        public init(at: Int64, what: String) {
            self.at = at
            self.what = what
        }

        public init(from decoder: any Decoder) throws {
            var pair = try decoder.unkeyedContainer()
            at = try pair.decode(Int64.self)
            what = try pair.decode(String.self)
        }

        public func encode(to encoder: any Encoder) throws {
            var pair = encoder.unkeyedContainer()
            try pair.encode(at)
            try pair.encode(what)
        }
    }

    /// A person's command, or an answer to one.
    public struct Intervention: Codable, Equatable, Sendable {
        public var at: Int64
        public var who: String
        /// The command in words.
        public var what: String
        /// Why it was not obeyed; nil where it was.
        public var refused: String?
    }

    public struct FaultSpan: Codable, Equatable, Sendable {
        public var at: Int64
        /// Nil where it was not over at the end.
        public var until: Int64?
        public var id: String
        public var sentence: String
    }

    public struct Note: Codable, Equatable, Sendable {
        public var at: Int64
        public var text: String
    }

    public var title = ""
    /// ISO 8601.
    public var started = ""
    /// ISO 8601; nil while the show goes on, or where it ended by accident.
    public var ended: String?
    /// Of the last line.
    public var lastedMilliseconds: Int64 = 0
    public var pieces: [Piece] = []
    public var interventions: [Intervention] = []
    public var holders: [Moment] = []
    public var faults: [FaultSpan] = []
    public var notes: [Note] = []
    /// Pairs of time and count.
    public var packets: [[Int64]] = []
    public var clients: [[Int64]] = []
    public var accuracy: ShowAccuracy?
    /// Lines of the log that are lost or damaged: what the report cannot know.
    public var missingLines = 0

    public init() {}

    /// Reads a whole show.
    /// - Throws: ``ShowLogFault`` where the folder cannot be read; damaged lines are passed over and counted.
    /// - Complexity: some 0.1 ms a line.
    public init(show: String) throws(ShowLogFault) {
        var replay = try ShowReplay(show: show, whenDamaged: .passOver)
        var writing = ReportWriting()
        while let step = try replay.next() {
            if let podium = replay.podium { writing.take(step, podium) }
        }
        self = writing.finished()
        title = replay.header?.show ?? ""
        started = replay.header?.started ?? ""
        missingLines = Int(clamping: replay.lostLines) + replay.damage.count
    }

    /// As a file or an answer to the report page.
    public var json: [UInt8] { ShowScribe.json(self) }
}
