import Hosting
import Podium
import ShowControl

/// Sends the show's state to OSC subscribers and targets, and OSC cues to their targets.
package final class OSCOutput: ShowOutput {
    package let desk: ShowControlService
    /// Records whether each cue could be sent.
    private let trouble: CueTrouble

    package init(_ desk: ShowControlService, trouble: CueTrouble) {
        self.desk = desk
        self.trouble = trouble
    }

    package func carry(_ effect: PodiumEffect, of course: ShowProgramme) {
        guard case .fire(let cue, _) = effect else { return }
        // A cue that cannot be sent is not reported as fired; it is recorded as a failed cue and shown as a fault.
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
