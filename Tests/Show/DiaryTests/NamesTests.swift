import Testing

@testable import Diary

/// Names as people type them.
@Suite struct NamesTests {
    @Test(arguments: [
        ("Dvořák,  Antonín", "dvorak antonin"), ("OP.67", "op 67"), ("Op67", "op 67"),
        ("BWV1068", "bwv 1068"),
        ("Händel", "handel"), ("Łódź", "lodz"), ("Sørensen", "sorensen"), ("Ægir & Weiß", "aegir weiss"),
        ("L’Arlésienne", "l arlesienne"), ("  ", ""), ("上山", "上山"), ("Kéler-Béla", "keler bela"),
    ])
    func caseAccentsSpacesAndSignsDoNotMatter(text: String, folded: String) {
        #expect(FoldedName.fold(text) == folded)
    }

    @Test func decomposedAccentsAreTheSameAsComposedOnes() {
        #expect(FoldedName.fold("Dvor\u{30C}a\u{301}k") == FoldedName.fold("Dvořák"))
    }

    @Test func equalNamesHaveEqualIDsAndOthersHaveOthers() {
        #expect(DiaryID.make("work", "Dvořák", "Op. 95") == DiaryID.make("work", "DVORAK", "op 95"))
        #expect(DiaryID.make("work", "a b", "c") != DiaryID.make("work", "a", "b c"))
        #expect(DiaryID.make("work", String(repeating: "x", count: 500)).utf8.count <= 100)
    }

    @Test func datesAreDaysThatExist() {
        #expect(CalendarDate("1893-12-16")?.number == 18_931_216)
        #expect(CalendarDate("1900-02-29") == nil && CalendarDate("2000-02-29") != nil)
        #expect(CalendarDate(startOf: "1908")?.description == "1908-01-01")
        #expect(CalendarDate(endOf: "1908-02")?.description == "1908-02-29")
        #expect(CalendarDate("16.12.1893") == nil && CalendarDate("1893-12-16T05") == nil)
    }

    @Test func timesAreReadInBothWays() {
        #expect(TimeOfDay("8:15PM")?.description == "20:15" && TimeOfDay("12:10 am")?.description == "00:10")
        #expect(
            TimeOfDay("12:00PM")?.twelveHourText == "12:00PM"
                && TimeOfDay("20:15")?.twelveHourText == "8:15PM")
        #expect(TimeOfDay("13:00PM") == nil && TimeOfDay("None") == nil && TimeOfDay("24:00") == nil)
    }

    @Test func aFieldHasTheOriginOfTheNearestPartThatContainsIt() {
        var provenance = Provenance(.heard)
        provenance.set(.typed, for: "items/2")
        provenance.set(.imported, for: "items/2/title")
        #expect(provenance.origin(of: "items/2/title") == .imported)
        #expect(provenance.origin(of: "items/2/heard/tempoRatio") == .typed)
        #expect(provenance.origin(of: "items/1/title") == .heard)
        provenance.set(.heard, for: "items/2")
        #expect(provenance.fields.isEmpty)
    }
}
