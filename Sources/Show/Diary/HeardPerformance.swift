/// The follower's account of one item, from the show log.
public struct HeardPerformance: Hashable, Sendable, Codable {
    /// The folder of the show log under `Data/shows/`.
    public var show: String
    /// The model's folder name.
    public var model: String
    /// Milliseconds since 1970, UTC.
    public var startMilliseconds: Int64
    public var endMilliseconds: Int64
    /// Seconds of the reference for each second of the performance; nil if too little was followed.
    public var tempoRatio: Double?
    /// The mean confidence, 0 to 1.
    public var confidence: Double?
    public var interventions: [Intervention]
    /// The bars in the order played.
    public var bars: [Bar]

    /// An action of a person while the item was played.
    public struct Intervention: Hashable, Sendable, Codable {
        public var milliseconds: Int64
        public var what: String
        public var by: String

        public init(milliseconds: Int64, what: String, by: String) {
            self.milliseconds = milliseconds
            self.what = what
            self.by = by
        }
    }

    /// A bar of the tempo curve.
    public struct Bar: Hashable, Sendable, Codable {
        /// The played measure, from 0.
        public var played: Int
        /// The printed number.
        public var printed: Int
        /// The time at which it began, in seconds since the item's start.
        public var seconds: Double

        public init(played: Int, printed: Int, seconds: Double) {
            self.played = played
            self.printed = printed
            self.seconds = seconds
        }
    }

    public init(
        show: String, model: String, startMilliseconds: Int64, endMilliseconds: Int64,
        tempoRatio: Double? = nil,
        confidence: Double? = nil, interventions: [Intervention] = [], bars: [Bar] = []
    ) {
        self.show = show
        self.model = model
        self.startMilliseconds = startMilliseconds
        self.endMilliseconds = endMilliseconds
        self.tempoRatio = tempoRatio
        self.confidence = confidence
        self.interventions = interventions
        self.bars = bars
    }
}
