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
