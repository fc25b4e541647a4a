import Basics
import Score
import Testing

@testable import ScoreFiles

@Suite struct MeasureLabelTests {
    @Test func numbersAreFoundBehindTheUsualWords() {
        for text in [
            "12", "m12", "M. 12", "mm.12", "bar 12", "Bar12", " measure 12 ", "Takt 12", "T12", "mes. 12",
        ] {
            #expect(MeasureLabel(text) == .measureNumber(12), "\(text)")
        }
    }

    @Test func otherWordsNameNoMeasure() {
        for text in ["", "Allegro", "12a", "12-13", "-1", "m", "letter 12", "1.000001", "1..2", "m1.2"] {
            #expect(MeasureLabel(text) == .namesNoMeasure, "\(text)")
        }
        #expect(MeasureLabel("END") == .end)
        #expect(MeasureLabel("12.3") == .barAndBeat(12, beat: 3))
    }
}

@Suite struct AudacityLabelsTests {
    @Test func labelsNumberTheMeasures() throws {
        let times = try read(Fixture.audacity)
        #expect(times.format == .audacity)
        #expect(times.marks == Fixture.sixMeasures)
        #expect(times.lineNumbers == [1, 3, 4, 5, 6, 7])
        #expect(times.end == ReferenceTime(seconds: 12))
        #expect(
            times.readingWarnings == [
                "1 of 6 labels name no measure and were counted on; the first is “” in line 7."
            ])
    }

    @Test func emptyLabelsAreCountedThrough() throws {
        let times = try read("0.5\t0.5\t\n2.5\t2.5\t\n")
        #expect(times.format == .audacity)
        #expect(times.marks == marks([(1, 0.5), (2, 2.5)]))
        #expect(
            times.readingWarnings == ["No label names a measure: the measures were counted through from 1."])
        #expect(
            try read("0.500000\t0.500000\n2.500001\t2.500001\n").marks == marks([(1, 0.5), (2, 2.500001)]))
    }

    @Test func labelsBeforeTheFirstNumberAreCountedBack() throws {
        let times = try read("0.5\t0.5\tpickup\n1.5\t1.5\t1\n2.5\t2.5\tAllegro\n3.5\t3.5\t7\n")
        #expect(times.marks.map(\.printed) == [0, 1, 2, 7])
        #expect(try read("1.5\t1.5\tx\n2.5\t2.5\ty\n3.5\t3.5\t1\n").marks.map(\.printed) == [1, 2, 1])
    }

    @Test func labelsOfTheOldestVersionsAreRead() throws {
        #expect(try read("0.5\tintro\n2.5\t2\n", as: .audacity).marks == marks([(1, 0.5), (2, 2.5)]))
    }

    @Test func badTimesAreNamed() {
        #expect(throws: row(2, .notATime("x"))) { try read("0.5\t0.5\t1\nx\t1\t2\n", as: .audacity) }
        #expect(throws: row(1, .decimalComma("0,5"))) { try read("0,5\t0,5\t1\n2,5\t2,5\t2\n") }
        #expect(throws: row(2, .measureAfterEnd)) { try read("0.5\t0.5\tend\n1.5\t1.5\tend\n") }
    }
}

@Suite struct SonicVisualiserLayerTests {
    @Test func aLayerWithLabelsIsRead() throws {
        let times = try read(Fixture.sonicVisualiser)
        #expect(times.format == .sonicVisualiser)
        #expect(times.marks == Fixture.sixMeasures)
        #expect(times.end == ReferenceTime(seconds: 12))
        #expect(times.readingWarnings == ["Measure numbers are those of the labels."])
    }

    @Test(arguments: [
        "0.5\n2.5\n", "TIME\n0.5\n2.5\n", "TIME,LABEL\n0.5,New Point\n2.5,New Point\n",
        "FRAME,TIME,LABEL\n22050,0.5,1\n110250,2.5,2\n", "TIME,VALUE,LABEL\n0.5,120,1\n2.5,121,2\n",
        "0.5,\"one, two\"\n2.5,\"three\"\n", "0.5,80.25,one\n2.5,81.5,two\n", "0.5\tone\n2.5\ttwo\n",
    ])
    func spellingsOfALayerMeanTheSame(_ text: String) throws {
        let times = try read(text)
        #expect(times.format == .sonicVisualiser)
        #expect(times.marks == marks([(1, 0.5), (2, 2.5)]))
    }

    @Test func barsAndBeatsAreThinnedToBars() throws {
        let times = try read("0.5,3.2\n1.0,4.1\n1.5,4.2\n2.0,5.1\n2.5,5.2\n3.0,end\n")
        #expect(times.marks == marks([(3, 0.5), (4, 1), (5, 2)]))
        #expect(times.end == ReferenceTime(seconds: 3))
        #expect(
            times.readingWarnings.first
                == "Labels are bar.beat: only the first beats were taken for measures.")
    }

    @Test func framesAloneAreRefused() {
        #expect(throws: row(1, .framesInsteadOfSeconds)) { try read("FRAME,LABEL\n44100,1\n") }
    }
}
