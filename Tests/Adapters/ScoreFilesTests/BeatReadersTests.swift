import MusicalTime
import Score
import Testing

@testable import ScoreFiles

@Suite struct BeatAnnotationsTests {
    @Test func downbeatsAreMeasuresAndWhatComesBeforeIsMeasureNought() throws {
        let times = try read(Fixture.beats)
        #expect(times.format == .beats)
        #expect(times.marks == marks([(0, 0.25), (1, 0.5), (2, 2.5), (3, 4.25)]))
        #expect(times.lineNumbers == [1, 2, 5, 7])
        #expect(times.readingWarnings.count == 3)
    }

    @Test func withoutAPickupCountingStartsAtOne() throws {
        let times = try read("0.5\t0.5\tdb,4/4,0\n1.5\t1.5\tb\n2.5\t2.5\tdb\n")
        #expect(times.marks == marks([(1, 0.5), (2, 2.5)]))
        #expect(times.readingWarnings.count == 1)
    }

    @Test func unknownLabelsAreNamedAndNotTakenForMeasures() {
        #expect(throws: row(2, .unknownBeatLabel("dbx"))) { try read("0.5\t0.5\tdb\n1.5\t1.5\tdbx\n") }
        #expect(throws: row(1, .wrongColumnCount(found: 2, expected: 3))) {
            try read("0.5\t0.5\n", as: .beats)
        }
        #expect(throws: MeasureTimesError.noMeasures(path: "times")) { try read("0.5\t0.5\tb\n1\t1\tb\n") }
    }
}

@Suite struct HarmonixBeatsTests {
    @Test func firstBeatsAreMeasuresAndAPickupIsKept() throws {
        let times = try read(Fixture.harmonix)
        #expect(times.format == .harmonix)
        #expect(times.marks == marks([(0, 0.25), (1, 0.5), (2, 2.5), (3, 4.25), (4, 6)]))
        #expect(times.lineNumbers == [1, 2, 4, 6, 8])
    }

    @Test func commasDoWhenTheFormatIsTold() throws {
        #expect(try read("0.5,1,1\n1.5,2,1\n2.5,1,2\n", as: .harmonix).marks == marks([(1, 0.5), (2, 2.5)]))
    }

    @Test func whatIsWrongIsNamed() {
        #expect(throws: row(1, .notABeat("x"))) { try read("0.5\tx\t1\n", as: .harmonix) }
        #expect(throws: row(1, .notAMeasureNumber("1.5"))) { try read("0.5\t1\t1.5\n", as: .harmonix) }
        #expect(throws: row(2, .wrongColumnCount(found: 2, expected: 3))) {
            try read("0.5\t1\t1\n0.7\t2\n", as: .harmonix)
        }
    }
}
