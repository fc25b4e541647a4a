import Floor
import Hosting
import Podium

/// Sends the floor to the consoles: its holder, and the requests for it.
struct FloorOutput: ShowOutput {
    let consoles: ConsoleStream
    /// The code with which guests join on `/present`; nil if only people with an account may.
    let code: SpeakersCode?

    func performEffect(_ effect: PodiumEffect, of course: ShowProgramme) {}

    func receiveSnapshot(_ snapshot: ShowEngineSnapshot) {
        // A show without speakers has an empty section, so that no console keeps that of the show before.
        consoles.publish(.floor, FloorSection(snapshot.state.floor, code: code?.text))
    }
}

extension ConsoleSection {
    static let floor = Self("floor")
}

/// The section `floor` of the consoles' stream. Unlike ``FloorJSON`` it has no waiting times, so that it changes only
/// when the floor does.
struct FloorSection: Encodable {
    @OrNull var holder: UInt8?
    @OrNull var lender: UInt8?
    var doNotDisturb: Bool
    /// In the order in which they asked.
    var requests: [UInt8]
    var presenters: [FloorJSON.Presenter]
    var screen: FloorJSON.Screen
    /// The code that the moderator gives to the speakers.
    @OrNull var code: String?

    init(_ floor: FloorState?, code: String?) {
        self.code = code
        let whole = FloorJSON(floor, now: 0)
        (doNotDisturb, presenters, screen) = (whole.doNotDisturb, whole.presenters, whole.screen)
        requests = whole.requests.map(\.presenter)
        holder = whole.holder
        lender = whole.loan?.lender
    }
}
