import Following
import Foundation
import Listening
import Score
import Sound

/// The bars of one performance with made trouble, as the follower followed them.
struct TroubleTrial {
    /// A bar that the follower should have shown.
    struct JudgedBar: Equatable {
        /// The place among the bars of the piece, counted from 0.
        var played: Int
        /// The shares of the bar's time with the right bar, and with another bar; the rest is without a trusted position.
        var rightShare, wrongShare: Double
        /// The printed number of the bar that was shown longest in its place; nil if there was none.
        var shownInstead: Int?
    }

    let trouble: MadeTrouble
    let bars: [JudgedBar]

    /// The seconds after the beginning or a leap in which nobody expects the right bar.
    private static let finding = 6.0
    /// The display may be as early or late as this at a bar line, in seconds, or a third of the bar.
    private static let lateness = 0.3
    private static let leastConfidence = 0.5

    /// Follows a performance.
    /// - Parameters:
    ///   - model: without the recording that is played, if there is another one.
    ///   - meanSquare: the power of the recording.
    ///   - report: called with the finished share, 0…1; returns false to give up.
    /// - Returns: nil if it was given up.
    init?(
        _ performance: TroubledPerformance, of reader: SoundFileReader, meanSquare: Double,
        model: ReferenceModel,
        report: (Double) -> Bool
    ) throws(SoundFileError) {
        trouble = performance.trouble
        var judge = BarJudge(bars: performance.bars, measures: model.measures)
        let isWhole = try performance.follow(reader, meanSquare: meanSquare, model: model, report: report) {
            judge.add($0)
        }
        guard isWhole else { return nil }
        bars = judge.judged
    }

    /// Compares the reports of a follower with the bars that are played.
    struct BarJudge {
        private let bars: [TroubledPerformance.PlayedBar]
        private let measures: MeasureMap
        private var current = 0
        private var counts: (all: Int, right: Int, wrong: Int) = (0, 0, 0)
        private var shown: [Int: Int] = [:]
        private var finished: [JudgedBar] = []

        init(bars: [TroubledPerformance.PlayedBar], measures: MeasureMap) {
            (self.bars, self.measures) = (bars, measures)
        }

        /// Takes the next report, in order of time.
        mutating func add(_ report: PositionReport) {
            let time = report.liveTime.seconds
            while current < bars.count, bars[current].to <= time {
                finishBar()
                current += 1
            }
            guard current < bars.count else { return }
            let bar = bars[current]
            let margin = min(lateness, (bar.to - bar.from) / 3)
            guard bar.from + margin <= time, time <= bar.to - margin,
                bar.sinceLeap + time - bar.from >= finding
            else { return }
            counts.all += 1
            guard report.state == .following, report.confidence >= leastConfidence,
                let number = report.printedMeasure
            else { return }
            if number == measures.marks[bar.played].printed {
                counts.right += 1
            } else {
                counts.wrong += 1
                shown[number, default: 0] += 1
            }
        }

        private mutating func finishBar() {
            defer { (counts, shown) = ((0, 0, 0), [:]) }
            guard counts.all > 0 else { return }
            finished.append(
                JudgedBar(
                    played: bars[current].played, rightShare: Double(counts.right) / Double(counts.all),
                    wrongShare: Double(counts.wrong) / Double(counts.all),
                    shownInstead: shown.max { ($0.value, $1.key) < ($1.value, $0.key) }?.key))
        }

        /// The bars that have ended. A bar of which nothing was judged is left out.
        var judged: [JudgedBar] { finished }
    }
}

extension TroubledPerformance {
    /// Follows the performance.
    /// - Parameters:
    ///   - model: without the recording that is played, if there is another one.
    ///   - meanSquare: the power of the recording.
    ///   - report: called with the finished share, 0…1; returns false to give up.
    ///   - take: gets each report of the follower.
    /// - Returns: false if it was given up.
    func follow(
        _ reader: SoundFileReader, meanSquare: Double, model: ReferenceModel, report: (Double) -> Bool,
        _ take: (PositionReport) -> Void
    ) throws(SoundFileError) -> Bool {
        let follower = PieceFollower(
            referenceModel: model, rate: reader.sampleRate, transforms: FFTWSpectrumMaker())
        let length = bars.last?.to ?? 0
        var (hops, goesOn) = (0, true)
        try play(reader, meanSquare: meanSquare) { samples in
            follower.hearSamples(samples) {
                take($0)
                hops += 1
                if hops % 256 == 0 { goesOn = goesOn && report(min($0.liveTime.seconds / max(length, 1), 1)) }
            }
            return goesOn
        }
        return goesOn
    }
}
