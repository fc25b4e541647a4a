import Following
import Score

/// A report of the follower that was passed on by ``FollowerReportFilter``.
///
/// Numbers are rounded, because these reports are logged.
public struct FollowerReport: Hashable, Sendable, Codable {
    /// The piece, as an index into ``ShowProgramme/pieces``.
    public var piece: Int
    /// The position in the piece; nil while there is no estimate.
    public var position: ScorePosition?
    /// The printed number of the measure; nil while there is no estimate.
    public var printed: Int?
    /// The tempo in seconds of the reference recording per second, 0…10; 1 is the tempo of the reference.
    public var tempo: Double
    /// The probability, 0…1, that the position is right to within one measure.
    public var confidence: Double
    public var state: FollowerState
    /// True if the position has jumped to another place since the previous report.
    public var jumped: Bool
    /// Other places where the music may be, the likeliest first; at most three. While the follower cannot decide
    /// between copies of a passage: these, its own first.
    public var candidates: [CandidateMeasure]
    /// True while the sound cannot decide between copies of a passage; nil means false, as in older logs.
    private var undecided: Bool?
    /// True while the room has been silent for some seconds; nil means false, as in older logs.
    private var silent: Bool?
    /// The number of the newest order that the follower had carried out. The Podium ignores reports that were made
    /// before its newest order was carried out.
    public var order: UInt32

    /// Accepts any values: those out of range are moved to the nearest limit, and NaN becomes 0.
    public init(
        piece: Int, position: ScorePosition?, printed: Int?, tempo: Double = 1, confidence: Double = 1,
        state: FollowerState, jumped: Bool = false, candidates: [CandidateMeasure] = [],
        isUndecided: Bool = false, isSilent: Bool = false,
        order: UInt32 = 0
    ) {
        self.piece = piece
        self.position = position.map {
            ScorePosition(played: $0.played, fraction: roundedToThousandths($0.fraction, upTo: 1))
        }
        self.printed = printed
        self.tempo = roundedToThousandths(tempo, upTo: 10)
        self.confidence = roundedToThousandths(confidence, upTo: 1)
        self.state = state
        self.jumped = jumped
        self.candidates = Array(candidates.prefix(3))
        undecided = isUndecided ? true : nil
        silent = isSilent ? true : nil
        self.order = order
    }

    public init(_ said: ConcertReport, jumped: Bool = false, order: UInt32) {
        let report = said.positionReport
        self.init(
            piece: said.pieceIndex, position: report.position, printed: report.printedMeasure,
            tempo: report.tempo.value, confidence: report.confidence, state: report.state, jumped: jumped,
            candidates: (report.isUndecided ? report.copies : report.likelyMeasures).map {
                CandidateMeasure(
                    played: $0.position.played, printed: $0.printedMeasure, probability: $0.probability)
            }, isUndecided: report.isUndecided, isSilent: said.isSilent, order: order)
    }

    /// True while the room has been silent for some seconds.
    public var isRoomSilent: Bool { silent ?? false }

    /// True while the sound cannot decide between copies of a passage, which are the ``candidates``.
    public var isUndecided: Bool { undecided ?? false }

    /// True unless the follower cannot decide between copies of a passage that have different numbers in the score.
    public var isPrintedMeasureKnown: Bool {
        !isUndecided || candidates.allSatisfy { $0.printed == printed }
    }

    /// The probability, 0…1, that the passage is right, in whichever of its copies the music is.
    var confidenceInPassage: Double {
        isUndecided ? max(confidence, candidates.reduce(0) { $0 + $1.probability }) : confidence
    }
}

/// A measure where the music may be while the follower is lost or cannot decide.
public struct CandidateMeasure: Hashable, Sendable, Codable {
    public var played: Int
    public var printed: Int
    /// The share of the search's total probability that falls to this measure, 0…1.
    public var probability: Double

    public init(played: Int, printed: Int, probability: Double) {
        self.played = played
        self.printed = printed
        self.probability = (roundedToThousandths(probability, upTo: 1) * 100).rounded() / 100
    }
}

/// Limits the value to 0…`bound` and rounds it to three decimals; NaN becomes 0.
func roundedToThousandths(_ value: Double, upTo bound: Double) -> Double {
    guard value > 0 else { return 0 }
    return (min(value, bound) * 1_000).rounded() / 1_000
}
