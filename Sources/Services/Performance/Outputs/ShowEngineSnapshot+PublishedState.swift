import Hosting
import Podium

extension ShowEngineSnapshot {
    /// The state of the show that is published to show control; OSC and MQTT publish the same.
    package var publishedState: PublishedShowState {
        var publishedState = PublishedShowState()
        publishedState.piece = state.piece + 1
        publishedState.pieceName = piece.name.text
        publishedState.printedMeasure = printedMeasure
        publishedState.playedMeasure = state.position.played
        publishedState.section = sectionLabel
        publishedState.fraction = measureFraction
        publishedState.tempo = state.tempo
        publishedState.confidence = confidence
        publishedState.mode = state.mode.rawValue
        publishedState.holderKind = state.holder.kind
        publishedState.holderName = state.holder.name
        publishedState.epoch = state.epoch.description
        publishedState.standby = state.standby.map { CueName(id: $0, name: piece.cues[$0]?.name ?? "") }
        publishedState.nextCue = nextCueCountdown
        publishedState.view = state.view.rawValue
        publishedState.panic = state.panic.rawValue
        publishedState.faultCount = openFaults.count
        publishedState.fault = openFaults.last?.sentence ?? ""
        return publishedState
    }
}
