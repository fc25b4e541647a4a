import Hosting
import Score
import TakeReport

/// The report on a take as the page gets it. All times are in seconds.
struct TakeReportJSON: Encodable, Equatable, Sendable {
    struct Bar: Encodable, Equatable, Sendable {
        /// The played bar of the piece, counted from 0.
        var played: Int
        var printed: Int
        /// The onset in the take.
        var seconds: Double
        /// The tempo as a multiple of the reference's; nil if it cannot be judged.
        var tempo: Double?
        /// Seconds late, or early if negative; nil if that cannot be judged.
        var lateness: Double?
        /// `early`, `late`, `steady`, or `unknown`.
        var verdict: String
        /// The reason why it is unknown.
        var reason: String?
        /// The part of the bar, 0…1, at which the player began or stopped within it; nil for a bar line.
        var playedFrom: Double?
        var playedTo: Double?
    }

    /// Bars that were played one after the other.
    struct Passage: Encodable, Equatable, Sendable {
        var bars: [Bar]
        /// The end of the last bar in the take.
        var end: Double
        /// The median of the bars' tempo; nil if none is certain.
        var tempo: Double?
    }

    /// Bars that were not played.
    struct UnplayedRange: Encodable, Equatable, Sendable {
        /// Played bars of the piece, counted from 0.
        var first: Int
        var last: Int
        var printedFirst: Int
        var printedLast: Int
        /// True if the same printed bars were played at another time, so that only a repeat is left out.
        var isRepeat: Bool
    }

    /// The sentence why there is no report; nil if there is one.
    var refusal: String?
    var passages: [Passage] = []
    /// The bars of the piece that were not played. They do not count.
    var unplayed: [UnplayedRange] = []
    /// The sentence on the piece with which the take is compared; nil if it is the one that was played.
    var pieceNote: String?
    /// The semitones by which the take sounds higher than the piece. Its notes are judged as if it were tuned like it.
    var semitonesHigher = 0
    /// A text for each played bar of the piece, which is the same in every version in which the bar has the same notes.
    /// Empty if the notes are not known.
    var barKeys: [String] = []
    /// Lateness below this is not told from none.
    var leastLateness = BarTiming.leastLateness
    /// The sentence why the notes are not judged; nil if they are.
    var notesRefusal: String?
    /// The number of notes that were right.
    var rightNotes = 0
    /// The mistakes and the extra notes, in the order of the take.
    var notes: [TakeNotes.Finding] = []
    /// The numbers of notes that were not judged, by the reason.
    var unknownNotes: [String: Int] = [:]

    /// Notes before the player began and after the player stopped within a bar. They do not count.
    var unplayedNotes = 0

    mutating func add(_ judged: TakeNotes) {
        (rightNotes, notes, unknownNotes) = (judged.rightCount, judged.findings, judged.unknown)
        unplayedNotes = judged.unplayedCount
    }

    init(refusal: String) { self.refusal = refusal }

    init(_ bars: TakeBars, measures: MeasureMap) {
        passages = bars.passages.map { Passage($0, measures: measures) }
        unplayed = unplayedRanges(bars, measures)
    }

    /// The bars that the take does not have, as ranges of printed numbers that rise by one.
    private func unplayedRanges(_ bars: TakeBars, _ measures: MeasureMap) -> [UnplayedRange] {
        let heard = Set(passages.flatMap { $0.bars.map(\.printed) })
        var ranges: [UnplayedRange] = []
        for played in bars.unplayed(of: measures.marks.count).joined() {
            let printed = measures.marks[played].printed
            let isRepeat = heard.contains(printed)
            if let last = ranges.last, last.last == played - 1, last.printedLast == printed - 1,
                last.isRepeat == isRepeat
            {
                (ranges[ranges.count - 1].last, ranges[ranges.count - 1].printedLast) = (played, printed)
            } else {
                ranges.append(
                    UnplayedRange(
                        first: played, last: played, printedFirst: printed, printedLast: printed,
                        isRepeat: isRepeat))
            }
        }
        return ranges
    }
}

extension TakeReportJSON.Passage {
    fileprivate init(_ bars: [TakeBar], measures: MeasureMap) {
        let last = bars[bars.count - 1]
        let timings = BarTiming.judge(
            bars.map(\.aligned), end: (last.end, measures.onset(after: last.aligned.played).seconds))
        self.bars = zip(timings, bars).map { timing, bar in
            TakeReportJSON.Bar(timing, bar, printed: measures.marks[timing.played].printed)
        }
        end = roundedToThousandths(
            last.aligned.seconds + (last.end - last.aligned.seconds) * last.played.upperBound)
        let tempos = self.bars.compactMap(\.tempo).sorted()
        tempo = tempos.isEmpty ? nil : tempos[tempos.count / 2]
    }
}

extension BarDoubt {
    /// The reason as a part of a sentence.
    var words: String {
        switch self {
        case .ambiguous: "the sound fits other moments as well"
        case .unlike: "it sounds unlike the piece here"
        case .improbableTempo: "there was a stop, or a part is missing"
        case .afterJump: "you began here"
        case .fewNeighbours: "too few bars beside it are certain"
        }
    }
}

extension TakeReportJSON.Bar {
    fileprivate init(_ timing: BarTiming, _ bar: TakeBar, printed: Int) {
        played = timing.played
        self.printed = printed
        seconds = roundedToThousandths(timing.seconds)
        // The tempo of a bar that was not played to its end is a guess.
        tempo = bar.played == 0...1 ? timing.tempo.map(roundedToThousandths) : nil
        lateness = timing.lateness.map(roundedToThousandths)
        playedFrom = bar.played.lowerBound > 0 ? roundedToThousandths(bar.played.lowerBound) : nil
        playedTo = bar.played.upperBound < 1 ? roundedToThousandths(bar.played.upperBound) : nil
        reason = timing.doubt?.words
        verdict =
            switch timing.lateness {
            case nil: "unknown"
            case let late? where late >= BarTiming.leastLateness: "late"
            case let late? where late <= -BarTiming.leastLateness: "early"
            default: "steady"
            }
    }
}
