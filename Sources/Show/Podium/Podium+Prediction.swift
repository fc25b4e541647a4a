import Score

/// Predicts when the music reaches coming measures.
extension Podium {
    /// Seconds of the piece's ``ShowPiece/timeline`` that are expected to pass in one second.
    private var predictedSpeed: Double {
        let tempo = currentPiece.timeline.speed(ofTempo: state.pace, inMeasure: state.position.played)
        return (state.speed ?? DisplayedSpeed()).predicted(withTempo: tempo)
    }

    /// Milliseconds from ``PodiumState/positionAt`` to the beginning of a played measure; at most an hour.
    func millisecondsUntilMeasure(to played: Int) -> Double {
        guard settings.rules >= 4 else {
            let measures = currentPiece.measures
            let there = measures.onset(after: played - 1).seconds
            let seconds = (there - measures.time(of: state.position).seconds) / max(state.pace, 0.01)
            return min(seconds * 1_000, 3_600_000)
        }
        let timeline = currentPiece.timeline
        let left = timeline.start(ofMeasure: played) - timeline.seconds(at: state.position)
        // Whole microseconds, so that rounding noise does not delay a cue by a millisecond.
        return min((left / predictedSpeed * 1e6).rounded() / 1_000, 3_600_000)
    }

    /// Seconds until a later played measure begins; at most an hour. Nil while the position stands still.
    func secondsUntilMeasure(_ played: Int, at now: ShowTime) -> Double? {
        guard state.pace > 0 else { return nil }
        guard settings.rules >= 4 else {
            let measures = currentPiece.measures
            let here = measures.time(of: position(at: now)).seconds
            let left = max(measures.onset(after: played - 1).seconds - here, 0)
            return min(left / max(state.pace, 0.01), 3_600)
        }
        let gone = now.seconds(since: state.positionAt)
        // The position waits before the next bar line until the music reaches it.
        let barLine = max(millisecondsUntilMeasure(to: state.position.played + 1) / 1_000 - gone, 0)
        let timeline = currentPiece.timeline
        let beyond = timeline.start(ofMeasure: played) - timeline.start(ofMeasure: state.position.played + 1)
        return min(barLine + max(beyond, 0) / predictedSpeed, 3_600)
    }
}
