import Podium
import Repository

@testable import Hosting
@testable import Performance
@testable import ShowStages

/// Changes the programme of a show that has no piece yet and is not running.
struct IdleProgrammeChanger {
    let changer: ProgrammeChanger
    /// The revision of the empty programme, which a change must name.
    let revision: String
    let programme = ShowProgramme.empty(title: "Tonight")
    let exchange: FollowerExchange

    /// - Parameters:
    ///   - models: the folder of prepared pieces.
    ///   - recordings: the folder of recordings, in which the show's data are kept too.
    ///   - isLoaded: false for a show that goes on while its pieces are being loaded.
    init(models: String, recordings: String, isLoaded: Bool = true) throws {
        let waiting = WaitingFollower(title: "Tonight", sampleRate: LiveFolder.rate)
        let lane = try FollowLane(waiting)
        exchange = FollowerExchange(lane, first: waiting, programme: programme, isReady: isLoaded)
        revision = programme.orderRevision
        changer = ProgrammeChanger(
            inbox: ShowEngine.makeInbox(
                to: lane, for: Podium(course: programme), isActiveServer: true, at: .zero),
            exchange: exchange,
            loader: ReferenceModelLoader(modelsFolderPath: models, recordingsFolderPath: recordings),
            builder: ShowProgrammeBuilder(recordingsFolderPath: recordings, dataFolder: recordings),
            makeFollower: { _, _, old in old })
    }
}
