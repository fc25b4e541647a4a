import Alignment

/// Measures of a piece that were played one after the other, with their times on the evening's axis.
struct PlayedPassage: Equatable, Sendable {
    /// Indices of played measures of the reference.
    var played: Range<Int>
    /// The onset of each measure, in seconds of the evening.
    var onsets: [Double]
    var end: Double
    /// The number of measures with a doubtful time.
    var doubtfulCount = 0

    /// The time from the onset of a measure to the onset of another, or to the end.
    func time(of measures: Range<Int>) -> Range<Double> {
        let from = onsets[measures.lowerBound - played.lowerBound]
        let to =
            measures.upperBound == played.upperBound ? end : onsets[measures.upperBound - played.lowerBound]
        return from..<max(from, to)
    }
}

/// Finds the passages of a piece in the alignment of an evening's sound.
struct PassageFinder {
    /// Seconds of the reference at which the measures begin, and the end of the last one.
    let boundaries: [Double]

    /// A passage of fewer measures is taken for chance.
    static let fewestMeasures = 2
    /// A measure that lasts this many times longer than it should, and at least ``leastPause`` seconds more, holds a
    /// pause.
    static let pauseRatio = 3.0
    static let leastPause = 8.0
    /// Measures that were not recognised in continuous sound are taken to have been played if they are at most so many,
    /// and their time fits.
    static let mostUnheard = 4

    private func length(_ measures: Range<Int>) -> Double {
        boundaries[measures.upperBound] - boundaries[measures.lowerBound]
    }

    /// - Parameter start: the time of the alignment's first frame, in seconds of the evening.
    func passages(of found: OfflineScoreAlignment, from start: Double) -> [PlayedPassage] {
        var passages: [PlayedPassage] = []
        for (index, measure) in found.measures.enumerated() {
            let onset = start + measure.seconds
            let doubt = measure.doubt >= OfflineScoreAlignment.doubtfulFrom ? 1 : 0
            let expected = length(measure.played..<measure.played + 1) / found.tempoRatio
            let isLast = index + 1 == found.measures.count
            let next = start + (isLast ? found.endSeconds : found.measures[index + 1].seconds)
            let end = isPause(next - onset, expected) ? onset + expected : next
            if let last = passages.last, last.played.upperBound == measure.played, last.end == onset {
                passages[passages.count - 1].played = last.played.lowerBound..<measure.played + 1
                passages[passages.count - 1].onsets.append(onset)
                passages[passages.count - 1].end = end
                passages[passages.count - 1].doubtfulCount += doubt
            } else {
                passages.append(
                    PlayedPassage(
                        played: measure.played..<measure.played + 1, onsets: [onset], end: end,
                        doubtfulCount: doubt))
            }
        }
        return joiningUnheard(passages).filter { $0.played.count >= Self.fewestMeasures }
    }

    private func isPause(_ seconds: Double, _ expected: Double) -> Bool {
        seconds > expected * Self.pauseRatio && seconds > expected + Self.leastPause
    }

    /// Joins passages between which a few measures were not recognised, because of noise or a gap of the recording.
    private func joiningUnheard(_ passages: [PlayedPassage]) -> [PlayedPassage] {
        var joined: [PlayedPassage] = []
        for passage in passages {
            guard let last = joined.last, passage.played.lowerBound >= last.played.upperBound,
                passage.played.lowerBound - last.played.upperBound <= Self.mostUnheard
            else {
                joined.append(passage)
                continue
            }
            let unheard = last.played.upperBound..<passage.played.lowerBound
            // The last measure before them may have been cut short, so its own time is compared too.
            let around = last.played.upperBound - 1..<passage.played.lowerBound
            let seconds = passage.onsets[0] - (last.onsets.last ?? last.end)
            let expected = length(around) * tempo(of: last, passage)
            guard seconds > expected / 2, !isPause(seconds, expected) else {
                joined.append(passage)
                continue
            }
            var whole = last
            let step = (passage.onsets[0] - (last.onsets.last ?? last.end)) / length(around)
            whole.onsets += unheard.map {
                (last.onsets.last ?? last.end) + length(around.lowerBound..<$0) * step
            }
            whole.onsets += passage.onsets
            whole.played = last.played.lowerBound..<passage.played.upperBound
            whole.end = passage.end
            whole.doubtfulCount += unheard.count + passage.doubtfulCount
            joined[joined.count - 1] = whole
        }
        return joined
    }

    /// Seconds of the evening for each second of the reference.
    private func tempo(of passages: PlayedPassage...) -> Double {
        let live = passages.reduce(0) { $0 + $1.end - $1.onsets[0] }
        let reference = passages.reduce(0) { $0 + length($1.played) }
        return reference > 0 ? live / reference : 1
    }
}

/// A whole performance of a piece, in one run or taken together from several passages of a rehearsal.
struct WholeRun: Equatable, Sendable {
    struct Segment: Equatable, Sendable {
        /// Indices of played measures of the reference.
        var played: Range<Int>
        /// Seconds of the evening.
        var time: Range<Double>
    }

    /// In the order of the music.
    var segments: [Segment]
    var doubtfulCount: Int
    /// The number of times that the piece was played in one run.
    var completeCount: Int

    enum Finding: Equatable, Sendable {
        case whole(WholeRun)
        /// The measures that no passage holds, as ranges of played measures.
        case incomplete(missing: [Range<Int>])
    }

    /// Chooses the run with the fewest doubtful measures, the latest of several. If nobody played the piece in one run,
    /// takes as few passages as possible together.
    /// - Parameter count: the number of played measures of the piece.
    static func find(in passages: [PlayedPassage], count: Int) -> Finding {
        let complete = passages.filter { $0.played == 0..<count }
        if let best = complete.min(by: {
            ($0.doubtfulCount, -$0.onsets[0]) < ($1.doubtfulCount, -$1.onsets[0])
        }) {
            return .whole(
                WholeRun(
                    segments: [Segment(played: best.played, time: best.time(of: best.played))],
                    doubtfulCount: best.doubtfulCount, completeCount: complete.count))
        }
        var missing: [Range<Int>] = []
        var chosen: [PlayedPassage] = []
        var reached = 0
        while reached < count {
            let next = passages.filter { $0.played.contains(reached) }.max {
                ($0.played.upperBound, $0.onsets[0]) < ($1.played.upperBound, $1.onsets[0])
            }
            if let next {
                chosen.append(next)
                reached = next.played.upperBound
            } else {
                let later = passages.map(\.played.lowerBound).filter { $0 > reached }.min() ?? count
                missing.append(reached..<later)
                reached = later
            }
        }
        guard missing.isEmpty else { return .incomplete(missing: missing) }
        // A passage is left where the next one begins: who stops in the middle of a bar goes back before it.
        let segments = chosen.enumerated().map { index, passage in
            let to = index + 1 < chosen.count ? chosen[index + 1].played.lowerBound : count
            let measures = passage.played.lowerBound..<to
            return Segment(played: measures, time: passage.time(of: measures))
        }
        return .whole(
            WholeRun(
                segments: segments,
                doubtfulCount: chosen.reduce(0) { $0 + $1.doubtfulCount }, completeCount: 0))
    }
}
