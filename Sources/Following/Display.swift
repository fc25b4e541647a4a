import Alignment
import MusicalTime
import Score

/// Turns estimates into what is shown: a calm position, a state, a confidence.
///
/// The shown position steps back only where the alignment has left its path for another place.
struct Display {
    private let model: ReferenceModel
    private var shown = ReferenceTime(seconds: 0)
    private var hasStarted = false
    private var doubt = 0.0

    init(model: ReferenceModel) { self.model = model }

    mutating func begin(at start: ReferenceTime?) {
        shown = start ?? model.measures.marks[0].onset
        hasStarted = false
        doubt = 0
    }

    mutating func report(
        _ estimate: AlignmentEstimate, live: LiveTime, isQuiet: Bool, isDropout: Bool
    ) -> PositionReport {
        let heard = model.time(ofFrame: estimate.frame)
        if estimate.hasBegun {
            hasStarted = true
            if estimate.jumped || heard > shown || heard.seconds < shown.seconds - 1 { shown = heard }
        }
        let confidence = min(max(estimate.mass * (0.3 + 0.7 * estimate.support), 0), 1)
        var state = FollowerState.following
        if !hasStarted { state = .waiting } else if isDropout || estimate.standing > 0.5 { state = .coasting }
        let position = model.measures.position(at: shown)
        return PositionReport(
            live: live, reference: shown, position: position,
            printedMeasure: model.measures.marks[position.played].printed, tempo: estimate.tempo,
            confidence: confidence, state: state)
    }
}
