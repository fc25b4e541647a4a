import Basics
import Score
import Testing

@testable import ScoreFiles

@Suite struct CSVMeasuresTests {
    @Test func aTableWithHeaderIsRead() throws {
        let times = try read(Fixture.csv)
        #expect(times.format == .csv)
        #expect(times.marks == Fixture.sixMeasures)
        #expect(times.lineNumbers == [2, 3, 4, 5, 6, 7])
        #expect(times.end == ReferenceTime(seconds: 12))
    }

    @Test(arguments: [
        "1,0.5\n2,2.5\n",
        "\u{FEFF}measure,time\r\n1,0.5\r\n2,2.5\r\n",
        "measure;time\n1;0.5\n2;2.5",
        "measure\ttime\r1\t0.5\r2\t2.5",
        "# by hand\n\n  printed , time \n 1 , 0.5 \n\n# next\n2,2.5\n",
        "time,measure\n0.5,1\n2.5,2\n",
        "played,printed,time\n0,1,0.5\n1,2,2.5\n",
        "\"measure\",\"time\"\n\"1\",\"0.5\"\n\"2\",\"+2.5e0\"\n",
    ])
    func spellingsOfATableMeanTheSame(_ text: String) throws {
        #expect(try read(text).marks == marks([(1, 0.5), (2, 2.5)]))
    }

    @Test func playedAndPrintedAreKeptApart() throws {
        let times = try read("played,printed,time\n7,1,0\n8,2,1\n9,1,2\nend,end,3\n")
        #expect(times.marks.map(\.printed) == [1, 2, 1])
        #expect(times.end == ReferenceTime(seconds: 3))
    }

    @Test func decimalCommasAreRefusedWithTheValue() {
        #expect(throws: row(2, .decimalComma("0,5"))) { try read("measure;time\n1;0,5\n") }
        #expect(throws: row(2, .decimalComma("0,5"))) { try read("measure,time\n1,0,5\n") }
        #expect(throws: row(1, .decimalComma("0,5"))) { try read("1\t0,5\n2\t2,5\n") }
        #expect(throws: row(1, .threeColumnsNeedAHeader)) { try read("1,0,5\n2,2,5\n") }
        #expect(throws: row(1, .decimalComma("0,5"))) { try read("1,\"0,5\"\n") }
    }

    @Test func whatIsWrongIsNamedByLineAndValue() {
        #expect(throws: row(3, .notATime("soon"))) { try read("measure,time\n1,0.5\n2,soon\n") }
        #expect(throws: row(3, .notATime("nan"))) { try read("1,0.5\n2,1.5\n3,nan\n") }
        #expect(throws: row(2, .notATime("0x10"))) { try read("measure,time\n1,0x10\n") }
        #expect(throws: row(2, .notATime("1e9"))) { try read("measure,time\n1,1e9\n") }
        #expect(throws: row(2, .notAMeasureNumber("2b"))) { try read("measure,time\n2b,0.5\n") }
        #expect(throws: row(2, .notAMeasureNumber("-1"))) { try read("measure,time\n-1,0.5\n") }
        #expect(throws: row(2, .notAMeasureNumber("99999999999999999999"))) {
            try read("measure,time\n99999999999999999999,0.5\n")
        }
        #expect(throws: row(3, .wrongColumnCount(found: 1, expected: 2))) {
            try read("measure,time\n1,0.5\n2\n")
        }
        #expect(throws: row(3, .playedNumberNotConsecutive(found: 3, expected: 1))) {
            try read("played,printed,time\n0,1,0.5\n3,2,2.5\n")
        }
        #expect(throws: row(1, .invalidHeader("measure,page"))) { try read("measure,page\n1,0.5\n") }
        #expect(throws: row(4, .measureAfterEnd)) { try read("measure,time\n1,0.5\nend,3\n2,4\n") }
    }

    @Test func aSlipInOneRowDoesNotTurnTheTableIntoSomethingElse() {
        #expect(throws: row(2, .notATime("abc"))) { try read("1,0.5\n2,abc\n3,1.5\n") }
        #expect(throws: row(3, .wrongColumnCount(found: 3, expected: 2))) {
            try read("1,0.5\n2,1.5\n3,2.5,hello\n")
        }
        #expect(throws: row(2, .notAMeasureNumber("2.5"))) { try read("1,0.5\n2.5,1.0\n") }
    }

    @Test func nothingIsSaidToBeNothing() {
        for text in ["", "\n\n", "# only words\n", "measure,time\n", "\u{FEFF}"] {
            #expect(throws: MeasureTimesError.noMeasures(path: "times")) { try read(text) }
        }
    }

    @Test func limitsAreKept() {
        let rows = (0...MeasureTimesLimits.measures).map { "\($0 % 900),\($0).5" }.joined(separator: "\n")
        #expect(throws: MeasureTimesError.tooManyMeasures(path: "times", line: 100_001, limit: 100_000)) {
            try read(rows)
        }
        #expect(throws: row(2, .lineTooLong)) {
            try read("measure,time\n1,0." + String(repeating: "0", count: MeasureTimesLimits.lineBytes))
        }
    }
}
