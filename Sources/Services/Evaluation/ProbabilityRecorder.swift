import Accuracy
import Alignment

/// Records a filter's probabilities over time while it follows a case.
struct ProbabilityRecorder {
    private let filter: ForwardFilter
    private var mapBuilder: ProbabilityMapBuilder
    private var reportCount = 0

    /// One point is recorded in so many hops. The search of the whole reference advances no more often.
    private static let hopsPerRecord = 5

    init(filter: ForwardFilter, liveSeconds: Double, referenceSeconds: Double) {
        self.filter = filter
        mapBuilder = ProbabilityMapBuilder(
            liveSeconds: liveSeconds, referenceDurationSeconds: referenceSeconds)
    }

    /// Records the probabilities; called after each report of the follower.
    mutating func recordProbabilities(_ liveSeconds: Double) {
        reportCount += 1
        guard reportCount % Self.hopsPerRecord == 0 else { return }
        mapBuilder.recordProbabilities(at: liveSeconds) { filter.addProbabilities(to: &$0) }
    }

    var probabilityMap: ProbabilityMap { mapBuilder.averagedMap }
}

extension BenchmarkCaseChart {
    /// Makes the chart of an evaluation case from its trace.
    /// - Returns: nil if the case has no ground truth.
    package init?(of item: EvaluationCase, trace: FollowTrace, thoughts: ProbabilityMap?) {
        guard let truth = item.truth, let reference = item.input.references.first?.measures else {
            return nil
        }
        self.init(
            title: item.title.isEmpty ? item.id : item.title, subtitle: item.title.isEmpty ? "" : item.id,
            truth: truth.groundTruth, reference: reference, trace: trace,
            disruption: truth.disruption, thoughts: thoughts)
    }
}
