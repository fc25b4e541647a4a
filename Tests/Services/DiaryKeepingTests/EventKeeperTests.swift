import Catalogue
import Diary
import Foundation
import Testing
import WebServer

@testable import DiaryKeeping
@testable import TestHelpers

/// Festivals and tours as people enter them, and evenings of an outside source that are taken over.
@Suite(.ownThreads) struct EventKeeperTests {
    private let folder: ServeFolder
    private let store: DiaryStore

    init() throws {
        folder = try ServeFolder()
        store = try DiaryStore(path: folder.path + "/diary.sqlite")
    }

    private func edit(
        _ concerts: String, revision: String = "", end: String = "2026-07-05", country: String = ""
    ) throws -> EventEdit {
        let json = """
            {"revision":"\(revision)","description":"Open air","startDate":"2026-07-04","endDate":"\(end)",
            "venue":"Meadow","city":"Musterstadt","countryCode":"\(country)","concerts":[\(concerts)]}
            """
        return try JSONBody.decode(EventEdit.self, from: Array(json.utf8))
    }

    private static let two = """
        {"date":"2026-07-04","start":"2026-07-04T20:00","ensemble":"The Examples","stage":"Big"},
        {"date":"2026-07-05","ensemble":"Muster Quartet"}
        """

    @Test func aFestivalIsWrittenWithItsConcertsAndTheSameAgainChangesNothing() async throws {
        let keeper = EventKeeper(store: store)
        let first = try await keeper.write(edit(Self.two), as: "fest")
        // The answer was lost, and the phone sends it again.
        #expect(try await keeper.write(edit(Self.two), as: "fest") == first)
        var query = DiaryQuery()
        query.event = "fest"
        let found = try await store.find(query)
        #expect(found.total == 2 && found.concerts.map(\.ensembleName) == ["The Examples", "Muster Quartet"])
        #expect(found.concerts.allSatisfy { $0.concert.venue == "Meadow" && $0.visibility == .published })
        let event = try #require(await store.event("fest"))
        #expect(event.performances["2026-07-04"]?["Big"]?.map(\.startTime) == ["2026-07-04T20:00"])
        #expect(try await store.ensembles().count == 2)
    }

    @Test func aConcertAfterMidnightHasOneDayEverywhere() async throws {
        let late =
            #"{"date":"2026-07-05","start":"2026-07-06T00:30","ensemble":"The Examples","stage":"Big"}"#
        _ = try await EventKeeper(store: store).write(edit(late), as: "fest")
        var query = DiaryQuery()
        query.event = "fest"
        let concert = try #require(await store.find(query).concerts.first?.concert)
        #expect(concert.date.description == "2026-07-06" && concert.time?.description == "00:30")
        let slots = try await store.event("fest")?.performances["2026-07-06"]?["Big"]
        #expect(slots?.first?.startTime == "2026-07-06T00:30")
    }

    @Test func anEventThatIsSentWithoutItsCountryKeepsIt() async throws {
        let keeper = EventKeeper(store: store)
        let seen = try await keeper.write(edit("", country: "AT"), as: "fest")
        let json = """
            {"revision":"\(seen)","description":"Open air","startDate":"2026-07-04","endDate":"2026-07-05",
            "concerts":[]}
            """
        _ = try await keeper.write(JSONBody.decode(EventEdit.self, from: Array(json.utf8)), as: "fest")
        #expect(try await store.event("fest")?.countryCode == "AT")
    }

    @Test func aFestivalIsInACountryThatThereIsButAnOldOneKeepsItsCode() async throws {
        let keeper = EventKeeper(store: store)
        await #expect(throws: DiaryInputFault.self) {
            try await keeper.write(edit("", country: "ZZ"), as: "fest")
        }
        _ = try await keeper.write(edit("", country: "AT"), as: "fest")
        var old = try #require(await store.event("fest"))
        #expect(old.countryCode == "AT")
        (old.id, old.countryCode) = ("old", "ZZ")
        try await store.save(old)
        let seen = EventEdit.revision(of: old, [])
        _ = try await keeper.write(edit("", revision: seen, end: "2026-07-06", country: "ZZ"), as: "old")
        #expect(try await store.event("old")?.endDate.description == "2026-07-06")
    }

    @Test func ofTwoPeopleTheLaterOneIsToldAndNothingOfHersIsWritten() async throws {
        let keeper = EventKeeper(store: store)
        let seen = try await keeper.write(edit(Self.two), as: "fest")
        let one = #"{"id":"fest-1","date":"2026-07-04","ensemble":"The Examples","stage":"Small"}"#
        _ = try await keeper.write(edit(one, revision: seen), as: "fest")
        do {
            _ = try await keeper.write(edit(Self.two, revision: seen), as: "fest")
            Issue.record("the later edit was written")
        } catch let refusal as Refusal {
            #expect(refusal.code == "conflict" && refusal.response.status == 409)
        }
        #expect(try await store.programmes(ofEvent: "fest").map(\.id) == ["fest-1"])
        // The concert that was taken off stays in the diary.
        #expect(try await store.programme("fest-2")?.concerts[0].event == nil)
        #expect(try await store.programme("fest-1")?.concerts[0].stage == "Small")
    }

    @Test func whatElseAConcertHasStaysWhenItsEventIsEdited() async throws {
        let keeper = EventKeeper(store: store)
        let seen = try await keeper.write(edit(Self.two), as: "fest")
        let old = try #require(await store.programme("fest-1"))
        var new = old
        new.items = [ProgrammeItem(composer: "Mahler", title: "First")]
        #expect(try await store.replace(old, by: new))
        let later = #"{"id":"fest-1","date":"2026-07-05","ensemble":"The Examples","stage":"Big"}"#
        _ = try await keeper.write(edit(later, revision: seen), as: "fest")
        let kept = try #require(await store.programme("fest-1"))
        #expect(kept.items.map(\.title) == ["First"] && kept.concerts[0].date.description == "2026-07-05")
        #expect(try await store.removeEvent("fest"))
        #expect(try await store.programme("fest-1")?.concerts[0].event == nil)
    }

    @Test(arguments: [
        (#"{"date":"2026-07-09","ensemble":"X"}"#, "date"),
        (#"{"date":"2026-07-04","ensemble":" "}"#, "ensemble"),
        (#"{"date":"2026-07-04","ensemble":"X","id":"other"}"#, "concerts"),
        (
            #"{"id":"a","date":"2026-07-04","ensemble":"X"},{"id":"a","date":"2026-07-04","ensemble":"Y"}"#,
            "concerts"
        ),
    ])
    func aWrongConcertIsToldAndNothingIsWritten(_ concerts: String, _ field: String) async throws {
        let day = try #require(CalendarDate("2026-01-01"))
        try await store.save(Ensemble(id: "house", name: "The house"))
        try await store.save(
            ConcertProgramme(
                id: "other", ensemble: "house", concerts: [DiaryConcert(id: "other", date: day)],
                provenance: Provenance(.typed)))
        var said: DiaryInputFault?
        do { _ = try await EventKeeper(store: store).write(edit(concerts), as: "fest") } catch {
            said = error as? DiaryInputFault
        }
        #expect(said?.field == field)
        #expect(try await store.event("fest") == nil)
        #expect(try await store.ensembles().count == 1)
    }

    // MARK: Evenings of an outside source

    private func setlist(version: String, songs: [String] = ["Opener"]) throws -> OutsideSetlist {
        OutsideSetlist(
            id: "63de", version: version, date: try #require(CalendarDate("2026-11-23")),
            ensemble: "The Examples",
            ensembleMBID: "11111111-2222-4333-8444-555555555555", venue: "Town hall", city: "Musterstadt",
            countryCode: "AT", songs: songs.map { .init(title: $0) }, link: "https://www.setlist.fm/x")
    }

    @Test func anEveningIsImportedOnceAndFollowsTheSourceUntilAPersonTypes() async throws {
        let take = SetlistImport(store: store, source: "setlist.fm")
        #expect(try await take.write(setlist(version: "a")) == .added)
        #expect(try await take.write(setlist(version: "a", songs: ["Other"])) == .unchanged)
        #expect(try await take.write(setlist(version: "b", songs: ["Opener", "More"])) == .changed)
        let entry = try #require(await store.programme("setlistfm-63de"))
        #expect(entry.visibility == .proposed && entry.items.map(\.title) == ["Opener", "More"])
        #expect(entry.provenance.usual == .imported && entry.provenance.source == "setlist.fm")
        #expect(
            entry.provenance.record == .init(id: "63de", version: "b", link: "https://www.setlist.fm/x"))
        #expect(try await store.ensemble("11111111-2222-4333-8444-555555555555")?.name == "The Examples")
        var typed = entry
        typed.concerts[0].venue = "Barn"
        typed.provenance.set(.typed, for: "concerts/0/venue")
        #expect(try await store.replace(entry, by: typed))
        #expect(try await take.write(setlist(version: "c")) == .kept)
        #expect(try await store.programme("setlistfm-63de") == typed)
    }

    @Test func worksAreFoundByWhatIsLinkedToThem() async throws {
        let work = MusicalWork(id: "w", composer: "Mahler", title: "First")
        try await store.save(work)
        let linked = try await store.changeWork("w") {
            $0.links[.model].append("mahler-1")
            $0.links[.tab].append("tab-1")
        }
        #expect(linked?.links.models == ["mahler-1"])
        #expect(try await store.works(linkedTo: "mahler-1", .model).map(\.id) == ["w"])
        #expect(try await store.works(linkedTo: "mahler-1", .score).isEmpty)
        #expect(try await store.works(linkedTo: "mahler", .model).isEmpty)
        #expect(try await store.changeWork("none") { _ in } == nil)
    }
}
