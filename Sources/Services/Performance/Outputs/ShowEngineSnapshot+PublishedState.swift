import Hosting
import Podium

extension ShowEngineSnapshot {
    /// The state of the show that is published to show control; OSC and MQTT publish the same.
    package var publishedState: PublishedShowState {
        var publishedState = PublishedShowState()
        publishedState.pieceNumber = state.piece + 1
        publishedState.pieceName = piece.name.text
        publishedState.printedMeasure = printedMeasure
        publishedState.playedMeasure = state.position.played
        publishedState.sectionLabel = sectionLabel
        publishedState.measureFraction = measureFraction
        publishedState.relativeTempo = state.tempo
        publishedState.beatsPerMinute = piece.referenceBeatsPerMinute(at: state.position.played).map {
            $0 * state.tempo
        }
        publishedState.followerConfidence = confidence
        publishedState.positionMode = state.mode.rawValue
        publishedState.eveningStage = state.stage.words
        publishedState.holderKind = state.holder.kind
        publishedState.holderName = state.holder.name
        publishedState.epochText = state.epoch.description
        publishedState.standbyCue = state.standby.map { NamedCue(id: $0, name: piece.cues[$0]?.name ?? "") }
        publishedState.nextCueCountdown = nextCueCountdown
        publishedState.audienceView = state.view.rawValue
        publishedState.panicLevel = state.panic.rawValue
        publishedState.faultCount = openFaults.count
        publishedState.newestFaultSentence = openFaults.last?.sentence ?? ""
        return publishedState
    }
}
