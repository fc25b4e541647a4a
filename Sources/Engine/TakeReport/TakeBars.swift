import Alignment
import Basics
import Score

/// A bar that a take plays, with the part of it that was played.
struct TakeBar: Equatable, Sendable {
    var aligned: AlignedBar
    /// The end of the bar in seconds of the take, whether the player reached it or not.
    var end: Double
    /// The part of the bar that was played, 0…1: less than all of it if the player began or stopped within it.
    var played = 0.0...1.0
}

/// The bars of a take, as far as they were played. An alignment ends with whole bars and may follow noise for a while;
/// here the bars at the edges of a passage are left out if their sound is unlike them.
struct TakeBars: Sendable {
    /// The bars that were played one after the other.
    private(set) var passages: [[TakeBar]] = []

    /// The number of slices of a bar; fewer if they would be shorter than ``leastSliceSeconds``.
    private static let slices = 8
    private static let leastSliceSeconds = 0.15
    /// The smallest share of a bar that must be heard: with less, the bar was not played.
    private static let leastShare = 0.2
    /// The share of a bar from which it counts as played to its end: the last note of a bar often ends early.
    private static let wholeShare = 0.8
    /// The share of the bar after the alignment's last one that must be heard for it to count as begun.
    private static let begunShare = 0.4
    /// The number of bars at which the distance from other bars of the piece is measured.
    private static let mostSamples = 64
    /// The distances, in bars, from a bar to the others with which it is compared.
    private static let otherBars = [2, 3, 5]

    /// - Parameters:
    ///   - found: the alignment of the whole take.
    ///   - measures: those of the piece.
    /// - Complexity: O(bars × frames of a bar).
    init(_ found: OfflineScoreAlignment, measures: MeasureMap, likeness: TakeLikeness) {
        var first = 0
        var passages: [[TakeBar]] = []
        for passage in found.passages {
            let range = first..<first + passage.played.count
            first = range.upperBound
            passages.append(
                range.map { index in
                    let bar = found.measures[index]
                    let end =
                        index + 1 < found.measures.count
                        ? found.measures[index + 1].seconds : found.endSeconds
                    return TakeBar(
                        aligned: AlignedBar(
                            played: bar.played, seconds: bar.seconds,
                            referenceSeconds: measures.marks[bar.played].onset.seconds, doubt: BarDoubt(bar)),
                        end: max(end, bar.seconds))
                })
        }
        let scale = Self.scale(passages, measures, likeness)
        for (index, passage) in passages.enumerated() {
            // A passage ends where the next one begins.
            let limit = index + 1 < passages.count ? passages[index + 1][0].aligned.seconds : Double.infinity
            let edges = PassageEdges(measures: measures, likeness: likeness, limit: scale, latestEnd: limit)
            let played = edges.played(passage)
            if !played.isEmpty { self.passages.append(played) }
        }
    }

    /// The bars of the piece that no passage has, in order.
    func unplayed(of count: Int) -> [Range<Int>] {
        let played = Set(passages.joined().map { $0.aligned.played })
        var runs: [Range<Int>] = []
        for bar in 0..<count where !played.contains(bar) {
            if let last = runs.last, last.upperBound == bar {
                runs[runs.count - 1] = last.lowerBound..<bar + 1
            } else {
                runs.append(bar..<bar + 1)
            }
        }
        return runs
    }

    /// The distance from which on sound is unlike a bar: halfway between the distance of the take's bars from
    /// themselves and from other bars of the piece, because instruments and rooms differ.
    private static func scale(_ passages: [[TakeBar]], _ measures: MeasureMap, _ likeness: TakeLikeness)
        -> Double
    {
        let all = passages.flatMap { $0 }
        let step = max(all.count / mostSamples, 1)
        var own: [Double] = []
        var other: [Double] = []
        for index in stride(from: 0, to: all.count, by: step)
        where all[index].end > all[index].aligned.seconds {
            let bar = all[index]
            let sound = bar.aligned.seconds..<bar.end
            own.append(likeness.distance(sound, from: measures.range(of: bar.aligned.played)))
            for away in otherBars {
                let played = (bar.aligned.played + away) % measures.marks.count
                guard played != bar.aligned.played else { continue }
                other.append(likeness.distance(sound, from: measures.range(of: played)))
            }
        }
        guard !own.isEmpty, !other.isEmpty else { return 0.5 }
        return (own.sorted()[own.count / 2] + other.sorted()[other.count / 2]) / 2
    }

    /// Finds the part of a passage that was played.
    private struct PassageEdges {
        let measures: MeasureMap
        let likeness: TakeLikeness
        /// The distance from which on sound is unlike a bar.
        let limit: Double
        let latestEnd: Double

        func played(_ whole: [TakeBar]) -> [TakeBar] {
            let tempo = usualTempo(of: whole)
            var bars = whole
            while var last = bars.popLast() {
                last.end = likelyEnd(of: last, tempo: tempo)
                let heard = likeSlices(of: last)
                guard let end = heard.lastIndex(of: true) else { continue }
                let share = Double(end + 1) / Double(heard.count)
                guard share >= leastShare else { continue }
                if share < wholeShare { last.played = 0...share }
                bars.append(last)
                break
            }
            if let last = bars.last, last.played.upperBound == 1 {
                bars += begunBars(after: last, tempo: tempo)
            }
            while var first = bars.first {
                bars.removeFirst()
                let heard = likeSlices(of: first)
                guard let begin = heard.firstIndex(of: true) else { continue }
                let share = Double(begin) / Double(heard.count)
                guard 1 - share >= leastShare else { continue }
                if 1 - share < wholeShare, share < first.played.upperBound {
                    first.played = share...first.played.upperBound
                    // The bar line itself was not heard.
                    first.aligned.doubt = first.aligned.doubt ?? .afterJump
                }
                bars.insert(first, at: 0)
                break
            }
            return bars
        }

        /// The bar in which the player stopped, if the alignment, which ends with whole bars, left it out.
        private func begunBars(after last: TakeBar, tempo: Double?) -> [TakeBar] {
            let played = last.aligned.played + 1
            guard let tempo, tempo > 0, measures.marks.indices.contains(played) else { return [] }
            let written = measures.range(of: played)
            let end = min(last.end + written.length / tempo, latestEnd)
            guard end > last.end else { return [] }
            var bar = TakeBar(
                aligned: AlignedBar(
                    played: played, seconds: last.end, referenceSeconds: written.lowerBound,
                    doubt: .fewNeighbours),
                end: end)
            let heard = likeSlices(of: bar)
            let share = Double(heard.prefix { $0 }.count) / Double(max(heard.count, 1))
            guard share >= begunShare else { return [] }
            if share < wholeShare { bar.played = 0...share }
            return [bar]
        }

        /// The tempo of a passage as a multiple of the reference's, without its edges if it is long enough.
        private func usualTempo(of bars: [TakeBar]) -> Double? {
            let inner = bars.count > 3 ? Array(bars[1..<bars.count - 2]) : Array(bars.dropLast())
            let tempi = inner.compactMap { bar -> Double? in
                let length = bar.end - bar.aligned.seconds
                return length > 0.05 ? measures.range(of: bar.aligned.played).length / length : nil
            }.sorted()
            return tempi.isEmpty ? nil : tempi[tempi.count / 2]
        }

        /// The end of a passage's last bar, in seconds of the take. Two ends are compared with the bar's own sound:
        /// that of the alignment, and that of the usual tempo. If the player stopped, only the second one is right.
        private func likelyEnd(of bar: TakeBar, tempo: Double?) -> Double {
            let found = bar.end
            guard let tempo, tempo > 0 else { return found }
            let written = measures.range(of: bar.aligned.played)
            let start = bar.aligned.seconds
            let expected = min(start + written.length / tempo, latestEnd)
            guard expected > start else { return found }
            guard found > start else { return expected }
            let (one, other) = (
                likeness.distance(start..<found, from: written),
                likeness.distance(start..<expected, from: written)
            )
            // Nobody plays the last bar much faster; but it may be held.
            let isHurried = found - start < 0.8 * (expected - start)
            return isHurried || other < one ? expected : found
        }

        /// One value for each slice of a bar: true if the take sounds like it there.
        private func likeSlices(of bar: TakeBar) -> [Bool] {
            let length = bar.end - bar.aligned.seconds
            guard length > 0 else { return [] }
            let written = measures.range(of: bar.aligned.played)
            let count = max(min(TakeBars.slices, Int(length / TakeBars.leastSliceSeconds)), 1)
            return (0..<count).map { slice in
                func part(_ range: Range<Double>) -> Range<Double> {
                    let width = range.length / Double(count)
                    return range.lowerBound + width * Double(slice)..<range.lowerBound + width
                        * Double(slice + 1)
                }
                return likeness.distance(part(bar.aligned.seconds..<bar.end), from: part(written)) < limit
            }
        }
    }
}

extension MeasureMap {
    /// The seconds of the reference from the onset of a played measure to its end.
    fileprivate func range(of played: Int) -> Range<Double> {
        marks[played].onset.seconds..<onset(after: played).seconds
    }
}

extension Range<Double> {
    fileprivate var length: Double { upperBound - lowerBound }
}

extension BarDoubt {
    /// The first reason to doubt an aligned bar; nil if there is none.
    fileprivate init?(_ bar: OfflineScoreAlignment.Measure) {
        guard bar.doubt >= OfflineScoreAlignment.doubtfulFrom else { return nil }
        if bar.reasons == .afterLeap {
            self = .afterJump
        } else if bar.reasons.contains(.recordingsDiffer) {
            self = .unlike
        } else if bar.reasons.contains(.improbableTempo) {
            self = .improbableTempo
        } else {
            self = .ambiguous
        }
    }
}
