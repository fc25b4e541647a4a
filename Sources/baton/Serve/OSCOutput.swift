import Podium
import ShowControl

/// The show-control side: state to subscribers and targets, cues to where they point.
final class OSCOutput: ShowOutput {
    let desk: ShowControlDesk
    /// Told whether a cue could be sent.
    private let trouble: CueTrouble

    init(_ desk: ShowControlDesk, trouble: CueTrouble) {
        self.desk = desk
        self.trouble = trouble
    }

    func carry(_ effect: PodiumEffect, of course: ShowCourse) {
        guard case .fire(let cue, _) = effect else { return }
        desk.fired(NamedCue(id: cue.id, name: cue.name), kind: cue.kind.rawValue)
        guard cue.kind == .osc else { return }
        do throws(OSCTextFault) {
            let message = try OSCMessage(text: cue.payload)
            do throws(ShowControlError) {
                try desk.subscribers.send(message, to: cue.target)
                trouble.sent(cue)
            } catch {
                trouble.failed(cue, because: error.sentence)
            }
        } catch {
            trouble.failed(cue, because: error.sentence)
        }
    }

    func show(_ picture: DeskPicture) {
        guard picture.isOurs else { return }
        var told = ShowState()
        let state = picture.state
        told.piece = state.piece + 1
        told.pieceName = picture.piece.name.text
        told.printed = picture.printed
        told.played = state.position.played
        told.section = picture.sectionLabel
        told.fraction = picture.fraction
        told.tempo = state.tempo
        told.confidence = picture.confidence
        told.state = state.mode.rawValue
        told.holderKind = state.holder.kind
        told.holderName = state.holder.name
        told.epoch = state.epoch.description
        told.standby = named(state.standby, in: picture.piece)
        told.next = picture.countdown.map {
            NextCue(id: $0.cue, measures: $0.measures, seconds: $0.seconds ?? -1)
        }
        told.view = state.view.rawValue
        told.panic = state.panic.rawValue
        told.faultCount = picture.openFaults.count
        told.fault = picture.openFaults.last?.sentence ?? ""
        desk.show(told)
    }

    private func named(_ id: Cue.ID?, in piece: ShowPiece) -> NamedCue? {
        id.map { NamedCue(id: $0, name: piece.cues[$0]?.name ?? "") }
    }

    func close() async { await desk.close() }
}
