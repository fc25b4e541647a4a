import MusicalTime
import Score

/// Reconstructs from the follower's reports what was played: the takes, and the time spent in each measure.
struct PlayedTakes {
    /// A step back of the music, from one printed measure to another.
    struct StepBack {
        var at: RoomTime
        var movement: Int
        var from: Int
        var to: Int
    }

    /// A position in the reference at a live instant, both in seconds.
    private struct PositionSample {
        var live: Double
        var reference: Double
    }

    /// A stretch of music without a jump; its positions never decrease.
    private struct Take {
        var movement: Int
        var marks: [PositionSample]
    }

    /// One complete playing of a measure, with its durations in seconds.
    private struct Bar {
        var reference: Double
        var live: Double
        var deviation: Double?
    }

    /// Live seconds spent in each played measure of each movement, over all takes.
    private(set) var seconds: [[Double]]
    private(set) var retakes: [StepBack] = []
    private(set) var playedSeconds = 0.0
    private(set) var lostSeconds = 0.0
    private var whole: [[[Bar]]]
    private let measures: [MeasureMap?]

    /// Seconds after which a report no longer counts; the follower's heartbeat comes every five.
    private static let longestSilence = 6.5
    /// Seconds of reference by which the music must go back to be more than a correction.
    private static let back = 1.0
    /// Number of neighbours on either side with whose tempo a bar is compared, and the least total number.
    private static let neighbours = 4
    private static let fewest = 3

    init(_ words: [LoggedLiveUpdate], measures: [MeasureMap?], end: RoomTime) {
        self.measures = measures
        seconds = measures.map { Array(repeating: 0, count: $0?.marks.count ?? 0) }
        whole = measures.map { Array(repeating: [], count: $0?.marks.count ?? 0) }
        var take: Take?
        var last: (word: LiveUpdate, reference: Double)?
        for (index, heard) in words.enumerated() {
            let next = index + 1 < words.count ? words[index + 1].at : end
            let lasts = min(max(next.seconds(since: heard.at), 0), Self.longestSilence)
            if heard.word.trust == .lost { lostSeconds += lasts }
            let live = Double(heard.at.milliseconds) / 1_000
            guard let reference = reference(of: heard.word) else {
                close(&take, at: live)
                continue
            }
            if let last { note(heard, reference, after: last) }
            last = (heard.word, reference)
            playedSeconds += lasts
            let isOn =
                take.map {
                    $0.movement == heard.word.movement && !heard.word.jumped
                        && reference >= $0.marks.last!.reference
                        && live - $0.marks.last!.live <= Self.longestSilence
                } ?? false
            if !isOn {
                close(&take, at: live)
                take = Take(movement: heard.word.movement, marks: [])
            }
            take?.marks.append(PositionSample(live: live, reference: reference))
        }
        close(&take, at: Double(end.milliseconds) / 1_000)
    }

    /// The position of a report in seconds of reference; nil if it is not trusted.
    private func reference(of word: LiveUpdate) -> Double? {
        guard word.trust == .playing || word.trust == .coasting, let position = word.position,
            let map = map(word.movement)
        else { return nil }
        return map.time(of: position).seconds
    }

    private func map(_ movement: Int) -> MeasureMap? {
        measures.indices.contains(movement) ? measures[movement] : nil
    }

    private mutating func note(
        _ heard: LoggedLiveUpdate, _ reference: Double, after last: (word: LiveUpdate, reference: Double)
    ) {
        guard heard.word.movement == last.word.movement, reference < last.reference - Self.back,
            let map = map(heard.word.movement)
        else { return }
        func printed(_ seconds: Double) -> Int {
            map.marks[map.position(at: ReferenceTime(seconds: seconds)).played].printed
        }
        retakes.append(
            StepBack(
                at: heard.at, movement: heard.word.movement, from: printed(last.reference),
                to: printed(reference)))
    }

    /// Adds up what a take played.
    /// - Parameter end: the live time of the report that ended it, in seconds.
    private mutating func close(_ take: inout Take?, at end: Double) {
        defer { take = nil }
        guard let done = take, let map = map(done.movement), let last = done.marks.last else { return }
        for (one, next) in zip(done.marks, done.marks.dropFirst()) { count(one, next, map, done.movement) }
        let played = map.position(at: ReferenceTime(seconds: last.reference)).played
        seconds[done.movement][played] += min(max(end - last.live, 0), Self.longestSilence)
        judge(done, map)
    }

    /// Divides the time between two reports among the measures between them.
    private mutating func count(
        _ one: PositionSample, _ next: PositionSample, _ map: MeasureMap, _ movement: Int
    ) {
        let time = max(next.live - one.live, 0)
        let first = map.position(at: ReferenceTime(seconds: one.reference)).played
        let last = map.position(at: ReferenceTime(seconds: next.reference)).played
        let length = next.reference - one.reference
        guard first < last, length > 0 else {
            seconds[movement][first] += time
            return
        }
        for played in first...last {
            let from = max(map.marks[played].onset.seconds, one.reference)
            let to = min(map.onset(after: played).seconds, next.reference)
            seconds[movement][played] += time * max(to - from, 0) / length
        }
    }

    /// Compares every complete bar of a take with the tempo of its neighbours.
    private mutating func judge(_ take: Take, _ map: MeasureMap) {
        guard let first = take.marks.first, let last = take.marks.last else { return }
        var bars: [(played: Int, bar: Bar)] = []
        var mark = 0
        func live(at reference: Double) -> Double {
            while mark + 2 < take.marks.count, take.marks[mark + 1].reference < reference { mark += 1 }
            let one = take.marks[mark]
            let next = take.marks[min(mark + 1, take.marks.count - 1)]
            guard next.reference > one.reference else { return next.live }
            return one.live + (reference - one.reference) / (next.reference - one.reference)
                * (next.live - one.live)
        }
        let start = map.position(at: ReferenceTime(seconds: first.reference)).played
        for played in start..<map.marks.count {
            let from = map.marks[played].onset.seconds
            let to = map.onset(after: played).seconds
            guard from >= first.reference - 0.05 else { continue }
            guard to <= last.reference + 0.05 else { break }
            let began = live(at: max(from, first.reference))
            bars.append((played, Bar(reference: to - from, live: live(at: min(to, last.reference)) - began)))
        }
        for (index, one) in bars.enumerated() where one.bar.live > 0 {
            var bar = one.bar
            let near = max(0, index - Self.neighbours)...min(bars.count - 1, index + Self.neighbours)
            let tempos = near.filter { $0 != index && bars[$0].bar.live > 0 }
                .map { bars[$0].bar.reference / bars[$0].bar.live }.sorted()
            if tempos.count >= Self.fewest {
                let middle = (tempos[(tempos.count - 1) / 2] + tempos[tempos.count / 2]) / 2
                bar.deviation = bar.live - bar.reference / middle
            }
            whole[take.movement][one.played].append(bar)
        }
    }

    var wholeBars: (reference: Double, live: Double) {
        whole.joined().joined().reduce((0, 0)) { ($0.0 + $1.reference, $0.1 + $1.live) }
    }

    var bars: [SessionReport.BarReport] {
        var reports: [SessionReport.BarReport] = []
        for (movement, all) in whole.enumerated() {
            for (played, times) in all.enumerated() where !times.isEmpty {
                let live = times.reduce(0) { $0 + $1.live }
                let deviations = times.compactMap(\.deviation)
                reports.append(
                    SessionReport.BarReport(
                        movement: movement, played: played,
                        printed: measures[movement]!.marks[played].printed, times: times.count,
                        tempo: times.reduce(0) { $0 + $1.reference } / live,
                        deviationSeconds: deviations.isEmpty
                            ? nil : deviations.reduce(0, +) / Double(deviations.count),
                        worstSeconds: deviations.max { abs($0) < abs($1) }))
            }
        }
        return reports
    }
}
