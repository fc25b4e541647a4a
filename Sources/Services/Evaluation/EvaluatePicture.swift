import Accuracy
import Alignment

/// Notes what a filter thinks while it follows a case.
struct ThoughtNotes {
    private let filter: ForwardFilter
    private var gathering: ThoughtGathering
    private var reports = 0

    /// The whole-reference search moves once in so many hops.
    private static let hopsBetween = 5

    init(filter: ForwardFilter, liveSeconds: Double, referenceSeconds: Double) {
        self.filter = filter
        gathering = ThoughtGathering(liveSeconds: liveSeconds, referenceSeconds: referenceSeconds)
    }

    /// After each report.
    mutating func note(_ liveSeconds: Double) {
        reports += 1
        guard reports % Self.hopsBetween == 0 else { return }
        gathering.note(at: liveSeconds) { filter.addThought(to: &$0) }
    }

    var map: ThoughtMap { gathering.map }
}

extension CasePicture {
    /// - Returns: nil where the truth is not known.
    init?(of item: EvaluationCase, trace: FollowTrace, thoughts: ThoughtMap?) {
        guard let truth = item.truth else { return nil }
        self.init(
            title: item.title.isEmpty ? item.id : item.title, subtitle: item.title.isEmpty ? "" : item.id,
            truth: truth.truth, reference: item.question.references.first?.measures, trace: trace,
            disruption: truth.disruption, thoughts: thoughts)
    }
}
