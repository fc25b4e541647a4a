import Diary
import Foundation
import Testing
import WebServer

@testable import DiaryKeeping

/// Conductors and soloists of a heard evening, typed by people, and what becomes of them when music follows.
struct PerformersTests {
    private static func heard(_ model: String, _ start: Int64, _ end: Int64) -> HeardPerformance {
        HeardPerformance(show: "s", model: model, startMilliseconds: start, endMilliseconds: end)
    }

    /// The same symphony twice, with an interval between, as one movement and as two.
    private func entry() throws -> ConcertProgramme {
        let date = try #require(CalendarDate("2026-11-23"))
        return ConcertProgramme(
            id: "e", ensemble: "house", title: "Gala", visibility: .proposed,
            concerts: [DiaryConcert(id: "c", date: date, endTime: TimeOfDay("21:00"))],
            items: [
                ProgrammeItem(
                    composer: "Mahler", title: "First", movements: ["I"], heard: Self.heard("m", 0, 10)),
                ProgrammeItem(
                    composer: "Mahler", title: "First", movements: ["II"], heard: Self.heard("n", 10, 20)),
                ProgrammeItem(kind: .interval, title: "Intermission"),
                ProgrammeItem(composer: "Mahler", title: "First", heard: Self.heard("m", 30, 40)),
            ], provenance: Provenance(.heard))
    }

    private func apply(_ json: String, to entry: inout ConcertProgramme) throws -> [EntryEdit.Conflict] {
        var name = "The house"
        return try JSONBody.decode(EntryEdit.self, from: Array(json.utf8)).apply(
            to: &entry, concert: 0, ensembleName: &name)
    }

    private static func change(_ group: Int, from: String = "", to: String, soloists: String = "[]") -> String
    {
        let before = from.isEmpty ? "[]" : "[\"\(from)\"]"
        return """
            {"changes":{"performers/\(group)":{
            "from":{"composer":"Mahler","title":"First","conductors":\(before),"soloists":[]},
            "to":{"composer":"Mahler","title":"First","conductors":["\(to)"],"soloists":\(soloists)}}}}
            """
    }

    @Test func aConductorIsTypedForAllMovementsOfAWorkAndForNoOther() throws {
        var entry = try entry()
        let soloists = #"[{"name":"Kremer","instrument":"violin"}]"#
        #expect(try apply(Self.change(0, to: "Bernstein", soloists: soloists), to: &entry).isEmpty)
        #expect(entry.items.map(\.conductors) == [["Bernstein"], ["Bernstein"], [], []])
        #expect(entry.items[1].soloists == [.init(name: "Kremer", instrument: "violin")])
        #expect(entry.provenance.origin(of: "items/0/conductors") == .typed)
        #expect(entry.provenance.origin(of: "items/0/title") == .heard)
        #expect(entry.provenance.origin(of: "items/3/conductors") == .heard)
        // The same work later in the evening is another one.
        #expect(try apply(Self.change(1, to: "Walter"), to: &entry).isEmpty)
        #expect(entry.items.map(\.conductors) == [["Bernstein"], ["Bernstein"], [], ["Walter"]])
    }

    @Test func theSecondOfTwoPeopleIsToldAndOtherWorksAreTheirs() throws {
        var entry = try entry()
        #expect(try apply(Self.change(0, to: "Bernstein"), to: &entry).isEmpty)
        #expect(try apply(Self.change(1, to: "Walter"), to: &entry).isEmpty)
        let conflicts = try apply(Self.change(0, to: "Mengelberg"), to: &entry)
        #expect(conflicts.map(\.field) == ["performers/0"])
        #expect(try apply(Self.change(0, from: "Bernstein", to: "Mengelberg"), to: &entry).isEmpty)
        #expect(entry.items[0].conductors == ["Mengelberg"])
    }

    @Test func performersGoWithTheirWorkWhenTheProgrammeChanges() throws {
        var entry = try entry()
        #expect(try apply(Self.change(1, to: "Walter"), to: &entry).isEmpty)
        let works = """
            {"changes":{"works":{"from":[{"composer":"Mahler","title":"First"},{"composer":"Mahler","title":"First"}],
            "to":[{"composer":"Bach","title":"Air"},{"composer":"Mahler","title":"First"},
            {"composer":"Mahler","title":"First"}]}}}
            """
        #expect(try apply(works, to: &entry).isEmpty)
        let place = try #require(entry.items.firstIndex { $0.conductors == ["Walter"] })
        #expect(entry.provenance.origin(of: "items/\(place)/conductors") == .typed)
        #expect(entry.provenance.origin(of: "items/\(place)/movements") == .heard)
    }

    @Test(arguments: [
        (#"{"composer":"Mahler","title":"First","conductors":[" "],"soloists":[]}"#, "performers/0"),
        (#"{"composer":"Mahler","title":"Second","conductors":["X"],"soloists":[]}"#, "performers/0"),
        (
            #"{"composer":"Mahler","title":"First","conductors":[],"soloists":[{"name":"a\u0007b"}]}"#,
            "performers/0"
        ),
        (#""Bernstein""#, "performers/0"),
    ])
    func wrongPerformersAreToldWithTheirField(_ to: String, _ field: String) throws {
        var entry = try entry()
        let from = #"{"composer":"Mahler","title":"First","conductors":[],"soloists":[]}"#
        #expect {
            _ = try apply(#"{"changes":{"\#(field)":{"from":\#(from),"to":\#(to)}}}"#, to: &entry)
        } throws: { ($0 as? DiaryInputFault)?.field == field }
        #expect {
            _ = try apply(#"{"changes":{"performers/9":{"from":\#(from),"to":\#(from)}}}"#, to: &entry)
        } throws: { ($0 as? DiaryInputFault)?.field == "performers/9" }
    }

    @Test func anEncoreIsAddedToAnEntryThatPeopleEditedMeanwhile() throws {
        var account = EveningAccount()
        (account.show, account.started, account.isOver) = ("s", "1970-01-01T00:00:00Z", true)
        func playing(
            _ folder: String, _ from: Int64, _ to: Int64, encore: Bool = false
        ) -> EveningAccount.Playing {
            EveningAccount.Playing(
                folder: folder, name: folder, composer: "", work: folder, movement: "", from: from, to: to,
                isEncore: encore, barCount: 9)
        }
        account.playings = [playing("m", 0, 60_000)]
        let first = try #require(EveningEntry(account, timeZone: .gmt)).programme
        var kept = first
        #expect(try apply(#"{"changes":{"venue":{"from":"","to":"Barn"}}}"#, to: &kept).isEmpty)
        kept.items[0].conductors = ["Bernstein"]
        // The same log again changes nothing.
        #expect(EveningEntry(account, timeZone: .gmt)?.programme(after: kept) == kept)
        account.playings.append(playing("n", 90_000, 180_000, encore: true))
        let merged = try #require(EveningEntry(account, timeZone: .gmt)?.programme(after: kept))
        #expect(merged.items.map(\.title) == ["m", "n"] && merged.items[1].isEncore)
        #expect(merged.concerts[0].venue == "Barn" && merged.items[0].conductors == ["Bernstein"])
        #expect(merged.concerts[0].endTime == TimeOfDay("00:03"))
        #expect(EveningEntry(account, timeZone: .gmt)?.programme(after: first)?.items.count == 2)
    }
}
