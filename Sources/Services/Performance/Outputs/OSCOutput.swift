import Hosting
import Podium
import ShowControl

/// The show-control side: state to subscribers and targets, cues to where they point.
package final class OSCOutput: ShowOutput {
    package let desk: ShowControlService
    /// Told whether a cue could be sent.
    private let trouble: CueTrouble

    package init(_ desk: ShowControlService, trouble: CueTrouble) {
        self.desk = desk
        self.trouble = trouble
    }

    package func carry(_ effect: PodiumEffect, of course: ShowProgramme) {
        guard case .fire(let cue, _) = effect else { return }
        // One that cannot be sent has failed, and is told of as a fault.
        guard trouble.mayBeSent(cue) else { return }
        desk.fired(CueName(id: cue.id, name: cue.name), kind: cue.kind.rawValue)
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

    package func show(_ picture: DeskPicture) {
        guard picture.isOurs else { return }
        desk.show(picture.told)
    }

    package func close() async { await desk.close() }
}
