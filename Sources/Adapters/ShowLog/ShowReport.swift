import Podium

/// A summary of a show: what was played when, who intervened, what went wrong.
///
/// Times are milliseconds of the show. Encoded as JSON for the report page and for files.
public struct ShowReport: Codable, Equatable, Sendable {
    public struct Measure: Codable, Equatable, Sendable {
        /// The measure number as printed in the score.
        public var measure: Int
        /// Index of the played measure, counted with repeats.
        public var played: Int
        public var at: Int64
        /// The measure's length in the reference.
        public var referenceSeconds: Double
        /// The measure's length in this show; nil if the music did not continue to the next measure, if the measure
        /// was entered in its middle, or if a person moved the position or stopped the music in it.
        public var liveSeconds: Double?
    }

    public struct Piece: Codable, Equatable, Sendable {
        public var name: String
        public var measures: [Measure] = []
        /// Pairs of time and confidence.
        public var confidence: [[Double]] = []
        public var states: [TimedText] = []
    }

    /// The begin of a state, encoded as a pair of time and state.
    public struct TimedText: Codable, Equatable, Sendable {
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
        /// The command in words, for the report.
        public var what: String
        /// Why it was refused; nil if it was not.
        public var refused: String?
    }

    public struct FaultSpan: Codable, Equatable, Sendable {
        public var at: Int64
        /// Nil if it was not over at the end of the show.
        public var until: Int64?
        public var id: String
        public var sentence: String
    }

    public struct Note: Codable, Equatable, Sendable {
        public var at: Int64
        public var text: String
    }

    public var title = ""
    /// When the show began, ISO 8601.
    public var started = ""
    /// ISO 8601; nil while the show is running, or if it ended by a crash.
    public var ended: String?
    /// The show time of the last line.
    public var lastedMilliseconds: Int64 = 0
    public var pieces: [Piece] = []
    public var interventions: [Intervention] = []
    public var holders: [TimedText] = []
    public var faults: [FaultSpan] = []
    public var notes: [Note] = []
    /// Pairs of time and count.
    public var packets: [[Int64]] = []
    public var clients: [[Int64]] = []
    public var accuracy: ShowAccuracy?
    /// Lines of the log that are lost or damaged and therefore missing in the report.
    public var missingLines = 0

    public init() {}

    /// Reads a whole show.
    /// - Throws: ``ShowLogFault`` if the folder cannot be read; damaged lines are skipped and counted.
    /// - Complexity: some 0.1 ms a line.
    public init(show: String) throws(ShowLogFault) {
        var replay = try ShowReplay(show: show, whenDamaged: .passOver)
        var writing = ShowReportBuilder()
        while let step = try replay.next() {
            if let podium = replay.podium { writing.take(step, podium) }
        }
        self = writing.finished()
        title = replay.header?.show ?? ""
        started = replay.header?.started ?? ""
        missingLines = Int(clamping: replay.lostLines) + replay.damage.count
    }

    /// The encoded report, for a file or for the report page.
    public var json: [UInt8] { ShowRecorder.json(self) }
}
