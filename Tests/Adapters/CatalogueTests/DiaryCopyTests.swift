import Diary
import Foundation
import Testing

@testable import Catalogue

/// The diary on a backup server, row by row.
@Suite struct DiaryCopyTests {
    private struct End {
        let folder: CatalogueFolder
        let store: DiaryStore
        let journal: RowChangeJournal

        init() throws {
            folder = try CatalogueFolder()
            store = try DiaryStore(path: folder.path + "/diary.sqlite")
            journal = try RowChangeJournal(path: folder.path + "/diary.sqlite")
        }

        func save(_ id: String, _ composer: String, _ title: String) async throws {
            try await store.save(Ensemble(id: "house", name: "The house"))
            try await store.save(
                ConcertProgramme(
                    id: id, ensemble: "house", visibility: .published,
                    concerts: [DiaryConcert(id: id + "-1", date: try #require(CalendarDate("2026-05-04")))],
                    items: [ProgrammeItem(composer: composer, title: title)], provenance: Provenance(.typed)))
        }

        /// Copies all changes of another diary.
        func copy(_ other: End) async throws {
            let state = try await journal.replicationState()
            let start = try await other.journal.replicationState().resumeNumber(for: state.copiedFrom)
            let batch = try await other.journal.changes(after: start ?? 0, mostBytes: 1 << 30)
            let received = try ReceivedRowChanges()
            try await received.add(batch.changes)
            let mark = ReplicationPosition(
                lineage: batch.sourceState.ownPosition.lineage, number: batch.lastNumber)
            try await journal.applyReceivedChanges(received, anew: start == nil, from: mark)
        }

        func found(_ words: String) async throws -> Int {
            var query = DiaryQuery()
            query.composers = [words]
            return try await store.find(query, offset: 0, limit: 10).total
        }
    }

    @Test func entriesAreOnTheBackupAndAreFoundByTheirWords() async throws {
        let (main, backup) = (try End(), try End())
        try await main.save("one", "Dvořák, Antonín", "Husitská")
        try await backup.copy(main)
        #expect(try await backup.store.programme("one") == main.store.programme("one"))
        #expect(try await backup.found("dvorak") == 1)
        // Only what changed comes the second time, and what was found before is found still.
        try await main.save("two", "Smetana, Bedřich", "Vltava")
        try await backup.copy(main)
        #expect(try await backup.found("smetana") == 1)
        #expect(try await backup.found("dvorak") == 1)
        // After a takeover the copy is written to like any diary.
        try await backup.save("three", "Janáček, Leoš", "Sinfonietta")
        #expect(try await backup.found("janacek") == 1)
    }

    @Test func theDocumentsOfAnErasedAccountAreGone() async throws {
        let main = try End()
        _ = try await main.store.savePersonalDocument(
            Array("{}".utf8), id: "a", of: "ada", after: 0, atMilliseconds: 1)
        try await main.store.removePersonalDocuments(of: "ada")
        #expect(try await main.store.personalDocuments(of: "ada").isEmpty)
    }

    @Test func aRemovedAccountIsErasedWithItsTabs() async throws {
        let folder = try CatalogueFolder()
        let store = try CatalogueStore(path: folder.path + "/catalogue.sqlite")
        let ada = try await store.addAccount(named: "ada", role: .musician, passwordHash: "x")
        let change = PracticeTabChange(
            id: "t", account: ada.id.rawValue, owner: "ada", title: "Tab", content: Array("{}".utf8),
            isShared: false, baseVersion: 0)
        _ = try await store.savePracticeTab(
            change,
            within: PracticeTabLimits(
                tabsOfAccount: 9, bytesOfAccount: 999, totalBytes: 999))
        try await store.removeAccount(ada.id)
        #expect(try await store.erasures(of: .account) == [ada.id.rawValue])
        #expect(try await store.practiceTabs(readableBy: ada.id.rawValue).isEmpty)
        // Noting it again changes nothing.
        try await store.noteErasure(of: .account, named: ada.id.rawValue)
        #expect(try await store.erasures(of: .account).count == 1)
    }
}
