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
        // One that cannot be sent has failed, and is told of as a fault.
        guard trouble.mayBeSent(cue) else { return }
        desk.fired(NamedCue(id: cue.id, name: cue.name), kind: cue.kind.rawValue)
        guard cue.kind == .osc else { return }
        do throws(OSCTextFault) {
            let message = try OSCMessage(text: cue.payload)
            do throws(ShowControlError) {
                try desk.subscribers.send(message, to: cue.target)
                trouble.sent(cue, of: course)
            } catch {
                trouble.failed(cue, of: course, because: error.sentence)
            }
        } catch {
            trouble.failed(cue, of: course, because: error.sentence)
        }
    }

    func show(_ picture: DeskPicture) {
        guard picture.isOurs else { return }
        desk.show(picture.told)
    }

    func close() async { await desk.close() }
}
