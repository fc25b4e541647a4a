import Basics
import Score
import Testing

@testable import Accuracy

/// The scorer's own checks: followers whose figures are known beforehand.
@Suite struct ScorerDefinitionTests {
    let count = 60
    let truth: GroundTruth
    let lengths: [Double]
    let onsets: [Double]
    let end: Double
    let reference: MeasureMap
    let grid: [Double]

    init() throws {
        var random = SeededRandomGenerator(seed: 7)
        lengths = (0..<60).map { _ in Double.random(in: 1.2..<3, using: &random) }
        var bounds = [2.5]
        for length in lengths { bounds.append(bounds[bounds.count - 1] + length) }
        onsets = Array(bounds.dropLast())
        end = bounds[60]
        reference = try Self.map(
            Array(1...60), onsets.map { ($0 - 2.5) * 1.1 + 1 }, end: (end - 2.5) * 1.1 + 1)
        truth = try GroundTruth(live: Self.map(Array(1...60), onsets, end: end), reference: reference)
        grid = (0..<Int((end + 2) / 0.02)).map { Double($0) * 0.02 }
    }

    static func map(_ numbers: [Int], _ onsets: [Double], end: Double) throws -> MeasureMap {
        try MeasureMap(
            marks: zip(numbers, onsets).map { PlayedMeasure(printed: $0, onset: ReferenceTime(seconds: $1)) },
            end: ReferenceTime(seconds: end))
    }

    static func trace(_ times: [Double], _ measure: (Double) -> Double?) -> FollowTrace {
        FollowTrace(reports: times.map { .init(liveSeconds: $0, measureWithFraction: measure($0)) })
    }

    func follower(delay: Double, upTo limit: Double = .infinity) -> BenchmarkCaseAccuracy {
        BenchmarkCaseAccuracy(
            truth: truth,
            trace: Self.trace(grid) {
                let heard = $0 - delay
                let place = heard < onsets[0] ? 1 : truth.truePosition(at: min(max(heard, onsets[0]), end))
                return min(place, limit)
            })
    }

    private func value(_ metric: AccuracyMetric, _ score: BenchmarkCaseAccuracy) -> Double {
        AccuracySummary(pooling: [score])[metric].value ?? .nan
    }

    @Test func aPerfectFollowerMissesNothing() {
        let score = follower(delay: 0)
        #expect(value(.missedOnsets, score) == 0)
        #expect(value(.onsetAbsoluteErrorPercentile95, score) <= 0.021)
        #expect(value(.positionErrorPercentile95, score) <= 0.021)
        #expect(value(.rightMeasureShare, score) > 0.98)
        #expect(value(.lostCaseCount, score) == 0)
        #expect(value(.onsetShareWithin100ms, score) == 1)
    }

    @Test func aDelayIsMeasuredAsItself() {
        let score = follower(delay: 0.2)
        #expect(abs(value(.onsetErrorMedian, score) - 0.21) < 0.02)
        #expect(value(.onsetShareWithin100ms, score) == 0)
        #expect(value(.onsetShareWithin250ms, score) == 1)
        #expect(abs(value(.positionErrorMedian, score) - 0.2) < 0.03)
        #expect(value(.positionShareWithin250ms, score) > 0.98)
        #expect(value(.lostCaseCount, score) == 0)
    }

    @Test func aFollowerThatStopsIsLost() {
        let score = follower(delay: 0, upTo: 20)
        #expect(value(.lostCaseCount, score) == 1)
        #expect(value(.missedOnsets, score) >= 38)
        #expect(score.longestLostSeconds > 60)
        #expect(value(.rightMeasureShare, score) < 0.4)
    }

    @Test func silenceMissesEverything() {
        let score = BenchmarkCaseAccuracy(truth: truth, trace: FollowTrace())
        #expect(value(.missedOnsets, score) == Double(count - 1))
        #expect(value(.positionShareWithin1s, score) == 0)
        #expect(value(.lostCaseCount, score) == 1)
        #expect(AccuracySummary(pooling: [score])[.onsetErrorMedian] == .absent)
    }

    @Test func aCutNoticedFourSecondsLateRecoversAfterFour() throws {
        let kept = Array(0..<20) + Array(36..<60)
        var bounds = [2.5]
        for index in kept { bounds.append(bounds[bounds.count - 1] + lengths[index]) }
        let cutEnd = bounds[bounds.count - 1]
        let cut = bounds[20]
        let live = try Self.map(kept.map { $0 + 1 }, Array(bounds.dropLast()), end: cutEnd)
        let truth = try GroundTruth(live: live, reference: reference)
        let times = (0..<Int(cutEnd / 0.05)).map { Double($0) * 0.05 }
        let trace = Self.trace(times) {
            $0 >= cut && $0 < cut + 4 ? 21 : truth.truePosition(at: min(max($0, 2.5), cutEnd))
        }
        let score = BenchmarkCaseAccuracy(
            truth: truth, trace: trace, disruption: MusicDisruption(kind: "cut", start: cut, end: cut))
        #expect(score.recoverySeconds.map { (3.8...4.2).contains($0) } == true)
        #expect(!score.wasFollowerLost)
        #expect(score.longestLostSeconds > 3.5 && score.longestLostSeconds <= 4.2)
    }

    @Test func aRepeatFollowedPerfectlyHasNoMisses() throws {
        let numbers = Array(1..<21) + Array(5..<21) + Array(21..<41)
        let live = try Self.map(numbers, numbers.indices.map { 2 + 1.5 * Double($0) }, end: 86)
        let truth = try GroundTruth(live: live, reference: reference)
        let score = BenchmarkCaseAccuracy(
            truth: truth,
            trace: Self.trace((0..<1720).map { Double($0) * 0.05 }) {
                truth.truePosition(at: min(max($0, 2), 85.9))
            })
        #expect(score.onsetErrors.count == 55)
        #expect(score.onsetErrors.allSatisfy { ($0.secondsLate ?? .infinity).magnitude < 0.06 })
        #expect(score.positionErrors.allSatisfy { $0 < 0.06 })
        #expect(truth.backwardJumpTimes == [32])
    }

    @Test func theMusicStandsStillWithinAHold() throws {
        let onsets = (0..<30).map { 2 + 2 * Double($0) + ($0 >= 15 ? 8 : 0) }
        let live = try Self.map(Array(1...30), onsets, end: 70)
        let truth = try GroundTruth(live: live, unplayedIntervals: [.init(start: 32, endSeconds: 40)])
        #expect(abs(truth.truePosition(at: 31) - 15.5) < 1e-6)
        #expect(abs(truth.truePosition(at: 41) - 16.5) < 1e-6)
        #expect(truth.truePosition(at: 36) >= 15.99)
        let score = BenchmarkCaseAccuracy(
            truth: truth,
            trace: Self.trace((0..<700).map { Double($0) * 0.1 }) {
                truth.truePosition(at: min(max($0, 2), 69.9))
            },
            disruption: MusicDisruption(kind: "general-pause", start: 32, end: 40))
        #expect(score.recoverySeconds == 0)
        #expect(score.onsetErrors.count == 28)
    }

    @Test func measureNumbersOutOfReasonAreRefused() throws {
        let live = try Self.map([1, 2_000_000_000], [1, 2], end: 3)
        #expect(
            throws: ExplainedError(
                "Measure numbers run from 1 to \(2_000_000_000); at most \(ScoreTimeAxis.mostMeasures) "
                    + "are scored. Check the measure column.")
        ) {
            try GroundTruth(live: live)
        }
        let long = try Self.map([1, 2], [1, 2], end: 1e9)
        #expect(
            throws: ExplainedError(
                "The live measures end at \(1e9) s; recordings up to two days are scored. Check the times.")
        ) { try GroundTruth(live: long) }
    }
}
