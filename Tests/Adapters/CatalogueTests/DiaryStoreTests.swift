import Diary
import Foundation
import Synchronization
import Testing

@testable import Catalogue

@Suite struct DiaryStoreTests {
    let folder: CatalogueFolder
    let store: DiaryStore

    init() async throws {
        folder = try CatalogueFolder()
        store = try DiaryStore(path: folder.path + "/diary.sqlite")
        try await store.save(Ensemble(id: "phil", mbid: "m-1", name: "Philharmonic"))
    }

    private func item(
        _ composer: String, _ title: String, _ conductor: String = "", soloist: String? = nil,
        work: String? = nil
    ) -> ProgrammeItem {
        ProgrammeItem(
            work: work, composer: composer, title: title, conductors: conductor.isEmpty ? [] : [conductor],
            soloists: soloist.map { [ProgrammeItem.Soloist(name: $0)] } ?? [])
    }

    private func save(
        _ id: String, _ days: [String], _ items: [ProgrammeItem], venue: String = "Carnegie Hall",
        type: String = "Tour",
        visibility: ConcertProgramme.Visibility = .published
    ) async throws {
        let concerts = try days.map { day in
            DiaryConcert(
                id: "\(id)/\(day)", date: try #require(CalendarDate(day)), type: type, venue: venue,
                city: "Manhattan",
                countryCode: "US")
        }
        try await store.save(
            ConcertProgramme(
                id: id, ensemble: "phil", visibility: visibility, concerts: concerts, items: items,
                provenance: Provenance(.typed)))
    }

    private func saveSome() async throws {
        try await save(
            "a", ["1909-01-01", "1909-01-02"],
            [
                item("Beethoven, Ludwig van", "SYMPHONY NO. 5 IN C MINOR, OP.67", "Mahler, Gustav"),
                item("Dvorak, Antonín", "HUSITSKA, OP.67", "Damrosch, Walter"),
            ])
        try await save(
            "b", ["1958-05-05"],
            [
                item(
                    "Dvorak, Antonín", "SYMPHONY NO. 9, E MINOR, OP.95 (FROM THE NEW WORLD)",
                    "Bernstein, Leonard"),
                item(
                    "Gershwin, George", "RHAPSODY IN BLUE", "Bernstein, Leonard",
                    soloist: "Bernstein, Leonard"),
            ], venue: "Carnegie Hall Weill Recital Hall", type: "Young People's Concert")
        try await save(
            "c", ["1960-02-29"], [item("Shapero, Harold", "SYMPHONY NO. 9", "Bernstein, Elmer")],
            venue: "Town Hall")
    }

    private func ids(_ change: (inout DiaryQuery) -> Void) async throws -> [String] {
        var query = DiaryQuery()
        change(&query)
        return try await store.find(query).concerts.map(\.concert.id)
    }

    @Test func namesAreFoundAsPeopleTypeThem() async throws {
        try await saveSome()
        for name in ["bernstein", "BERNSTEIN,  leonard", "Leonard Bernstein", "Bernst"] {
            #expect(try await ids { $0.conductors = [name] }.contains("b/1958-05-05"), "\(name)")
        }
        #expect(try await ids { $0.conductors = ["Leonard Bernstein"] } == ["b/1958-05-05"])
        #expect(
            try await ids { $0.composers = ["Dvořák"] } == ["a/1909-01-01", "a/1909-01-02", "b/1958-05-05"])
        #expect(try await ids { $0.types = ["young peoples concert"] } == ["b/1958-05-05"])
        #expect(try await ids { $0.soloists = ["Mahler"] } == [])
    }

    @Test(arguments: [
        ("beethoven 5", ["SYMPHONY NO. 5 IN C MINOR, OP.67"]),
        ("beeth symphony", ["SYMPHONY NO. 5 IN C MINOR, OP.67"]),
        ("new world dvorak", ["SYMPHONY NO. 9, E MINOR, OP.95 (FROM THE NEW WORLD)"]),
        ("op. 67 dvorak", ["HUSITSKA, OP.67"]), ("gershwin 9", []), ("mahler 5", []),
    ])
    func aWorkIsFoundByItsComposerAndWordsOfItsTitle(_ text: String, _ titles: [String]) async throws {
        try await saveSome()
        let found = try await store.suggestions(for: text, query: DiaryQuery(), most: 8)
        #expect(found.works.map(\.title) == titles)
        #expect(found.works.allSatisfy { $0.count > 0 })
    }

    private func saveMore() async throws {
        try await saveSome()
        try await save(
            "d", ["1963-11-24"],
            [
                item("Mahler, Gustav", "SYMPHONY NO. 2 IN C MINOR", "Bernstein, Leonard"),
                item("Beethoven, Ludwig van", "SYMPHONY NO. 3, E-FLAT MAJOR, OP.55", "Foss, Lukas"),
            ], venue: "Philharmonic Hall")
        try await save(
            "e", ["1965-02-02"],
            [
                item("Mahler, Gustav", "SYMPHONY NO. 1 IN D MAJOR", "Bernstein, Leonard"),
                item("Stravinsky, Igor", "SACRE DU PRINTEMPS, LE", "Boulez, Pierre"),
                item("Tchaikovsky, Pyotr Ilyich", "MARCHE SLAVE, OP.31", "Boulez, Pierre"),
            ], venue: "Avery Fisher Hall")
        try await store.save([Country(code: "US", name: ["en": "United States", "de": "Vereinigte Staaten"])])
    }

    @Test(arguments: [
        ("Bernstein Mahler 2 1963", ["d"]), ("1963 mahler BERNSTEIN", ["d"]), ("november 1963", ["d"]),
        ("24. November 1963", ["d"]), ("11/24/1963", ["d"]), ("1963-11", ["d"]),
        ("1960s Mahler", ["e", "d"]),
        ("Bernstien Mahler 1963", ["d"]), ("Mahler second symphony", ["d"]),
        ("Beethoven op. 67 Mahler", ["a", "a"]),
        ("Tschaikowsky Boulez", ["e"]), ("Чайковский Boulez", ["e"]), ("Strawinsky Sacre 1965", ["e"]),
        ("Rite of Spring Boulez", ["e"]), ("Eroica Foss", ["d"]), ("Boulez Mahler", ["e"]),
        ("Bernstein Mahler Geffen Hall", ["e", "d"]), ("Vereinigte Staaten 1958", ["b"]),
        ("Bernstein Mahler 9", []), ("Boulez 1963", []), ("Xqzw Mahler", []),
    ])
    func aTextOfSeveralKindsOfWordsIsTakenApart(text: String, found: [String]) async throws {
        try await saveMore()
        let concerts = try await store.search(text, DiaryQuery(), most: 8, limit: 10).concerts.page.concerts
        #expect(concerts.map(\.programme) == found)
    }

    @Test(arguments: [
        ("Tschaikowsky", "Tchaikovsky, Pyotr Ilyich"), ("Rachmaninoff", nil),
        ("Stravinski", "Stravinsky, Igor"),
        ("Bethoven", "Beethoven, Ludwig van"), ("Dworschak", "Dvorak, Antonín"), ("Boules", "Boulez, Pierre"),
    ])
    func aNameIsFoundByItsSound(text: String, name: String?) async throws {
        try await saveMore()
        #expect(
            try await store.suggestions(for: text, query: DiaryQuery(), most: 8).people.first?.name == name)
    }

    @Test func nicknamesPlacesAndFestivalsAreFound() async throws {
        try await saveMore()
        let day = try #require(CalendarDate("1965-02-02"))
        try await store.save(
            DiaryEvent(id: "f", description: "Stravinsky Days", startDate: day, endDate: day))
        func found(_ text: String) async throws -> DiarySuggestions {
            try await store.suggestions(for: text, query: DiaryQuery(), most: 8)
        }
        #expect(try await found("Rite of Spring").works.map(\.title) == ["SACRE DU PRINTEMPS, LE"])
        #expect(try await found("Resurrection").works.first?.title.hasPrefix("SYMPHONY NO. 2") == true)
        #expect(try await found("carnegy hall").venues.first?.name == "Carnegie Hall")
        #expect(try await found("Geffen").venues.map(\.name) == ["Avery Fisher Hall", "Philharmonic Hall"])
        #expect(try await found("Vereinigte Staaten").countries.map(\.name) == ["United States"])
        #expect(try await found("stravinsky days").events.map(\.id) == ["f"])
        #expect(try await found("manhattan").towns.first?.count == 6)
    }

    /// An earlier version wrote no sounds and no names of places: the migration makes them.
    @Test func aDiaryOfAnEarlierVersionIsSearchedToo() async throws {
        try await saveMore()
        let path = folder.path + "/diary.sqlite"
        try await store.databaseWriter.write { db in
            try db.execute(
                sql: """
                    DROP INDEX concertByPlace; DROP TABLE wordSounds; DROP TABLE countryNames;
                    DELETE FROM name WHERE kind >= 8; DELETE FROM grdb_migrations WHERE identifier = 'diary-4';
                    """)
        }
        let later = try DiaryStore(path: path)
        for text in ["Bernstien Mahler 1963", "Mahler Vereinigte Staaten 1963", "Mahler Manhattan 1963"] {
            let found = try await later.search(text, DiaryQuery(), most: 8, limit: 10).concerts.page.concerts
            #expect(found.map(\.programme) == ["d"], "\(text)")
        }
    }

    @Test func placesKeepTheirFirstSpellingSoThatAnExportComesBackAsItWent() async throws {
        try await save("z", ["2026-01-01"], [item("Satie, Erik", "GYMNOPÉDIE")], venue: "Café Central")
        try await save("y", ["2026-01-02"], [item("SATIE, ERIK", "Gymnopedie")], venue: "CAFE CENTRAL")
        try await save("x", ["2026-01-03"], [item("satie, erik", "gymnopédie")], venue: "Cafe' central")
        @Sendable func records(_ store: DiaryStore) async throws -> [String] {
            let lines = Mutex<[String]>([])
            try await store.exportRecords { export in
                try export.forEach { kind, document in
                    lines.withLock { $0.append("\(kind) " + String(decoding: document, as: UTF8.self)) }
                }
            }
            return lines.withLock { $0 }
        }
        let first = try await records(store)
        #expect(first.contains { $0.contains("venue") && $0.contains("Café Central") })
        let copy = try DiaryStore(path: folder.path + "/copy.sqlite")
        _ = try await copy.importRecords(format: "json", atMilliseconds: 0) { [first] records in
            let decoder = JSONDecoder()
            for line in first {
                let parts = line.split(separator: " ", maxSplits: 1).map(String.init)
                let document = Data(parts[1].utf8)
                switch DiaryRecord.Kind(rawValue: parts[0]) {
                case .ensembles: try records.restore(.ensemble(decoder.decode(Ensemble.self, from: document)))
                case .works: try records.restore(.work(decoder.decode(MusicalWork.self, from: document)))
                case .cities: try records.restore(.city(decoder.decode(City.self, from: document)))
                case .venues: try records.restore(.venue(decoder.decode(Venue.self, from: document)))
                case .programmes:
                    try records.restore(.programme(decoder.decode(ConcertProgramme.self, from: document)))
                default: break
                }
            }
            return []
        }
        #expect(try await records(copy) == first)
    }

    @Test func theWholeNameOfAHallMeansOnlyThatHall() async throws {
        try await saveSome()
        #expect(try await ids { $0.venues = ["carnegie hall"] } == ["a/1909-01-01", "a/1909-01-02"])
        #expect(try await ids { $0.venues = ["Carnegie"] }.count == 3)
        #expect(try await ids { $0.venues = ["Town Hall", "Weill"] } == ["b/1958-05-05", "c/1960-02-29"])
    }

    @Test func workComposerAndConductorHoldForTheSameItem() async throws {
        try await saveSome()
        #expect(
            try await ids {
                $0.works = ["op. 67"]; $0.composers = ["beethoven"]
            }.count == 2)
        #expect(
            try await ids {
                $0.works = ["Opus 67"]; $0.conductors = ["Damrosch"]; $0.composers = ["beethoven"]
            } == [])
        #expect(
            try await ids { $0.composers = ["beethoven", "dvorak"] } == ["a/1909-01-01", "a/1909-01-02"])
        #expect(try await ids { $0.works = ["new world symphony"] } == ["b/1958-05-05"])
        #expect(
            try await ids {
                $0.works = ["symphony 9"]; $0.composers = ["dvorak"]
            } == ["b/1958-05-05"])
        #expect(try await ids { $0.works = ["Symphony No. 9"] } == ["b/1958-05-05", "c/1960-02-29"])
    }

    @Test func daysAreBothIncludedAndThePageCountsAll() async throws {
        try await saveSome()
        var query = DiaryQuery()
        (query.start, query.end) = (CalendarDate("1909-01-02"), CalendarDate("1958-05-05"))
        let page = try await store.find(query, limit: 1)
        #expect(page.total == 2 && page.programmes == 2 && page.concerts.map(\.programme) == ["a"])
        #expect(page.first == query.start && page.last == query.end)
        #expect(try await store.find(query, offset: 1, limit: 9).concerts.map(\.programme) == ["b"])
        let json = try JSONSerialization.jsonObject(with: Data(try await store.findJSON(query)))
        let object = try #require(json as? [String: Any])
        #expect(object["total"] as? Int == 2 && (object["concerts"] as? [Any])?.count == 2)
    }

    @Test func tourDatesAreFoundByEnsembleAndPlace() async throws {
        try await saveSome()
        #expect(
            try await ids {
                $0.ensembles = ["m-1"]; $0.location = "manhattan"
            }.count == 4)
        #expect(try await ids { $0.location = "weill us" } == ["b/1958-05-05"])
        #expect(try await ids { $0.ensembles = ["other"] } == [])
    }

    @Test func whatIsNotPublishedIsFoundOnlyOnRequest() async throws {
        try await save("p", ["2026-01-01"], [], visibility: .proposed)
        #expect(try await ids { _ in } == [])
        #expect(try await ids { $0.visibilities = [.proposed] } == ["p/2026-01-01"])
    }

    @Test func aChangedEntryIsFoundByWhatItSaysNow() async throws {
        try await saveSome()
        try await save("a", ["1911-01-01"], [item("Weber, Carl Maria von", "OBERON", "Mahler, Gustav")])
        #expect(try await ids { $0.composers = ["Beethoven"] } == [])
        #expect(try await ids { $0.conductors = ["Mahler"] } == ["a/1911-01-01"])
        #expect(try await store.removeProgramme("a"))
        #expect(try await ids { $0.conductors = ["Mahler"] } == [])
        #expect(try await store.programme("a") == nil)
    }

    @Test func twoPeopleDoNotOverwriteEachOther() async throws {
        try await saveSome()
        let read = try #require(try await store.programme("c"))
        var mine = read
        mine.note = "mine"
        #expect(try await store.replace(read, by: mine))
        #expect(try await store.replace(read, by: read) == false)
        #expect(try await store.programme("c")?.note == "mine")
    }

    @Test func mergedWorksAreFoundTogetherAndPartedAgain() async throws {
        try await save("x", ["2000-01-01"], [item("Mozart", "Jupiter", work: "w1")])
        try await save("y", ["2000-01-02"], [item("Mozart, W. A.", "Symphony, K. 551", work: "w2")])
        #expect(try await ids { $0.works = ["K. 551"] } == ["y/2000-01-02"])
        try await store.mergeWorks(["w2"], into: "w1")
        #expect(try await ids { $0.works = ["KV 551"] } == ["x/2000-01-01", "y/2000-01-02"])
        #expect(try await store.statistics(of: DiaryQuery()).works == 1)
        await #expect(throws: CatalogueError.self) { try await store.mergeWorks(["w1"], into: "w2") }
        try await store.unmergeWork("w2")
        #expect(try await ids { $0.works = ["K. 551"] } == ["y/2000-01-02"])
    }

    @Test func impossibleEntriesAreRefusedWithASentence() async throws {
        await #expect(throws: CatalogueError.self) {
            try await store.save(
                ConcertProgramme(id: "n", ensemble: "phil", concerts: [], provenance: Provenance(.typed)))
        }
        try await saveSome()
        var copy = try #require(try await store.programme("a"))
        copy.id = "other"
        await #expect(throws: CatalogueError.self) { try await store.save(copy) }
        copy.concerts = [DiaryConcert(id: "z", date: copy.concerts[0].date)]
        copy.ensemble = "nobody"
        await #expect(throws: CatalogueError.self) { try await store.save(copy) }
    }

    @Test func impossibleTimesAndBarsAreRefused() async throws {
        try await save("h", ["2026-01-01"], [item("Bach", "Prelude")])
        var entry = try #require(try await store.programme("h"))
        let impossible: [(start: Int64, end: Int64, played: Int, seconds: Double)] = [
            (-1, 5, 0, 0), (5, 1, 0, 0), (0, .max, 0, 0), (0, 5, .max, 0), (0, 5, 0, 1e300),
        ]
        for heard in impossible {
            entry.items[0].heard = HeardPerformance(
                show: "s", model: "m", startMilliseconds: heard.start, endMilliseconds: heard.end,
                bars: [.init(played: heard.played, printed: 1, seconds: heard.seconds)])
            let given = entry
            await #expect(throws: CatalogueError.self) { try await store.save(given) }
        }
        entry.items[0].heard = HeardPerformance(
            show: "s", model: "m", startMilliseconds: 0, endMilliseconds: 253_402_300_799_999)
        try await store.save(entry)
    }

    @Test func aRemovedEntryIsKnownAsRemovedUntilItIsAddedAgain() async throws {
        try await saveSome()
        let entry = try #require(try await store.programme("c"))
        #expect(try await !store.isRemoved("c"))
        try await store.removeProgramme("c")
        #expect(try await store.isRemoved("c"))
        try await store.save(entry)
        #expect(try await !store.isRemoved("c"))
    }

    @Test func aHiddenEntryAddsItsHallOnceItIsPublished() async throws {
        for (visibility, count) in [(ConcertProgramme.Visibility.proposed, 0), (.published, 1)] {
            try await save("v", ["2026-01-01"], [], venue: "Cavernhall", visibility: visibility)
            #expect(try await store.venues(named: "Cavernhall").count == count)
        }
    }

    @Test func anImportThatFailsLeavesNothing() async throws {
        struct Broken: Error {}
        let programme = ConcertProgramme(
            id: "i", ensemble: "phil",
            concerts: [DiaryConcert(id: "i/1", date: try #require(CalendarDate("1900-01-01")))],
            provenance: Provenance(.imported))
        await #expect(throws: Broken.self) {
            _ = try await store.importRecords(format: "test", atMilliseconds: 1) { records in
                try records.add(programme)
                throw Broken()
            }
        }
        #expect(try await store.programme("i") == nil)
        for expected in [(1, 0), (0, 1)] {
            let counts = try await store.importRecords(format: "test", atMilliseconds: 1) { records in
                try records.add(programme)
                return []
            }
            #expect((counts.added, counts.unchanged) == expected)
        }
    }

    @Test func anEntryThatAPersonCorrectedStaysAtTheNextImport() async throws {
        try await saveSome()
        var other = try #require(try await store.programme("a"))
        other.season = "from the file"
        other.provenance = Provenance(.imported)
        let counts = try await store.importRecords(format: "test", atMilliseconds: 1) { [other] records in
            try records.add(other)
            return []
        }
        #expect(counts.kept == 1)
        #expect(try await store.programme("a")?.season == nil)
    }

    @Test func anEntryThatAPersonHidStaysHiddenAtTheNextImport() async throws {
        try await saveSome()
        var entry = try #require(try await store.programme("a"))
        entry.provenance = Provenance(.imported)
        entry.visibility = .private
        try await store.save(entry)
        entry.visibility = .published
        entry.season = "from the file"
        let counts = try await store.importRecords(format: "test", atMilliseconds: 1) { [entry] records in
            try records.add(entry)
            return []
        }
        let stored = try await store.programme("a")
        #expect(counts.changed == 1 && stored?.visibility == .private && stored?.season == "from the file")
    }

    @Test func aFailedImportGivesItsSpaceBack() async throws {
        struct Broken: Error {}
        let log = folder.path + "/diary.sqlite-wal"
        let size: @Sendable () -> Int = {
            (try? FileManager.default.attributesOfItem(atPath: log))?[.size] as? Int ?? -1
        }
        let most = Mutex(0)
        await #expect(throws: Broken.self) {
            _ = try await store.importRecords(format: "test", atMilliseconds: 1) { records in
                for number in 0..<300 {
                    try records.add(
                        ConcertProgramme(
                            id: "i\(number)", ensemble: "phil",
                            concerts: [
                                DiaryConcert(
                                    id: "i\(number)/1", date: try #require(CalendarDate("1900-01-01")))
                            ], provenance: Provenance(.imported), note: String(repeating: "n", count: 20_000))
                    )
                }
                most.withLock { $0 = size() }
                throw Broken()
            }
        }
        #expect(most.withLock { $0 } > 1_000_000, "the import does not fit into memory alone")
        #expect(size() == 0)
        #expect(try await ids { _ in } == [])
    }

    @Test(arguments: [false, true])
    func pagesOfConcertsAtTheSameTimeFollowEachOther(_ newestFirst: Bool) async throws {
        for number in 0..<7 { try await save("e\(number)", ["2000-01-0\(number / 3 + 1)"], []) }
        let whole = try await store.find(DiaryQuery(), limit: 100, newestFirst: newestFirst).concerts
        #expect(whole.count == 7)
        for limit in 1...4 {
            var paged: [FoundConcert] = []
            while true {
                let page = try await store.find(
                    DiaryQuery(), offset: paged.count, limit: limit, newestFirst: newestFirst)
                #expect(page.total == 7)
                guard !page.concerts.isEmpty else { break }
                paged += page.concerts
            }
            #expect(paged == whole, "\(limit) at a time")
        }
    }

    /// Two commands, or a command and a server, may make the diary at the same moment.
    @Test func aNewDiaryIsMadeByTwoAtOnce() async throws {
        for round in 0..<20 {
            let path = folder.path + "/new-\(round).sqlite"
            try await withThrowingTaskGroup(of: Void.self) { group in
                for _ in 0..<3 { group.addTask { _ = try DiaryStore(path: path) } }
                try await group.waitForAll()
            }
        }
    }

    @Test func theGenerationChangesWithEachWriteOfAnyStore() async throws {
        let other = try DiaryStore(path: folder.path + "/diary.sqlite")
        let first = try await store.generation()
        #expect(first != nil)
        #expect(try await store.generation() == first)
        try await other.save(Ensemble(id: "new", name: "New"))
        let second = try await store.generation()
        #expect(second != first)
        try await store.save(Ensemble(id: "newer", name: "Newer"))
        #expect(try await store.generation() != second)
    }

    @Test func personalDocumentsHaveRevisions() async throws {
        #expect(
            try await store.savePersonalDocument([1], id: "g", of: "me", after: 0, atMilliseconds: 1)
                == .saved(revision: 1))
        #expect(
            try await store.savePersonalDocument([2], id: "g", of: "me", after: 0, atMilliseconds: 2)
                == .conflict(StoredDocument(id: "g", content: [1], revision: 1)))
        #expect(
            try await store.savePersonalDocument([2], id: "g", of: "me", after: 1, atMilliseconds: 2)
                == .saved(revision: 2))
        #expect(try await store.personalDocuments(of: "me").map(\.content) == [[2]])
        #expect(try await store.personalDocuments(of: "you").isEmpty)
        try await store.removePersonalDocument("g", of: "me", atMilliseconds: 3)
        #expect(try await store.personalDocuments(of: "me").isEmpty)
        #expect(try await store.removedPersonalDocuments(of: "me") == ["g"])
        try await store.removePersonalDocuments(of: "me")
        #expect(try await store.removedPersonalDocuments(of: "me").isEmpty)
    }
}
