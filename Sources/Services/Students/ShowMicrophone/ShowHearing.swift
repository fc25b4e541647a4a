import Hosting
import WebServer

/// The show that can hear the microphone of a tablet, and who may choose that.
package struct ShowHearing: Sendable {
    var input: any RemoteMicrophoneInput
    var show: ShowInbox
    var consoles: ConsoleStream
    /// Tells whether a person leads a rehearsal room whose session runs.
    var leadsRehearsal: @Sendable (WebPerson) async -> Bool

    package init(
        input: any RemoteMicrophoneInput, show: ShowInbox, consoles: ConsoleStream,
        leadsRehearsal: @escaping @Sendable (WebPerson) async -> Bool
    ) {
        self.input = input
        self.show = show
        self.consoles = consoles
        self.leadsRehearsal = leadsRehearsal
    }

    /// Why no tablet may be the microphone now; nil if one may.
    var refusal: Refusal? {
        let state = show.newestSnapshot.state
        if state.isLocked { return .locked }
        return state.isRehearsal ? nil : .notRehearsal
    }
}
