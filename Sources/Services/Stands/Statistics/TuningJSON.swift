import TakeReport

/// The state of the analysis of a session's recording, as the page gets it.
struct TuningAnswer: Encodable {
    enum State: String, Encodable { case none, waiting, running, done, failed }

    var state: State
    /// The share that is done, 0…1, while it runs.
    var progress: Double?
    /// Why it failed, or why there can be none.
    var sentence: String?
    /// The newest result; it stays while another is made.
    var result: TuningJSON?
}

/// The tuning of a session. Cents are above A = 440 Hz.
struct TuningJSON: Codable, Equatable, Sendable {
    struct Bar: Codable, Equatable, Sendable {
        var movement: Int
        var played: Int
        var printed: Int
        var playings: Int
        var cents: Double?
        var spread: Double?
        var standsOutBy: Double?
        /// The reason why it cannot be judged, as a part of a sentence.
        var reason: String?
    }

    var bars: [Bar]
    /// Pairs of seconds since the session began, and cents.
    var points: [[Double]]
    var medianCents: Double?
    var driftCents: Double?
    var referenceCents: Double?
    var unrecordedSeconds: Double
    var unlikeSeconds: Double

    init(_ result: TuningResult) {
        func rounded(_ value: Double) -> Double { (value * 10).rounded() / 10 }
        bars = result.tuning.bars.map { bar in
            Bar(
                movement: bar.movement, played: bar.played, printed: bar.printed, playings: bar.playings,
                cents: bar.cents.map(rounded), spread: bar.spread.map(rounded),
                standsOutBy: bar.standsOutBy.map(rounded), reason: bar.doubt?.words)
        }
        points = result.tuning.points.map { [rounded($0.seconds), rounded($0.cents)] }
        medianCents = result.tuning.medianCents.map(rounded)
        driftCents = result.tuning.driftCents.map(rounded)
        referenceCents = result.referenceCents.map(rounded)
        unrecordedSeconds = rounded(result.unrecordedSeconds)
        unlikeSeconds = rounded(result.unlikeSeconds)
    }
}

extension TuningDoubt {
    /// The reason as a part of a sentence.
    var words: String {
        switch self {
        case .tooShort: "too short or silent"
        case .noTuning: "no common tuning is heard: noise, speech, drums or dense sound"
        case .unalignedBar: "it is not certain where the bar is in the recording"
        }
    }
}
