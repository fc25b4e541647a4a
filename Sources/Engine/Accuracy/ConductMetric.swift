/// The name of a figure of the follower's conduct that a baseline can accept. Less is better.
public enum ConductMetric: String, CaseIterable, Hashable, Sendable {
    case wrongCertainSecondsPerHour = "wrong_certain_s_per_h"
    case doubtedShareOfRight = "right_doubted"
    case medianSecondsUntilDecided = "decided_median_s"
    case undecidedCases = "undecided_cases"

    /// The figure, rounded as it is printed; nil if there was nothing to measure.
    func value(in conduct: FollowerBehaviour) -> Double? {
        switch self {
        case .wrongCertainSecondsPerHour: conduct.wrongCertainSecondsPerHour?.rounded(places: 1)
        case .doubtedShareOfRight: conduct.doubtedShareOfRightSeconds?.rounded(places: 4)
        case .medianSecondsUntilDecided: conduct.medianSecondsUntilDecided?.rounded(places: 2)
        case .undecidedCases:
            conduct.secondsUntilDecided.isEmpty ? nil : Double(conduct.undecidedCaseCount)
        }
    }

    /// The difference, in the unit of the figure, by which it may be worse than a newly accepted one and still pass.
    var tolerance: Double {
        switch self {
        case .wrongCertainSecondsPerHour: 5
        case .doubtedShareOfRight: 0.005
        case .medianSecondsUntilDecided: 0.25
        case .undecidedCases: 0
        }
    }
}
