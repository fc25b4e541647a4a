import Floor
import Hosting
import Podium

/// Sends the floor to the consoles: its holder, and the requests for it.
struct FloorOutput: ShowOutput {
    let consoles: ConsoleStream

    func performEffect(_ effect: PodiumEffect, of course: ShowProgramme) {}

    func receiveSnapshot(_ snapshot: ShowEngineSnapshot) {
        // A show without speakers has an empty section, so that no console keeps that of the show before.
        consoles.publish(.floor, FloorSection(snapshot.state.floor))
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

    init(_ floor: FloorState?) {
        let whole = FloorJSON(floor, now: 0)
        (doNotDisturb, presenters, screen) = (whole.doNotDisturb, whole.presenters, whole.screen)
        requests = whole.requests.map(\.presenter)
        holder = whole.holder
        lender = whole.loan?.lender
    }
}
