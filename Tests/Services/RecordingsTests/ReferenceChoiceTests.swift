import Foundation
import ReferenceStore
import Repository
import Testing

@testable import Hosting
@testable import Recordings

/// The pieces that recorded evenings can become references of.
@Suite struct ReferenceChoiceTests {
    @Test func peoplesTabsAreNotAmongThePieces() throws {
        let recordings = FileManager.default.temporaryDirectory.appending(path: "baton-\(UUID())")
        defer { try? FileManager.default.removeItem(at: recordings) }
        let tab = Repository.concert[0]
        try FileManager.default.createDirectory(
            at: recordings.appending(path: tab), withIntermediateDirectories: true)
        try Data(#"{"name":"Riff","draft":"p1","tabOwner":"a1"}"#.utf8).write(
            to: recordings.appending(path: tab + "/piece.json"))
        let choices = ReferenceChoicesJSON(
            recordings: [], models: ModelFolder(path: Repository.root.path + "/Models"),
            tabs: TabPieceOwners(recordings: recordings.path))
        #expect(Set(choices.pieces.map(\.folder)) == Set(Repository.concert.dropFirst()))
    }
}
