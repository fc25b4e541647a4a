import Accuracy
import Alignment

/// Records a filter's probabilities over time while it follows a case.
struct ProbabilityRecorder {
    private let filter: ForwardFilter
    private var mapBuilder: ProbabilityMapBuilder
    private var reports = 0

    /// The number of hops between two recorded points, because the search of the whole reference advances once in this
    /// many hops.
    private static let hopsPerRecord = 5

    init(filter: ForwardFilter, liveSeconds: Double, referenceSeconds: Double) {
        self.filter = filter
        mapBuilder = ProbabilityMapBuilder(liveSeconds: liveSeconds, referenceSeconds: referenceSeconds)
    }

    /// Records the probabilities; called after each report of the follower.
    mutating func recordProbabilities(_ liveSeconds: Double) {
        reports += 1
        guard reports % Self.hopsPerRecord == 0 else { return }
        mapBuilder.record(at: liveSeconds) { filter.addProbabilities(to: &$0) }
    }

    var map: ProbabilityMap { mapBuilder.map }
}

extension CaseChart {
    /// Makes the chart of an evaluation case from its trace.
    /// - Returns: nil if the case has no ground truth.
    package init?(of item: EvaluationCase, trace: FollowTrace, thoughts: ProbabilityMap?) {
        guard let truth = item.truth, let reference = item.input.references.first?.measures else {
            return nil
        }
        self.init(
            title: item.title.isEmpty ? item.id : item.title, subtitle: item.title.isEmpty ? "" : item.id,
            truth: truth.truth, reference: reference, trace: trace,
            disruption: truth.disruption, thoughts: thoughts)
    }
}
