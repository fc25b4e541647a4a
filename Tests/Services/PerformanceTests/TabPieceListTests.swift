import Foundation
import Podium
import Repository
import Testing

@testable import Hosting
@testable import Performance
@testable import ShowStages
@testable import TestHelpers

/// People's tabs are pieces of their own, not of the house: those who run the show see none of them.
@Suite(.ownThreads) struct TabPieceListTests {
    private static let models = Repository.root.path + "/Models"
    private static let (tab, house) = (
        "beethoven-woo-59-fur-elise", "beethoven-symphony-9-ode-to-joy-variations"
    )
    /// Recordings in which one prepared piece is a student's tab.
    private let recordings: ServeFolder

    init() throws {
        recordings = try ServeFolder()
        try FileManager.default.createDirectory(
            atPath: "\(recordings.path)/\(Self.tab)", withIntermediateDirectories: true)
        try recordings.write(#"{"name":"Riff","draft":"p1","tabOwner":"a1"}"#, to: Self.tab + "/piece.json")
    }

    private func makeChanger() throws -> IdleProgrammeChanger {
        try IdleProgrammeChanger(models: Self.models, recordings: recordings.path)
    }

    @Test func theListForTheProgrammeHasNoTabs() async throws {
        let pieces = try await makeChanger().changer.listPreparedPieces()
        #expect(Set(pieces.map(\.folder)) == Set(Repository.concert).subtracting([Self.tab]))
    }

    @Test func aTabIsNotPutOnTheProgramme() async throws {
        let idle = try makeChanger()
        let outcome = await idle.changer.changeProgramme(
            to: WantedProgramme(pieces: [Self.house, Self.tab], revision: idle.revision),
            by: CommandSender(name: "Clara", role: .technician))
        guard case .notPossible(let sentence) = outcome else {
            Issue.record("\(outcome)")
            return
        }
        #expect(sentence.contains("only its owner may practise"), "\(sentence)")
    }

    @Test func theListOfTitlesHasNoTabs() async throws {
        let lists = PreparedTitleLists(
            builder: ShowProgrammeBuilder(recordingsFolderPath: recordings.path, dataFolder: recordings.path),
            modelsFolderPath: Self.models)
        let folders = await lists.listPieces().map(\.folder)
        #expect(folders.contains(Self.house) && !folders.contains(Self.tab))
    }
}
