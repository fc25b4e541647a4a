import Testing

@testable import TakeReport

/// Lateness is what the neighbours do not share.
@Suite struct LocalTimingTests {
    /// A note each 0.4 s, with a deviation in seconds that is given for each instant.
    private func timing(_ deviation: (Double) -> Double, late: [Int: Double] = [:]) -> LocalTiming {
        LocalTiming(
            (0..<40).map { index in
                let time = 0.4 * Double(index)
                return MeasuredOnset(expected: time, deviation: deviation(time) + (late[index] ?? 0))
            })
    }

    @Test func anAlignmentThatIsOffEverywhereIsNoLateness() {
        for lateness in timing({ _ in 0.09 }).latenesses[1..<39] {
            #expect(abs(lateness?.seconds ?? 1) < 0.001)
        }
    }

    @Test func theFirstNoteAndTheLastAreNotJudged() {
        let found = timing({ _ in 0.09 }).latenesses
        #expect(found.first == .some(nil) && found.last == .some(nil))
    }

    @Test func anotherTempoThanThatOfTheScoreIsNoLateness() {
        for lateness in timing({ 0.03 * $0 }).latenesses[4..<36] {
            #expect(abs(lateness?.seconds ?? 1) < 0.01)
        }
    }

    @Test func aLateNoteIsLateByItselfAndItsNeighboursAreNot() {
        let found = timing({ 0.01 * $0 }, late: [12: 0.08, 20: -0.15])
        #expect(abs((found.latenesses[12]?.seconds ?? 0) - 0.08) < 0.01)
        #expect(abs((found.latenesses[20]?.seconds ?? 0) + 0.15) < 0.01)
        for index in [10, 11, 13, 14, 19, 21] { #expect(abs(found.latenesses[index]?.seconds ?? 1) < 0.02) }
    }

    @Test func anUnevenPlayerHasAWideSpread() {
        #expect(timing({ _ in 0 }).spread < 0.001)
        #expect(timing({ Int(($0 / 0.4).rounded()) % 2 == 0 ? 0.04 : -0.04 }).spread > 0.04)
    }

    @Test func tooFewNeighboursShowNothing() {
        let few = LocalTiming((0..<4).map { MeasuredOnset(expected: Double($0) * 0.4, deviation: 0) })
        #expect(few.latenesses.allSatisfy { $0 == nil } && few.spread == 0)
        #expect(LocalTiming([]).latenesses.isEmpty)
    }
}

/// Only partials that no other note has speak for a note.
@Suite struct FreePartialsTests {
    private func free(_ pitch: Int, among sounding: Set<Int>) -> FreePartials {
        FreePartials(of: pitch, among: sounding, resolution: 10) { 440 * .exp2(Double($0 - 69) / 12) }
    }

    @Test func aNoteAloneHasAllItsPartials() { #expect(free(60, among: []).numbers == Array(1...10)) }

    @Test func theUpperOctaveHasOnlyPartialsThatAreTooWeakInTheLowerNote() {
        #expect(free(72, among: [60]).numbers == [8, 9])
        #expect(free(60, among: [72]).numbers == [1, 3, 5, 7, 9])
    }

    @Test func aFifthSharesEachSecondPartial() {
        let numbers = free(67, among: [60]).numbers
        #expect(numbers.contains(1) && numbers.contains(3) && !numbers.contains(2) && !numbers.contains(4))
    }

    @Test func partialsAboveTheSpectraAreLeftOut() {
        #expect(free(100, among: []).numbers == [1])
    }
}
