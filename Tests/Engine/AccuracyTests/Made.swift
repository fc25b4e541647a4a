import Basics
import Score

@testable import Accuracy

/// Small cases with figures known beforehand.
enum Made {
    /// Measures of two seconds each from second 1 on.
    static func truth(_ numbers: [Int], holds: [GroundTruth.UnplayedInterval] = []) throws -> GroundTruth {
        try GroundTruth(live: map(numbers), unplayedIntervals: holds)
    }

    /// The same, as a recording has them.
    static func map(_ numbers: [Int]) throws -> MeasureMap {
        let marks = numbers.enumerated().map {
            PlayedMeasure(printed: $1, onset: ReferenceTime(seconds: 1 + 2 * Double($0)))
        }
        return try MeasureMap(marks: marks, end: ReferenceTime(seconds: 1 + 2 * Double(numbers.count)))
    }

    /// Fifty reports a second, to the end.
    static func trace(
        _ truth: GroundTruth, measure: (Double, Double) -> Double? = { $1 },
        confidence: (Double) -> Double = { _ in 1 },
        state: (Double) -> FollowTrace.State = { _ in .following }
    ) -> FollowTrace {
        FollowTrace(
            reports: (0..<Int(truth.endSeconds * 50)).map {
                let time = Double($0) / 50
                return .init(
                    liveSeconds: time, measureWithFraction: measure(time, truth.truePosition(at: time)),
                    confidence: confidence(time), state: state(time))
            })
    }

    static func entry(_ id: String, group: String, lag: Double) throws -> AccuracyBenchmarkReport.CaseResult {
        let truth = try truth(Array(1...20))
        let trace = trace(truth) { max(1, $1 - lag * ($0 > 20 ? 1 : 0)) }
        return .init(
            id: id, group: group, disruption: nil, accuracy: BenchmarkCaseAccuracy(truth: truth, trace: trace)
        )
    }
}
