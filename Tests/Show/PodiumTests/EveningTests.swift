import Concert
import Foundation
import Podium
import Testing

/// The name of an evening, and its fields as a person may set them.
@Suite struct EveningTests {
    private func fault(_ fields: Evening.Fields) -> EveningFault? {
        do throws(EveningFault) { _ = try Evening.unnamed.changed(by: fields) } catch { return error }
        return nil
    }

    @Test func aRehearsalAndATryOutSayWhatTheyAre() {
        #expect(Evening("Grieg").name == "Grieg")
        #expect(Evening("Grieg", kind: .rehearsal).name == "Rehearsal: Grieg")
        #expect(Evening("Dress rehearsal", kind: .rehearsal).name == "Dress rehearsal")
        #expect(Evening("First", kind: .tryOut).name == "Try-out: First")
    }

    @Test func whatNobodySaysStays() throws {
        let evening = Evening("Grieg", kind: .rehearsal, date: "2026-11-29", place: "Barn")
        #expect(try evening.changed(by: Evening.Fields()) == evening)
        #expect(try evening.changed(by: Evening.Fields(evening)) == evening)
        let moved = try evening.changed(by: Evening.Fields(kind: "concert", date: "", place: "Town hall"))
        #expect(moved == Evening("Grieg", place: "Town hall"))
        #expect(try Evening.unnamed.changed(by: Evening.Fields(kind: "try-out", title: "")).name == "Try-out")
    }

    @Test func thePeopleAreLinesWithNameAndRole() throws {
        let lines = "Anna Berg, conductor\n\n Bo Ek \n"
        let gala = try Evening.unnamed.changed(by: Evening.Fields(people: lines))
        #expect(gala.people == [Performer(name: "Anna Berg", role: "conductor"), Performer(name: "Bo Ek")])
        #expect(gala.peopleText == "Anna Berg, conductor\nBo Ek")
        #expect(try gala.changed(by: Evening.Fields(gala)) == gala)
        #expect(try gala.changed(by: Evening.Fields(title: "Gala")).people == gala.people)
        #expect(try gala.changed(by: Evening.Fields(people: "")).people.isEmpty)
        #expect(try JSONDecoder().decode(Evening.self, from: JSONEncoder().encode(gala)) == gala)
        #expect(fault(Evening.Fields(people: String(repeating: "Bo\n", count: 61))) == .tooManyPeople)
        let (with, without) = try (
            ShowProgramme(gala, pieces: evening().pieces),
            ShowProgramme(Evening("Tonight"), pieces: evening().pieces)
        )
        #expect(with.orderRevision != without.orderRevision)
    }

    @Test func encoresAreTheLastPiecesAndNeverAll() throws {
        let gala = try Evening.unnamed.changed(by: Evening.Fields(encores: 9))
        let programme = try ShowProgramme(gala, pieces: evening().pieces)
        #expect(programme.announcedCount == 1 && programme.secretEncores(heard: nil) == [1])
        #expect(programme.leavingOut([1]).pieces.map(\.folder) == ["strauss-1"])
        #expect(ShowProgramme.empty(gala).secretEncores(heard: nil).isEmpty)
        #expect(try JSONDecoder().decode(Evening.self, from: JSONEncoder().encode(gala)) == gala)
    }

    @Test func whatIsNoEveningIsRefusedWithASentence() {
        #expect(fault(Evening.Fields(kind: "party")) == .unknownKind("party"))
        #expect(fault(Evening.Fields(title: "two\nlines")) == .notOneLine("title"))
        #expect(fault(Evening.Fields(place: String(repeating: "x", count: 201))) == .notOneLine("place"))
        for date in ["29.11.2026", "2026-13-01", "2026-00-10", "2026-11-32", "26-11-29", "2026-11-2x"] {
            #expect(fault(Evening.Fields(date: date)) == .noDate(date))
        }
        #expect(fault(Evening.Fields(kind: "party"))?.sentence.contains("rehearsal or try-out") == true)
    }

    @Test func aConcertIsWrittenAsBeforeThereWereKinds() throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        let concert = String(decoding: try encoder.encode(Evening("Grieg")), as: UTF8.self)
        #expect(concert == #"{"title":"Grieg"}"#)
        let programme = try ShowProgramme(
            Evening("Grieg", kind: .rehearsal, place: "Barn"), pieces: evening().pieces, intermissions: [0])
        let again = try JSONDecoder().decode(ShowProgramme.self, from: encoder.encode(programme))
        #expect(again == programme)
        let fields = try JSONSerialization.jsonObject(with: encoder.encode(evening())) as? [String: Any]
        #expect(fields.map { Set($0.keys) } == ["title", "pieces"])
    }

    @Test func anotherKindIsAnotherRevisionOfTheProgramme() throws {
        let rehearsal = try ShowProgramme(Evening("Tonight", kind: .rehearsal), pieces: evening().pieces)
        #expect(rehearsal.orderRevision != evening().orderRevision)
    }

    @Test func onlyTheMusicOfARehearsalCountsInRehearsalMode() throws {
        for (kind, counts) in [(Evening.Kind.rehearsal, true), (.tryOut, true), (.concert, false)] {
            var stage = Stage(try ShowProgramme(Evening("Tonight", kind: kind), pieces: evening().pieces))
            #expect(!stage.state.mayHavePlayed)
            stage.say("rehearsal on")
            #expect(!stage.podium.isMusicRehearsed)
            stage.play(0...2)
            #expect(stage.podium.isMusicRehearsed == counts)
            #expect(stage.state.mayHavePlayed && !stage.state.isLive)
        }
    }
}
