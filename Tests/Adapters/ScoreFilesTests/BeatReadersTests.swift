import Basics
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

/// What beat trackers and annotated data sets write: a number in the bar for each beat.
@Suite struct BeatNumbersTests {
    private static let sixBars = marks((1...6).map { ($0, 2.0 * Double($0) - 0.5) })

    /// Six bars of four beats, a line for each beat.
    private static func table(_ head: String = "", _ row: (_ time: String, _ bar: Int, _ beat: Int) -> String)
        -> String
    {
        var text = head
        for beat in 0..<24 {
            let time: Double = 1.5 + 0.5 * Double(beat)
            text += row("\(time)", beat / 4 + 1, beat % 4 + 1) + "\n"
        }
        return text
    }

    private static let files: [String] = [
        table { time, _, beat in "\(time)\t\(beat)" }, table { time, _, beat in "\(time),\(beat)" },
        table { time, _, beat in "\(time) \(beat)" }, table { time, _, beat in "  \(time)   \(beat).0 " },
        table { time, _, beat in "\(time)e+00 \(beat).000e+00" },
        table("time,beat\n") { time, _, beat in "\(time),\(beat)" },
        table("TIME,LABEL\n") { time, _, beat in "\(time),\(beat)" },
        table("sep=;\ntime;bar;beat\n") { time, bar, beat in "\(time);\(bar);\(beat)" },
        table("time,bar,beat\n") { time, bar, beat in "\(time),\(bar),\(beat)" },
        table { time, _, beat in "\(time)\t\(time)\t\(beat)" },
        table { time, _, beat in "0:\(time.count < 4 ? "0" : "")\(time),\(beat)" },
        table { time, bar, beat in "\(time)\t\(bar)\t\(beat)" },
    ]

    @Test(arguments: files) func measuresAreTheBeatsWithNumberOne(_ text: String) throws {
        let times = try read(text)
        #expect(times.marks == Self.sixBars)
        #expect(times.readingWarnings.contains { $0.contains("beat 1") })
    }

    @Test func textInUTF16IsReadToo() throws {
        let units = ([0xFEFF] + Self.files[0].utf16).flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] }
        #expect(try MeasureTimesFileReader.parse(units, path: "times").marks == Self.sixBars)
    }

    @Test func beatsBeforeTheFirstBarAreMeasureNought() throws {
        let times = try read("0.5,4\n1.0,1\n1.5,2\n2.0,3\n2.5,4\n3.0,1\n3.5,2\n4.0,3\n")
        #expect(times.marks == marks([(0, 0.5), (1, 1), (2, 3)]))
    }

    /// A passage of eight bars that is played three times, or beats of the slowest piece.
    @Test func betweenBeatsAndBarsThePersonDecides() throws {
        func text(_ seconds: Double) -> String {
            (0..<24).map { "\(seconds * Double($0)),\($0 % 8 + 1)\n" }.joined()
        }
        #expect(
            throws: MeasureTimesError.ambiguousFormat(
                path: "times", candidates: [.sonicVisualiser, .beatNumbers])
        ) {
            try read(text(1.875))
        }
        #expect(try read(text(1.875), as: .beatNumbers).marks.count == 3)
        #expect(try read(text(1.875), as: .sonicVisualiser).marks.count == 24)
        #expect(try read(text(2.75)).marks.count == 24)
    }

    @Test func hoursMinutesAndSecondsAreReadAndSaid() throws {
        let times = try read("measure,time\n1,0:59.5\n2,1:02\n3,1:01:02.25\n")
        #expect(times.marks == marks([(1, 59.5), (2, 62), (3, 3_662.25)]))
        #expect(
            times.readingWarnings == [
                "Times with colons, such as that in line 2, were read as hours, minutes and seconds."
            ])
        #expect(throws: row(2, .notATime("00:01:02:03"))) { try read("measure,time\n1,00:01:02:03\n") }
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
