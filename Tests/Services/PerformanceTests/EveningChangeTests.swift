import Basics
import Foundation
import Podium
import Repository
import ShowLog
import Testing

@testable import Hosting
@testable import Performance
@testable import ShowStages
@testable import TestHelpers

/// Evenings are begun and ended while the server runs.
@Suite(.ownThreads) struct EveningChangeTests {
    private static let clara = CommandSender(name: "Clara", role: .technician)
    private static let rehearsal = WantedEvening(Evening.Fields(kind: "rehearsal", title: "Grieg"))
    private let folder: ServeFolder

    init() throws { folder = try ServeFolder() }

    /// A show of two pieces that is not running, and whoever begins its next evening.
    private func makeChanger(
        after words: [String] = [], plan: String? = nil, _ next: NextEvening
    ) throws -> ProgrammeChanger {
        let evening = Evening("Made", date: plan.map { _ in "2999-01-01" }, plan: plan)
        var podium = Podium(course: try ShowProgramme(evening, pieces: madeCourse().pieces))
        for word in words {
            let command = try PodiumCommand(words: word.split(separator: " ").map(String.init))
            _ = podium.process(.command(command, by: Self.clara, epoch: nil), at: .zero)
        }
        let waiting = WaitingFollower(title: "Made", sampleRate: LiveFolder.rate)
        let lane = try FollowLane(waiting)
        return ProgrammeChanger(
            inbox: ShowEngine.makeInbox(to: lane, for: podium, isActiveServer: true, at: .zero),
            exchange: FollowerExchange(lane, first: waiting, programme: podium.course),
            loader: ReferenceModelLoader(
                modelsFolderPath: Repository.root.path + "/Models", recordingsFolderPath: folder.path),
            builder: ShowProgrammeBuilder(recordingsFolderPath: folder.path, dataFolder: folder.path),
            nextEvening: next, makeFollower: { _, _, old in old })
    }

    private func makeNext(takesPieces: Bool = true) -> NextEvening {
        NextEvening(dataFolder: folder.path, takesPieces: takesPieces)
    }

    private var writtenNext: ProgrammeFile? { ProgrammeFile.readNext(in: folder.path) }

    private func refusal(_ outcome: ProgrammeChangeOutcome) -> String? {
        if case .notPossible(let sentence) = outcome { sentence } else { nil }
    }

    @Test func anEveningThatWasPlayedEndsAndTheNextIsOnTheDisk() async throws {
        let next = makeNext()
        let changer = try makeChanger(after: ["rehearsal on"], next)
        #expect(refusal(await changer.beginEvening(Self.rehearsal, by: Self.clara)) == nil)
        #expect(next.isRequested)
        #expect(
            writtenNext
                == ProgrammeFile(Evening("Grieg", kind: .rehearsal), pieces: ["melody-1", "melody-2"]))
        await next.run()
        let again = refusal(await changer.beginEvening(nil, by: Self.clara))
        #expect(again?.contains("being ended") == true)
    }

    @Test func anEndedEveningIsFollowedByOneThatNobodyHasNamed() async throws {
        let changer = try makeChanger(makeNext())
        #expect(refusal(await changer.beginEvening(nil, by: Self.clara)) == nil)
        #expect(writtenNext?.evening == .unnamed && writtenNext?.pieces.count == 2)
    }

    @Test func whenAnEveningEndsTheNextThatIsPlannedBegins() async throws {
        let changer = try makeChanger(makeNext())
        let pieces = Array(Repository.concert.prefix(2))
        let gala = WantedEvening(
            Evening.Fields(title: "Gala", date: "2999-01-01", encores: 1), pieces: pieces, intermissions: [0])
        for (id, date) in [("undated", ""), ("later", "2999-01-02"), ("past", "2001-01-01")] {
            try await changer.planEvening(WantedEvening(Evening.Fields(title: id, date: date)), as: id)
        }
        for _ in 1...2 { try await changer.planEvening(gala, as: "gala") }
        #expect(await changer.listPlannedEvenings().map(\.id) == ["past", "gala", "later", "undated"])
        #expect(refusal(await changer.beginEvening(nil, by: Self.clara)) == nil)
        #expect(
            writtenNext
                == ProgrammeFile(
                    Evening("Gala", date: "2999-01-01", encores: 1, plan: "gala"), pieces: pieces,
                    intermissions: [0]))
        #expect(await changer.listPlannedEvenings().map(\.id) == ["past", "later", "undated"])
    }

    @Test func aPlannedEveningIsBegunByItsIDUnlessItWasDropped() async throws {
        let changer = try makeChanger(after: ["rehearsal on"], makeNext())
        try await changer.planEvening(Self.rehearsal, as: "grieg")
        #expect(await changer.listPlannedEvenings()[0].wanted.pieces == ["melody-1", "melody-2"])
        try await changer.planEvening(nil, as: "grieg")
        let wanted = WantedEvening(Evening.Fields(), plan: "grieg")
        #expect(refusal(await changer.beginEvening(wanted, by: Self.clara))?.contains("not planned") == true)
        var planned = Self.rehearsal
        planned.pieces = Array(Repository.concert.prefix(1))
        try await changer.planEvening(planned, as: "grieg")
        #expect(refusal(await changer.beginEvening(wanted, by: Self.clara)) == nil)
        #expect(writtenNext?.evening == Evening("Grieg", kind: .rehearsal, plan: "grieg"))
    }

    @Test func aPlannedEveningThatEndsUnplayedIsPlannedAgain() async throws {
        let changer = try makeChanger(plan: "gala", makeNext())
        #expect(refusal(await changer.beginEvening(nil, by: Self.clara)) == nil)
        #expect(writtenNext?.evening == .unnamed)
        let kept = await changer.listPlannedEvenings()
        #expect(kept.map(\.id) == ["gala"] && kept[0].wanted.pieces == ["melody-1", "melody-2"])
    }

    @Test func aDamagedListOfPlansIsNamedAndNeverReplaced() throws {
        let folder = try ServeFolder()
        try folder.write("[{\"id\":", to: "evenings/planned.json")
        let planned = PlannedEvenings(dataFolder: folder.path)
        for change in [{ try planned.put(Self.rehearsal, as: "grieg") }, { try planned.drop("grieg") }] {
            #expect { try change() } throws: { error in
                (error as? ExplainedError)?.sentence.contains("evenings/planned.json cannot be read") == true
            }
        }
        #expect(
            try String(contentsOfFile: folder.path + "/evenings/planned.json", encoding: .utf8) == "[{\"id\":"
        )
    }

    @Test(arguments: [("party", "2026-11-29", "a"), ("concert", "tomorrow", "a"), ("concert", "", "../a")])
    func whatCannotBePlannedIsRefused(_ kind: String, _ date: String, _ id: String) async throws {
        let changer = try makeChanger(makeNext())
        await #expect(throws: ExplainedError.self) {
            try await changer.planEvening(WantedEvening(Evening.Fields(kind: kind, date: date)), as: id)
        }
        #expect(await changer.listPlannedEvenings().isEmpty)
    }

    @Test func itMayHaveTheProgrammeOfAnEarlierOne() async throws {
        let pieces = Array(Repository.concert.prefix(2))
        var wanted = Self.rehearsal
        (wanted.pieces, wanted.intermissions) = (pieces, [0])
        let changer = try makeChanger(after: ["rehearsal on"], makeNext())
        #expect(refusal(await changer.beginEvening(wanted, by: Self.clara)) == nil)
        #expect(writtenNext?.pieces == pieces && writtenNext?.intermissions == [0])
    }

    @Test(arguments: [
        (["rehearsal on", "lock on"], true, nil as [String]?, "locked"),
        (["rehearsal on"], true, ["no-such-piece"], "not prepared"),
        (["rehearsal on"], false, [], "named where this server is started"),
    ]) func whatCannotBeginIsRefusedAndTheEveningGoesOn(
        _ words: [String], _ takesPieces: Bool, _ pieces: [String]?, _ reason: String
    ) async throws {
        var wanted = Self.rehearsal
        wanted.pieces = pieces
        let next = makeNext(takesPieces: takesPieces)
        let changer = try makeChanger(after: words, next)
        let sentence = refusal(await changer.beginEvening(wanted, by: Self.clara))
        #expect(sentence?.contains(reason) == true)
        #expect(!next.isRequested && writtenNext == nil)
    }

    @Test func aFolderThatCannotBeWrittenLetsTheEveningGoOn() async throws {
        let next = NextEvening(dataFolder: folder.path + "/missing", takesPieces: true)
        let changer = try makeChanger(next)
        let sentence = refusal(await changer.beginEvening(nil, by: Self.clara))
        #expect(sentence?.contains("This evening goes on") == true)
        #expect(!next.isRequested)
    }

    @Test func theNextEveningGoesBeforeTheLastProgramme() throws {
        try ProgrammeFile(Evening("Old"), pieces: ["a"]).write(in: folder.path)
        try ProgrammeFile(Evening("New", kind: .rehearsal), pieces: []).writeNext(in: folder.path)
        let read = { ProgrammeFile.readBeginning(in: folder.path, load: { _ in }, say: { _ in }) }
        #expect(read().evening == Evening("New", kind: .rehearsal) && read().programme == nil)
        ProgrammeFile.forgetNext(in: folder.path)
        #expect(read().evening == Evening("Old") && read().programme?.pieces == ["a"])
    }

    @Test func aShowHasTheNameOfItsEvening() throws {
        let programme = try ShowProgramme(
            Evening("Grieg", kind: .rehearsal), pieces: madeCourse().pieces)
        let data = try ServerDataFolder(path: folder.path)
        let show = try OpenedShow.open(programme, in: data, new: false, forward: { _, _ in })
        let path = show.recorder.writer.showFolder
        #expect(path.hasSuffix("-rehearsal-grieg"))
        // An evening that was renamed before it was played is reported under its last name.
        var podium = show.podium
        let renamed = try ShowProgramme(Evening("Sibelius"), pieces: madeCourse().pieces)
        _ = show.recorder.applyAndRecord(.programmeChanged(renamed), by: &podium, at: show.clock.now)
        #expect(try ShowReport(show: path).title == "Sibelius")
    }

    @Test func theProgrammesOfEarlierEveningsAreListed() async throws {
        let data = try ServerDataFolder(path: folder.path)
        for name in ["First", "Second", "Third"] {
            let programme = try ShowProgramme(Evening(name, kind: .rehearsal), pieces: madeCourse().pieces)
            _ = try OpenedShow.open(programme, in: data, new: true, forward: { _, _ in })
        }
        let changer = try makeChanger(makeNext())
        let listed = await changer.listEarlierEvenings()
        // The newest show is the running one.
        #expect(listed.map(\.name) == ["Rehearsal: Second", "Rehearsal: First"])
        #expect(listed.allSatisfy { $0.pieces.isEmpty && $0.missing.count == 2 })
    }
}
