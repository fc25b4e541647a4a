import Basics
import Hosting
import Podium
import ShowControl

/// Sends the show's state to OSC subscribers and targets, and OSC cues to their targets.
package final class OSCOutput: ShowOutput {
    package let showControlService: ShowControlService
    /// Records whether each cue could be sent.
    private let failedCueReporter: FailedCueReporter

    package init(_ service: ShowControlService, failedCueReporter: FailedCueReporter) {
        self.showControlService = service
        self.failedCueReporter = failedCueReporter
    }

    package func performEffect(_ effect: PodiumEffect, of course: ShowProgramme) {
        guard case .fireCue(let cue, _) = effect else { return }
        // A cue that cannot be sent is not reported as fired; it is recorded as a failed cue and shown as a fault.
        guard failedCueReporter.canBeSent(cue) else { return }
        showControlService.publishFiredCue(NamedCue(id: cue.id, name: cue.name), kind: cue.kind.rawValue)
        guard cue.kind == .osc else { return }
        do throws(ExplainedError) {
            let message = try OSCMessage(text: cue.payload)
            do throws(ExplainedError) {
                try showControlService.stateReceivers.sendToTarget(message, to: cue.target)
                failedCueReporter.reportSent(cue, of: course)
            } catch {
                failedCueReporter.reportFailure(cue, of: course, because: error.sentence)
            }
        } catch {
            failedCueReporter.reportFailure(cue, of: course, because: error.sentence)
        }
    }

    package func receiveSnapshot(_ snapshot: ShowEngineSnapshot) {
        guard snapshot.isActiveServer else { return }
        showControlService.publishState(snapshot.publishedState)
    }

    package func close() async { await showControlService.close() }
}
