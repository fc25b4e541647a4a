import Foundation
import Testing

@testable import Concert
@testable import Preparation
@testable import WebServer

/// Whoever is signed in makes own tabs follow; nothing else of the preparation is theirs, and nobody fills the server.
@Suite struct TabPieceTests {
    private struct New: Encodable { var name: String, ofTab: Bool? }
    private struct Order: Encodable {
        var kind: String
        var folder: String?
        var recording: String?
    }
    private struct Upload: Encodable { var name: String, bytes: Int, purpose: String }

    private static let student = WebPerson(id: "s1", name: "Robert", role: .musician)
    private static let other = WebPerson(id: "s2", name: "Ludwig", role: .technician)
    private static let pieces = "/api/prepare/pieces"

    private func makeTab(_ stage: PreparationStage, _ name: String = "Riff") async throws -> String {
        let answer = try await stage.ask(.post, Self.pieces, New(name: name, ofTab: true))
        return try #require(answer.json["id"] as? String, "\(answer)")
    }

    @Test(arguments: WebRole.allCases) func everyRoleMakesATabOfItsOwn(_ role: WebRole) async throws {
        let stage = try PreparationStage()
        stage.person = WebPerson(id: "x", name: "X", role: role)
        let id = try await makeTab(stage)
        #expect(try await stage.service.library.record(id).tabOwner == "x")
        let score = Upload(name: "tab.musicxml", bytes: 400, purpose: "score")
        #expect(try await stage.ask(.post, "\(Self.pieces)/\(id)/uploads", score).status == 200)
        #expect(try await stage.ask(.delete, "\(Self.pieces)/\(id)").status == 200)
    }

    @Test func aPieceOfSomebodyWhoIsNoEditorIsAlwaysATab() async throws {
        let stage = try PreparationStage()
        stage.person = Self.student
        let answer = try await stage.ask(.post, Self.pieces, New(name: "Riff", ofTab: nil))
        let id = try #require(answer.json["id"] as? String)
        #expect(try await stage.service.library.record(id).tabOwner == "s1")
    }

    @Test func thePiecesOfOthersAreNotThere() async throws {
        let stage = try PreparationStage()
        let house = try await stage.makePiece()
        stage.person = Self.student
        let own = try await makeTab(stage)
        for (person, piece) in [(Self.student, house), (Self.other, own), (Self.other, house)] {
            stage.person = person
            let place = "\(Self.pieces)/\(piece)"
            #expect(try await stage.ask(.delete, place).status == 404)
            #expect(
                try await stage.ask(
                    .post, place + "/uploads", Upload(name: "a.mid", bytes: 9, purpose: "score")
                ).status == 404)
            #expect(try await stage.ask(.put, place + "/uploads/u1?offset=0", bytes: [1]).status == 404)
            #expect(try await stage.ask(.post, place + "/jobs", Order(kind: "render")).status == 404)
            #expect(try await stage.ask(.get, place + "/jobs/j1").status == 404)
            #expect(try await stage.ask(.delete, place + "/jobs/j1").status == 404)
        }
        #expect(try await stage.service.library.record(own).tabOwner == "s1")
    }

    @Test func onlyWhatATabNeedsIsAllowed() async throws {
        let stage = try PreparationStage()
        stage.person = Self.student
        let place = "\(Self.pieces)/\(try await makeTab(stage))"
        for purpose in ["recording", "reference", "bars"] {
            let upload = Upload(name: "a.flac", bytes: 9, purpose: purpose)
            #expect(try await stage.ask(.post, place + "/uploads", upload).status == 403)
        }
        let large = Upload(name: "tab.musicxml", bytes: 2_000_001, purpose: "score")
        #expect(try await stage.ask(.post, place + "/uploads", large).json["code"] as? String == "too-large")
        for order in [
            Order(kind: "align"), Order(kind: "reference", recording: "r1"),
            Order(kind: "listen", recording: "r1"),
            Order(kind: "prepare", folder: "beethoven"), Order(kind: "prepare", folder: "tab-x"),
        ] {
            #expect(try await stage.ask(.post, place + "/jobs", order).status == 403, "\(order)")
        }
    }

    /// Makes a tab that was learned; returns its id and the folders of its model and recording.
    private func makeLearnedTab(_ stage: PreparationStage) async throws -> (id: String, folders: [String]) {
        let id = try await makeTab(stage)
        let folders = ["Models", "Recordings"].map { "\(stage.folder)/\($0)/\(TabPieces.folder(of: id))" }
        for folder in folders {
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
            try Data(#"{"name":"Riff","draft":"\#(id)","tabOwner":"s1"}"#.utf8).write(
                to: URL(fileURLWithPath: folder + "/piece.json"))
        }
        return (id, folders)
    }

    @Test func theOldestTabOfAnAccountMakesRoom() async throws {
        let stage = try PreparationStage()
        stage.person = Self.student
        let oldest = try await makeLearnedTab(stage)
        for number in 1..<TabPieces.mostOfAccount { _ = try await makeTab(stage, "Riff \(number)") }
        #expect(oldest.folders.allSatisfy(FileManager.default.fileExists(atPath:)))
        _ = try await makeTab(stage, "One more")
        #expect(stage.store.pieceIDs().count == TabPieces.mostOfAccount)
        #expect(!stage.store.pieceIDs().contains(oldest.id))
        #expect(!oldest.folders.contains(where: FileManager.default.fileExists(atPath:)))
    }

    @Test func aTabOnTheProgrammeKeepsItsModel() async throws {
        let stage = try PreparationStage(isOnProgramme: { $0.hasPrefix("tab-") })
        stage.person = Self.student
        let oldest = try await makeLearnedTab(stage)
        for number in 1...TabPieces.mostOfAccount { _ = try await makeTab(stage, "Riff \(number)") }
        #expect(!stage.store.pieceIDs().contains(oldest.id))
        #expect(oldest.folders.allSatisfy(FileManager.default.fileExists(atPath:)))
    }

    @Test func theTabsOfARemovedAccountGoWithAllThatWasMadeOfThem() async throws {
        let stage = try PreparationStage()
        let house = try await stage.makePiece()
        stage.person = Self.student
        let learned = try await makeLearnedTab(stage)
        _ = try await makeTab(stage, "Never learned")
        stage.person = Self.other
        let kept = try await makeTab(stage, "Another's")
        await stage.service.tabCleanup.carryOut()
        #expect(stage.store.pieceIDs().count == 4)
        stage.removedAccounts.ids.withLock { $0 = ["s1"] }
        await stage.service.tabCleanup.carryOut()
        #expect(Set(stage.store.pieceIDs()) == [house, kept])
        #expect(!learned.folders.contains(where: FileManager.default.fileExists(atPath:)))
    }

    @Test func aTaskOfARemovedAccountsTabEnds() async throws {
        let worker = ScriptedWorker(results: [], isOpen: false)
        let stage = try PreparationStage(worker: worker)
        stage.person = Self.student
        let id = try await makeTab(stage)
        let pending = PendingTask(id: "j1", task: .render)
        try await stage.service.library.change(id) { record in
            record.pending = [pending]
            return []
        }
        await stage.service.queue.begin(pending, of: id)
        stage.removedAccounts.ids.withLock { $0 = ["s1"] }
        worker.open()
        await stage.service.tabCleanup.carryOut()
        await stage.service.queue.waitUntilDone()
        #expect(stage.store.pieceIDs().isEmpty)
        await #expect(throws: Refusal.self) { try await stage.service.queue.job("j1", of: id) }
    }

    @Test func aRemovedAccountsTabOnTheProgrammeGoesWhenItHasLeftIt() async throws {
        let programme = PreparationStage.RemovedAccounts()
        let stage = try PreparationStage(isOnProgramme: { folder in
            programme.ids.withLock { $0.contains(folder) }
        })
        stage.person = Self.student
        let learned = try await makeLearnedTab(stage)
        programme.ids.withLock { $0 = [TabPieces.folder(of: learned.id)] }
        stage.removedAccounts.ids.withLock { $0 = ["s1"] }
        await stage.service.tabCleanup.carryOut()
        #expect(learned.folders.allSatisfy(FileManager.default.fileExists(atPath:)))
        programme.ids.withLock { $0 = [] }
        await stage.service.tabCleanup.carryOut()
        #expect(stage.store.pieceIDs().isEmpty)
        #expect(!learned.folders.contains(where: FileManager.default.fileExists(atPath:)))
    }

    @Test func theBackupCopiesThePiecesOfTheHouseAndNoTabs() async throws {
        let stage = try PreparationStage()
        stage.person = Self.student
        let learned = try await makeLearnedTab(stage)
        let house = "\(stage.folder)/Models/ode"
        try FileManager.default.createDirectory(atPath: house, withIntermediateDirectories: true)
        for folder in [house, learned.folders[0]] {
            try Data("{}".utf8).write(to: URL(fileURLWithPath: folder + "/model.json"))
        }
        let models = try #require(stage.service.replicatedFolders.first { $0.name == "models" })
        #expect(models.listItems().map(\.name) == ["ode"])
    }

    @Test func theLastPlacesAreForThoseWhoRunTheShow() async throws {
        let stage = try PreparationStage()
        for number in 0..<TabPieces.mostOfAll - TabPieces.reserve {
            _ = try await stage.service.library.create(name: "Riff", tabOwner: "a\(number)")
        }
        stage.person = Self.student
        let refused = try await stage.ask(.post, Self.pieces, New(name: "Riff", ofTab: true))
        #expect(refused.status == 422 && refused.json["code"] as? String == "full")
        stage.person = Self.other
        _ = try await makeTab(stage)
        stage.person = WebPerson(id: "1", name: "Clara", role: .editor)
        #expect(try await stage.ask(.post, Self.pieces, New(name: "Symphony", ofTab: nil)).status == 200)
    }

    @Test func anAccountHasOneTabLearnedAtATime() async throws {
        let stage = try PreparationStage()
        stage.person = Self.student
        let (one, two) = (try await makeTab(stage), try await makeTab(stage))
        try await stage.service.library.change(one) { record in
            record.pending = [PendingTask(id: "j1", task: .render)]
            return []
        }
        let answer = try await stage.ask(.post, "\(Self.pieces)/\(two)/jobs", Order(kind: "render"))
        #expect(answer.json["code"] as? String == "busy")
    }
}
