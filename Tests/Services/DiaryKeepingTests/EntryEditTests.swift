import Diary
import Foundation
import Testing
import WebServer

@testable import DiaryKeeping

/// Edits of entries by several people, and the checks of what they write.
struct EntryEditTests {
    private func entry() throws -> ConcertProgramme {
        let date = try #require(CalendarDate("2026-11-23"))
        let heard = HeardPerformance(show: "s", model: "m", startMilliseconds: 0, endMilliseconds: 1)
        return ConcertProgramme(
            id: "e", ensemble: "house", title: "Gala",
            concerts: [DiaryConcert(id: "c", date: date, venue: "Hall")],
            items: [
                ProgrammeItem(composer: "Mahler", title: "First", movements: ["I"], heard: heard),
                ProgrammeItem(composer: "Mahler", title: "First", movements: ["II"], heard: heard),
                ProgrammeItem(kind: .interval, title: "Intermission"),
                ProgrammeItem(composer: "Bach", title: "Air", heard: heard),
            ], provenance: Provenance(.heard))
    }

    private func apply(_ json: String, to entry: inout ConcertProgramme) throws -> [EntryEdit.Conflict] {
        var name = "The house"
        return try JSONBody.decode(EntryEdit.self, from: Array(json.utf8)).apply(
            to: &entry, concert: 0, ensembleName: &name)
    }

    @Test(arguments: ["", "  "]) func emptyTitleIsRefused(title: String) throws {
        var entry = try entry()
        #expect {
            _ = try apply(#"{"changes":{"title":{"from":"Gala","to":"\#(title)"}}}"#, to: &entry)
        } throws: { ($0 as? DiaryInputFault)?.field == "title" }
        #expect(entry.title == "Gala")
    }

    @Test func editsOfDifferentFieldsBothHold() throws {
        var entry = try entry()
        #expect(try apply(#"{"changes":{"title":{"from":"Gala","to":"Ball"}}}"#, to: &entry).isEmpty)
        #expect(try apply(#"{"changes":{"venue":{"from":"Hall","to":"Barn"}}}"#, to: &entry).isEmpty)
        #expect(entry.title == "Ball" && entry.concerts[0].venue == "Barn")
        #expect(entry.provenance.origin(of: "title") == .typed)
        #expect(entry.provenance.origin(of: "concerts/0/venue") == .typed)
        #expect(entry.provenance.origin(of: "items/0/title") == .heard)
        #expect(!entry.isUntouchedProposal)
    }

    @Test func aLaterEditOfTheSameFieldIsTold() throws {
        var entry = try entry()
        #expect(try apply(#"{"changes":{"title":{"from":"Gala","to":"Ball"}}}"#, to: &entry).isEmpty)
        let conflicts = try apply(#"{"changes":{"title":{"from":"Gala","to":"Feast"}}}"#, to: &entry)
        #expect(conflicts == [.init(field: "title", theirs: .text("Ball"), yours: .text("Feast"))])
        // The same value twice is no conflict.
        #expect(try apply(#"{"changes":{"title":{"from":"Gala","to":"Ball"}}}"#, to: &entry).isEmpty)
    }

    @Test func aConcertMovesToAnotherDayAndHourInOneEdit() throws {
        var entry = try entry()
        (entry.concerts[0].time, entry.concerts[0].endTime) = (TimeOfDay("20:00"), TimeOfDay("22:00"))
        let change = """
            {"changes":{"date":{"from":"2026-11-23","to":"2026-11-30"},
            "start":{"from":"2026-11-23T20:00","to":"2026-11-30T19:00"},
            "end":{"from":"2026-11-23T22:00","to":"2026-12-01T00:30"}}}
            """
        #expect(try apply(change, to: &entry).isEmpty)
        let concert = entry.concerts[0]
        #expect(concert.date.description == "2026-11-30" && concert.time?.description == "19:00")
        #expect(concert.endDate?.description == "2026-12-01" && concert.endTime?.description == "00:30")
    }

    @Test func oneMovesTheDayAndAnotherTheHourAndBothHold() throws {
        var entry = try entry()
        (entry.concerts[0].time, entry.concerts[0].endTime) = (TimeOfDay("20:00"), TimeOfDay("22:00"))
        #expect(
            try apply(#"{"changes":{"date":{"from":"2026-11-23","to":"2026-11-24"}}}"#, to: &entry).isEmpty)
        let hour = #"{"changes":{"start":{"from":"2026-11-23T20:00","to":"2026-11-23T19:30"}}}"#
        #expect(try apply(hour, to: &entry).isEmpty)
        let concert = entry.concerts[0]
        #expect(concert.date.description == "2026-11-24" && concert.time?.description == "19:30")
        #expect(concert.endDate == nil && concert.endTime?.description == "22:00")
    }

    @Test func onlyCountryCodesInUseAreWritten() throws {
        var entry = try entry()
        #expect(try apply(#"{"changes":{"country":{"from":"","to":"at"}}}"#, to: &entry).isEmpty)
        #expect(entry.concerts[0].countryCode == "AT")
        for code in ["ZZ", "XX", "SU", "ß", "ıt", "A", "AUT", "12"] {
            let change = #"{"changes":{"country":{"from":"AT","to":"\#(code)"}}}"#
            #expect {
                _ = try apply(change, to: &entry)
            } throws: { error in
                let fault = error as? DiaryInputFault
                return fault?.field == "country"
                    && fault?.sentence.contains("“\(code)” is no country") == true
            }
        }
        #expect(try apply(#"{"changes":{"country":{"from":"AT","to":""}}}"#, to: &entry).isEmpty)
        #expect(entry.concerts[0].countryCode == nil)
    }

    @Test func anOldEntryKeepsACodeThatIsNotInUse() throws {
        var entry = try entry()
        entry.concerts[0].countryCode = "ZZ"
        let stored = try JSONDecoder().decode(ConcertProgramme.self, from: JSONEncoder().encode(entry))
        #expect(stored.concerts[0].countryCode == "ZZ")
        let change = #"{"changes":{"country":{"from":"ZZ","to":"ZZ"},"venue":{"from":"Hall","to":"Barn"}}}"#
        #expect(try apply(change, to: &entry).isEmpty)
        #expect(entry.concerts[0].countryCode == "ZZ" && entry.concerts[0].venue == "Barn")
    }

    @Test func theTableOfCountryCodesIsThatOfTheInstalledList() throws {
        #expect(CountryCode.inUse.count == 250)
        let installed = CountryList.installed.countries.map(\.code)
        // The package may be missing.
        #expect(installed.isEmpty || Set(installed).isSubset(of: CountryCode.inUse))
    }

    @Test func anEndBeforeTheBeginningIsRefused() throws {
        for (start, end) in [("20:00", "2026-11-23T19:00"), ("20:00", "2026-11-22T22:00")] {
            var entry = try entry()
            entry.concerts[0].time = TimeOfDay(start)
            #expect {
                _ = try apply(#"{"changes":{"end":{"from":"","to":"\#(end)"}}}"#, to: &entry)
            } throws: { ($0 as? DiaryInputFault)?.field == "end" }
        }
    }

    @Test func linksOfRecordingsAreKeptAndOnlyThoseOfTheWeb() throws {
        var entry = try entry()
        let links = "https://video.example/watch?v=1\\n http://example.org/air "
        #expect(try apply(#"{"changes":{"recordings":{"from":"","to":"\#(links)"}}}"#, to: &entry).isEmpty)
        #expect(
            entry.concerts[0].recordings.map(\.address) == [
                "https://video.example/watch?v=1", "http://example.org/air",
            ])
        #expect(entry.provenance.origin(of: "concerts/0/recordings") == .typed)
        for wrong in [
            "javascript:alert(1)", "ftp://example.org/a", "https://", "https://localhost/a",
            "video.example/1",
            "https://me@example.org/", "https://example.org/a b", "https://exämple.org/", "https://a..b/",
            "https://example.org:123456/", "https://example.org/" + String(repeating: "a", count: 500),
        ] {
            #expect(RecordingLink(wrong) == nil, "\(wrong)")
        }
        #expect {
            let wrong = #"{"changes":{"recordings":{"from":"","to":"javascript:alert(1)"}}}"#
            var other = try self.entry()
            _ = try apply(wrong, to: &other)
        } throws: { ($0 as? DiaryInputFault)?.field == "recordings" }
    }

    @Test func aCommentOfTenThousandCharactersIsKeptWhole() throws {
        var entry = try entry()
        let comment = String(repeating: "♪", count: 10_000)
        #expect(try apply(#"{"changes":{"comment":{"from":"","to":"\#(comment)"}}}"#, to: &entry).isEmpty)
        #expect(entry.note == comment)
    }

    @Test func aWorkThatGetsAnotherNameKeepsWhatWasHeardOfIt() throws {
        var entry = try entry()
        let change = """
            {"changes":{"works":{"from":[{"composer":"Mahler","title":"First"},{"composer":"Bach","title":"Air"}],
            "to":[{"composer":"Mahler","title":"Symphony No. 1"},{"composer":"Bach","title":"Air"},
            {"composer":"","title":"Polka"}]}}}
            """
        #expect(try apply(change, to: &entry).isEmpty)
        #expect(
            entry.items.map(\.title) == ["Symphony No. 1", "Symphony No. 1", "Intermission", "Air", "Polka"])
        #expect(entry.items.map { $0.heard != nil } == [true, true, false, true, false])
        let origins = (0..<5).map { entry.provenance.origin(of: "items/\($0)/title") }
        #expect(origins == [.typed, .typed, .heard, .heard, .typed])
    }

    @Test func aWorkThatWasHeardIsRemovedOnlyOnPurpose() throws {
        let works =
            #"{"from":[{"composer":"Mahler","title":"First"},{"composer":"Bach","title":"Air"}],"to":[]}"#
        var entry = try entry()
        let before = entry
        #expect {
            _ = try apply(#"{"changes":{"works":\#(works)}}"#, to: &entry)
        } throws: {
            ($0 as? DiaryInputFault)?.code == "heard-works"
        }
        #expect(entry == before)
        #expect(try apply(#"{"changes":{"works":\#(works)},"removesHeard":true}"#, to: &entry).isEmpty)
        #expect(entry.items.allSatisfy { $0.heard == nil })
    }

    @Test(arguments: [
        (#"{"changes":{"date":{"from":"2026-11-23","to":"2026-02-30"}}}"#, "date"),
        (#"{"changes":{"start":{"from":"","to":"2026-11-23T25:00"}}}"#, "start"),
        (#"{"changes":{"owner":{"from":"","to":"me"}}}"#, "owner"),
        (#"{"changes":{"title":{"from":"Gala","to":true}}}"#, "title"),
        (#"{"changes":{"venue":{"from":"Hall","to":"a\u0007b"}}}"#, "venue"),
        (#"{"changes":{"ensemble":{"from":"The house","to":" "}}}"#, "ensemble"),
    ])
    func aWrongValueIsToldWithItsField(_ json: String, _ field: String) throws {
        var entry = try entry()
        #expect {
            _ = try apply(json, to: &entry)
        } throws: { error in
            (error as? DiaryInputFault)?.field == field
                && !((error as? DiaryInputFault)?.sentence.isEmpty ?? true)
        }
    }

    @Test func localTimesAreReadAndZonesAreNot() {
        #expect(ISOMoment("2026-11-23")?.time == nil && ISOMoment("2026-11-23") != nil)
        #expect(ISOMoment("2026-11-23T20:15")?.time?.description == "20:15")
        #expect(ISOMoment("2026-11-23T20:15:30.000")?.time?.description == "20:15")
        for wrong in [
            "2026-11-23T20:15Z", "2026-11-23T20:15:00+01:00", "2026-11-31", "T20:15", "2026-11-23T", "",
        ] {
            #expect(ISOMoment(wrong) == nil, "\(wrong)")
        }
    }

    @Test func countriesHaveTheirNamesInManyLanguages() throws {
        let list = CountryList.installed
        guard list.missingSentence == nil else { return }
        let austria = try #require(list.countries.first { $0.code == "AT" })
        #expect(
            list.countries.count > 240 && austria.name["de"] == "Österreich"
                && austria.name["en"] == "Austria")
        let none = CountryList(root: "/nowhere")
        #expect(none.countries.isEmpty && none.missingSentence?.contains("iso-codes") == true)
    }

    @Test func aDamagedTranslationFileHasNoTranslations() {
        let head: [UInt8] = [0xDE, 0x12, 0x04, 0x95, 0, 0, 0, 0]
        #expect(TranslationFile([]) == nil && TranslationFile(head) == nil)
        let lying = TranslationFile(head + [255, 255, 0, 0, 28, 0, 0, 0, 255, 255, 255, 127])
        #expect(lying == nil || lying?["Austria"] == nil)
    }
}
