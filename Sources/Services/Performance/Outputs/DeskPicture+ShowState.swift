import Hosting
import Podium

extension DeskPicture {
    /// The state of the show that is published to show control, the same by OSC and MQTT.
    package var told: PublishedShowState {
        var told = PublishedShowState()
        told.piece = state.piece + 1
        told.pieceName = piece.name.text
        told.printed = printed
        told.played = state.position.played
        told.section = sectionLabel
        told.fraction = fraction
        told.tempo = state.tempo
        told.confidence = confidence
        told.state = state.mode.rawValue
        told.holderKind = state.holder.kind
        told.holderName = state.holder.name
        told.epoch = state.epoch.description
        told.standby = state.standby.map { CueName(id: $0, name: piece.cues[$0]?.name ?? "") }
        told.next = countdown
        told.view = state.view.rawValue
        told.panic = state.panic.rawValue
        told.faultCount = openFaults.count
        told.fault = openFaults.last?.sentence ?? ""
        return told
    }
}
