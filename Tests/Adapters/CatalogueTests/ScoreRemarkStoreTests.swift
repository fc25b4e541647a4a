import Foundation
import GRDB
import Rehearsal
import Testing

@testable import Catalogue

/// Remarks of scores on the disk, and on the other server.
@Suite struct ScoreRemarkStoreTests {
    private let anna = User.ID(high: 0x4000, low: 0x8000_0000_0000_0001)
    private let score = Score.ID(high: 0x4000, low: 0x8000_0000_0000_0050)

    private func folder() throws -> String {
        let folder = NSTemporaryDirectory() + "/score-remarks-\(UUID().uuidString)"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        return folder
    }

    private var writer: ScoreWriter { ScoreWriter(user: anna, isLibrarian: false, pageCounts: [4]) }

    private func place(_ text: String? = nil) throws -> ScoreEvent {
        ScoreEvent(
            id: .new(),
            act: .placeRemark(
                Remark(
                    id: .new(), layer: ScoreLayer.ownID(of: anna), author: anna, part: 0, page: 0,
                    anchor: try PagePoint(x: 1, y: 2),
                    shape: try text.map { .text(try RemarkText($0)) } ?? .stamp(.fermata))))
    }

    @Test func whatWasAcceptedIsThereAfterTheStoreIsOpenedAgain() async throws {
        let path = try folder() + "/catalogue.sqlite"
        let store = try CatalogueStore(path: path)
        let outcome = try await store.applyScoreEvents([place("dolce"), place()], in: score, by: writer)
        #expect(outcome.answers.count == 2 && !outcome.isSeenByOthers)
        let again = try CatalogueStore(path: path)
        #expect(try await again.ownRemarks(of: anna, in: score).count == 2)
        #expect(try await again.findRemarks("DOLC", seenBy: ScoreReader(anna), in: nil, most: 9).count == 1)
    }

    @Test func revisionsRiseAlsoAfterATakeoverByAServerThatHasLessOfThem() async throws {
        let store = try CatalogueStore(path: try folder() + "/catalogue.sqlite")
        let (early, late) = (Date(timeIntervalSince1970: 1_000), Date(timeIntervalSince1970: 2_000))
        _ = try await store.applyScoreEvents([place(), place()], in: score, by: writer, at: early)
        let before = try await store.scoreRemarks(of: score, seenBy: ScoreReader(anna), after: 0).revision
        _ = try await store.applyScoreEvents([place()], in: score, by: writer, at: late)
        let after = try await store.scoreRemarks(of: score, seenBy: ScoreReader(anna), after: before)
        #expect(after.remarksJSON.count == 1 && after.revision > 2_000_000)
        // A clock that goes back gives no number twice.
        _ = try await store.applyScoreEvents([place()], in: score, by: writer, at: early)
        #expect(
            try await store.scoreRemarks(of: score, seenBy: ScoreReader(anna), after: after.revision)
                .remarksJSON.count
                == 1)
    }

    @Test func theOldestErasedRemarksAndEventsAreForgotten() async throws {
        let store = try CatalogueStore(path: try folder() + "/catalogue.sqlite")
        let count = ScoreRemarkLimits.rememberedEventIDs / 2 + 100
        var events: [ScoreEvent] = []
        for _ in 0..<count {
            let event = try place()
            guard case .placeRemark(let remark) = event.act else { continue }
            events += [event, ScoreEvent(id: .new(), act: .eraseRemark(remark.id))]
        }
        for start in stride(from: 0, to: events.count, by: 1_000) {
            _ = try await store.applyScoreEvents(
                Array(events[start..<min(start + 1_000, events.count)]), in: score, by: writer)
        }
        let kept = try await store.read { db in
            (
                try Int.fetchOne(db, sql: "SELECT count(*) FROM scoreEvent") ?? 0,
                try Int.fetchOne(db, sql: "SELECT count(*) FROM scoreRemark WHERE isErased") ?? 0
            )
        }
        #expect(kept.0 == ScoreRemarkLimits.rememberedEventIDs)
        #expect(kept.1 == count, "fewer than are remembered")
    }

    @Test func aLongScoreComesInPieces() async throws {
        let store = try CatalogueStore(path: try folder() + "/catalogue.sqlite")
        let events = try (0..<(CatalogueStore.mostRemarksInPage + 5)).map { _ in try place() }
        _ = try await store.applyScoreEvents(events, in: score, by: writer)
        let first = try await store.scoreRemarks(of: score, seenBy: ScoreReader(anna), after: 0)
        #expect(!first.isAll && first.remarksJSON.count == CatalogueStore.mostRemarksInPage)
        let rest = try await store.scoreRemarks(of: score, seenBy: ScoreReader(anna), after: first.revision)
        #expect(rest.isAll && rest.remarksJSON.count == 5 && rest.check[0] == Int64(events.count))
    }

    @Test func anAccountThatIsRemovedLeavesNothingThatOnlyItSaw() async throws {
        let store = try CatalogueStore(path: try folder() + "/catalogue.sqlite")
        _ = try await store.addAccount(named: "root", role: .administrator, passwordHash: "h")
        let account = try await store.addAccount(named: "bert", role: .musician, passwordHash: "h")
        let bert = try #require(User.ID(account.id.rawValue))
        let remark = Remark(
            id: .new(), layer: ScoreLayer.ownID(of: bert), author: bert, part: 0, page: 0,
            anchor: try PagePoint(x: 1, y: 2), shape: .stamp(.fermata))
        _ = try await store.applyScoreEvents(
            [ScoreEvent(id: .new(), act: .placeRemark(remark)), try place()], in: score,
            by: ScoreWriter(user: bert, isLibrarian: false, pageCounts: [4]))
        try await store.removeAccount(account.id)
        #expect(try await store.ownRemarks(of: bert, in: score).isEmpty)
    }

    @Test func theOtherServerGetsRemarksLayersBookmarksAndGifts() async throws {
        let (here, there) = (try folder() + "/catalogue.sqlite", try folder() + "/catalogue.sqlite")
        let (store, copy) = (try CatalogueStore(path: here), try CatalogueStore(path: there))
        let (journal, follower) = (try RowChangeJournal(path: here), try RowChangeJournal(path: there))
        let bookmark = try ScoreBookmark(id: .new(), name: "Coda", part: 0, page: 3)
        _ = try await store.applyScoreEvents(
            [place("dolce"), ScoreEvent(id: .new(), act: .putBookmark(bookmark))], in: score, by: writer)
        let layer = try ScoreLayer(id: .new(), kind: .section, owner: anna, name: "Bowings", writers: [anna])
        _ = try await store.putSectionLayer(layer, in: score, by: layer.owner, isLibrarian: true)
        let remarks = try await store.ownRemarks(of: anna, in: score)
        _ = try await store.addGift(
            UUID().uuidString, .give, of: score, from: anna, named: "anna", name: "Set", remarks: remarks,
            to: [UUID().uuidString])
        let batch = try await journal.changes(after: 0, mostBytes: 1 << 20)
        #expect(batch.isComplete)
        let arrivals = try ReceivedRowChanges()
        try await arrivals.add(batch.changes)
        try await follower.applyReceivedChanges(arrivals, anew: true, from: batch.sourceState.ownPosition)
        let page = try await copy.scoreRemarks(of: score, seenBy: ScoreReader(anna), after: 0)
        #expect(page.remarksJSON.count == 1 && page.bookmarksJSON.count == 1)
        #expect(page.layers.map(\.name) == ["My remarks", "Bowings"])
        #expect(try await copy.gifts(of: anna).given.map(\.name) == ["Set"])
    }
}
