import Basics
import Score

/// Reconstructs from the follower's reports what was played: the takes, and the time spent in each measure.
struct PlayedTakes {
    /// A step back of the music, from one printed measure to another.
    struct StepBack {
        var at: CalendarTime
        var movement: Int
        var fromPrintedMeasure: Int
        var toPrintedMeasure: Int
    }

    /// A position in the reference at a live instant, both in seconds.
    private struct PositionSample {
        var liveSeconds: Double
        var referenceSeconds: Double
    }

    /// A stretch of music without a jump; its positions never decrease.
    private struct Take {
        var movement: Int
        var samples: [PositionSample]
    }

    /// One complete playing of a measure, with its durations in seconds.
    private struct CompleteBar {
        var referenceSeconds: Double
        var liveSeconds: Double
        var deviationSeconds: Double?
    }

    /// Live seconds spent in each played measure of each movement, over all takes.
    private(set) var secondsPerMeasure: [[Double]]
    private(set) var retakes: [StepBack] = []
    private(set) var playedSeconds = 0.0
    private(set) var lostSeconds = 0.0
    private var completeBars: [[[CompleteBar]]]
    private let measureMaps: [MeasureMap?]

    /// Seconds after which a report no longer counts. The follower sends a heartbeat every five seconds.
    private static let longestReportGapSeconds = 6.5
    /// A step back by more than this many seconds of reference counts as going back; a smaller one is a correction.
    private static let backwardJumpSeconds = 1.0
    /// The number of bars on either side with whose tempo a bar is compared.
    private static let neighboursPerSide = 4
    /// The least number of neighbouring bars, on both sides together, for a comparison.
    private static let fewestNeighbours = 3

    init(_ words: [LoggedLivePositionUpdate], measureMaps: [MeasureMap?], end: CalendarTime) {
        self.measureMaps = measureMaps
        secondsPerMeasure = measureMaps.map { Array(repeating: 0, count: $0?.marks.count ?? 0) }
        completeBars = measureMaps.map { Array(repeating: [], count: $0?.marks.count ?? 0) }
        var take: Take?
        var last: (word: LivePositionUpdate, reference: Double)?
        for (index, heard) in words.enumerated() {
            let next = index + 1 < words.count ? words[index + 1].at : end
            let lasts = min(max(next.seconds(since: heard.at), 0), Self.longestReportGapSeconds)
            if heard.word.trust == .lost { lostSeconds += lasts }
            let live = Double(heard.at.milliseconds) / 1_000
            guard let reference = referenceSeconds(of: heard.word) else {
                finishTake(&take, at: live)
                continue
            }
            if let last { recordRetake(heard, reference, after: last) }
            last = (heard.word, reference)
            playedSeconds += lasts
            let isOn =
                take.map {
                    $0.movement == heard.word.movement && !heard.word.jumped
                        && reference >= $0.samples.last!.referenceSeconds
                        && live - $0.samples.last!.liveSeconds <= Self.longestReportGapSeconds
                } ?? false
            if !isOn {
                finishTake(&take, at: live)
                take = Take(movement: heard.word.movement, samples: [])
            }
            take?.samples.append(PositionSample(liveSeconds: live, referenceSeconds: reference))
        }
        finishTake(&take, at: Double(end.milliseconds) / 1_000)
    }

    /// The position of a report in seconds of reference; nil if it is not trusted, or if somebody holds it.
    private func referenceSeconds(of word: LivePositionUpdate) -> Double? {
        guard word.trust == .playing || word.trust == .coasting, word.tempo > 0, let position = word.position,
            let map = measureMap(word.movement)
        else { return nil }
        return map.time(of: position).seconds
    }

    private func measureMap(_ movement: Int) -> MeasureMap? {
        measureMaps.indices.contains(movement) ? measureMaps[movement] : nil
    }

    private mutating func recordRetake(
        _ heard: LoggedLivePositionUpdate, _ reference: Double,
        after last: (word: LivePositionUpdate, reference: Double)
    ) {
        guard heard.word.movement == last.word.movement,
            reference < last.reference - Self.backwardJumpSeconds,
            let map = measureMap(heard.word.movement)
        else { return }
        func printed(_ seconds: Double) -> Int {
            map.marks[map.position(at: ReferenceTime(seconds: seconds)).played].printed
        }
        retakes.append(
            StepBack(
                at: heard.at, movement: heard.word.movement, fromPrintedMeasure: printed(last.reference),
                toPrintedMeasure: printed(reference)))
    }

    /// Ends a take: adds its time to the measures that it played, and compares its bars.
    /// - Parameter end: the live time of the report that ended the take, in seconds.
    private mutating func finishTake(_ take: inout Take?, at end: Double) {
        defer { take = nil }
        guard let done = take, let map = measureMap(done.movement), let last = done.samples.last else {
            return
        }
        for (one, next) in zip(done.samples, done.samples.dropFirst()) {
            divideTimeAmongMeasures(one, next, map, done.movement)
        }
        let played = map.position(at: ReferenceTime(seconds: last.referenceSeconds)).played
        secondsPerMeasure[done.movement][played] += min(
            max(end - last.liveSeconds, 0), Self.longestReportGapSeconds)
        recordCompleteBars(done, map)
    }

    /// Divides the time between two reports among the measures between them.
    private mutating func divideTimeAmongMeasures(
        _ one: PositionSample, _ next: PositionSample, _ map: MeasureMap, _ movement: Int
    ) {
        let time = max(next.liveSeconds - one.liveSeconds, 0)
        let first = map.position(at: ReferenceTime(seconds: one.referenceSeconds)).played
        let last = map.position(at: ReferenceTime(seconds: next.referenceSeconds)).played
        let length = next.referenceSeconds - one.referenceSeconds
        guard first < last, length > 0 else {
            secondsPerMeasure[movement][first] += time
            return
        }
        for played in first...last {
            let from = max(map.marks[played].onset.seconds, one.referenceSeconds)
            let to = min(map.onset(after: played).seconds, next.referenceSeconds)
            secondsPerMeasure[movement][played] += time * max(to - from, 0) / length
        }
    }

    /// Records every complete bar, with its deviation from its neighbours' tempo.
    private mutating func recordCompleteBars(_ take: Take, _ map: MeasureMap) {
        guard let first = take.samples.first, let last = take.samples.last else { return }
        var bars: [(played: Int, bar: CompleteBar)] = []
        var mark = 0
        func live(at reference: Double) -> Double {
            while mark + 2 < take.samples.count, take.samples[mark + 1].referenceSeconds < reference {
                mark += 1
            }
            let one = take.samples[mark]
            let next = take.samples[min(mark + 1, take.samples.count - 1)]
            guard next.referenceSeconds > one.referenceSeconds else { return next.liveSeconds }
            return one.liveSeconds + (reference - one.referenceSeconds)
                / (next.referenceSeconds - one.referenceSeconds)
                * (next.liveSeconds - one.liveSeconds)
        }
        let start = map.position(at: ReferenceTime(seconds: first.referenceSeconds)).played
        for played in start..<map.marks.count {
            let from = map.marks[played].onset.seconds
            let to = map.onset(after: played).seconds
            guard from >= first.referenceSeconds - 0.05 else { continue }
            guard to <= last.referenceSeconds + 0.05 else { break }
            let began = live(at: max(from, first.referenceSeconds))
            bars.append(
                (
                    played,
                    CompleteBar(
                        referenceSeconds: to - from,
                        liveSeconds: live(at: min(to, last.referenceSeconds)) - began)
                ))
        }
        for (index, one) in bars.enumerated() where one.bar.liveSeconds > 0 {
            var bar = one.bar
            let near =
                max(0, index - Self.neighboursPerSide)...min(bars.count - 1, index + Self.neighboursPerSide)
            let tempos = near.filter { $0 != index && bars[$0].bar.liveSeconds > 0 }
                .map { bars[$0].bar.referenceSeconds / bars[$0].bar.liveSeconds }.sorted()
            if tempos.count >= Self.fewestNeighbours {
                let middle = (tempos[(tempos.count - 1) / 2] + tempos[tempos.count / 2]) / 2
                bar.deviationSeconds = bar.liveSeconds - bar.referenceSeconds / middle
            }
            completeBars[take.movement][one.played].append(bar)
        }
    }

    var totalBarSeconds: (reference: Double, live: Double) {
        completeBars.joined().joined().reduce((0, 0)) { ($0.0 + $1.referenceSeconds, $0.1 + $1.liveSeconds) }
    }

    var measureStatistics: [SessionReport.MeasurePlayingStatistics] {
        var reports: [SessionReport.MeasurePlayingStatistics] = []
        for (movement, all) in completeBars.enumerated() {
            for (played, times) in all.enumerated() where !times.isEmpty {
                let live = times.reduce(0) { $0 + $1.liveSeconds }
                let deviations = times.compactMap(\.deviationSeconds)
                reports.append(
                    SessionReport.MeasurePlayingStatistics(
                        movement: movement, played: played,
                        printed: measureMaps[movement]!.marks[played].printed, times: times.count,
                        tempo: times.reduce(0) { $0 + $1.referenceSeconds } / live,
                        deviationSeconds: deviations.isEmpty
                            ? nil : deviations.reduce(0, +) / Double(deviations.count),
                        worstSeconds: deviations.max { abs($0) < abs($1) }))
            }
        }
        return reports
    }
}
