import Basics
import Score

/// The report on a take as pages show it. All times are in seconds, rounded to thousandths.
public struct ReportOnTake: Equatable, Sendable {
    public struct Bar: Equatable, Sendable {
        /// The played bar of the piece, counted from 0.
        public var played: Int
        public var printed: Int
        /// The onset in the take.
        public var seconds: Double
        /// The tempo as a multiple of the reference's; nil if it cannot be judged.
        public var tempo: Double?
        /// Seconds late, or early if negative; nil if that cannot be judged.
        public var lateness: Double?
        /// `early`, `late`, `steady`, or `unknown`.
        public var verdict: String
        /// The reason why it is unknown.
        public var reason: String?
        /// The part of the bar, 0…1, at which the player began or stopped within it; nil for a bar line.
        public var playedFrom: Double?
        public var playedTo: Double?
    }

    /// Bars that were played one after the other.
    public struct Passage: Equatable, Sendable {
        public var bars: [Bar]
        /// The end of the last bar in the take.
        public var end: Double
        /// The median of the bars' tempo; nil if none is certain.
        public var tempo: Double?
    }

    /// Bars that were not played.
    public struct UnplayedRange: Equatable, Sendable {
        /// Played bars of the piece, counted from 0.
        public var first: Int
        public var last: Int
        public var printedFirst: Int
        public var printedLast: Int
        /// True if the same printed bars were played at another time, so that only a repeat is left out.
        public var isRepeat: Bool
    }

    /// The sentence why there is no report; nil if there is one.
    public var refusal: String?
    public var passages: [Passage] = []
    /// The bars of the piece that were not played. They do not count.
    public var unplayed: [UnplayedRange] = []
    /// The sentence on the piece with which the take is compared; nil if it is the one that was played.
    public var pieceNote: String?
    /// The semitones by which the take sounds higher than the piece. Its notes are judged as if it were tuned like it.
    public var semitonesHigher = 0
    /// A text for each played bar of the piece, which is the same in every version in which the bar has the same notes.
    /// Empty if the notes are not known.
    public var barKeys: [String] = []
    /// The sentence why the notes are not judged; nil if they are.
    public var notesRefusal: String?
    /// The number of notes that were right.
    public var rightNotes = 0
    /// The mistakes and the extra notes, in the order of the take.
    public var notes: [NoteFinding] = []
    /// The numbers of notes that were not judged, by the reason.
    public var unknownNotes: [NoteDoubt: Int] = [:]
    /// Notes before the player began and after the player stopped within a bar. They do not count.
    public var unplayedNotes = 0

    public init(refusal: String) { self.refusal = refusal }

    init(_ bars: TakeBars, measures: MeasureMap) {
        passages = bars.passages.map { Passage($0, measures: measures) }
        unplayed = unplayedRanges(bars, measures)
    }

    /// The bars that the take does not have, as ranges of printed numbers that rise by one.
    private func unplayedRanges(_ bars: TakeBars, _ measures: MeasureMap) -> [UnplayedRange] {
        let heard = Set(passages.flatMap { $0.bars.map { $0.printed } })
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

extension ReportOnTake.Passage {
    fileprivate init(_ bars: [TakeBar], measures: MeasureMap) {
        let last = bars[bars.count - 1]
        let timings = BarTiming.judge(
            bars.map { $0.aligned }, end: (last.end, measures.onset(after: last.aligned.played).seconds))
        self.bars = zip(timings, bars).map { timing, bar in
            ReportOnTake.Bar(timing, bar, printed: measures.marks[timing.played].printed)
        }
        end = inThousandths(
            last.aligned.seconds + (last.end - last.aligned.seconds) * last.played.upperBound)
        let tempos = self.bars.compactMap { $0.tempo }.sorted()
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

extension ReportOnTake.Bar {
    fileprivate init(_ timing: BarTiming, _ bar: TakeBar, printed: Int) {
        played = timing.played
        self.printed = printed
        seconds = inThousandths(timing.seconds)
        // The tempo of a bar that was not played to its end is a guess.
        tempo = bar.played == 0...1 ? timing.tempo.map(inThousandths) : nil
        lateness = timing.lateness.map(inThousandths)
        playedFrom = bar.played.lowerBound > 0 ? inThousandths(bar.played.lowerBound) : nil
        playedTo = bar.played.upperBound < 1 ? inThousandths(bar.played.upperBound) : nil
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
