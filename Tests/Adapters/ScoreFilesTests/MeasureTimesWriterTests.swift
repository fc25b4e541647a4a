import Basics
import Score
import Testing

@testable import ScoreFiles

@Suite struct MeasureTimesWriterTests {
    private let end = ReferenceTime(seconds: 12.000001)
    private let written = marks([
        (0, 0), (1, 0.1), (2, 2.499999), (1, 3_600.25), (2, 3_601.333333), (3, 3_700),
    ])

    @Test(arguments: [MeasureTimesFormat.csv, .audacity])
    func tablesComeBackTheSame(_ format: MeasureTimesFormat) throws {
        let late = ReferenceTime(seconds: 3_712.000001)
        let text =
            switch format {
            case .audacity: MeasureTimesWriter.makeAudacityLabels(written, end: late)
            default: MeasureTimesWriter.makeCSV(written, end: late)
            }
        let times = try read(text)
        #expect(times.format == format)
        #expect(times.marks == written)
        #expect(times.end == late)
    }

    @Test func theServersXMLComesBackTheSame() throws {
        let name = try PieceName("Weber, <Oberon> & “Co”: a&\u{301}b")
        let times = try read(MeasureTimesWriter.makeContentXML(written, name: name))
        #expect(times.marks == written)
        #expect(times.composer == "Weber")
        #expect(times.title == "<Oberon> & “Co”: a&\u{301}b")
        #expect(times.readingWarnings.isEmpty)
    }

    @Test func timesAreWrittenWithSixDecimals() {
        #expect(MeasureTimesWriter.makeCSV(marks([(1, 0.00001)])) == "measure,time\n1,0.000010\n")
        #expect(MeasureTimesWriter.makeCSV(marks([(1, 0.999_999_9)])) == "measure,time\n1,1.000000\n")
        #expect(MeasureTimesWriter.makeCSV(marks([(1, -0.25)])) == "measure,time\n1,-0.250000\n")
        #expect(
            MeasureTimesWriter.makeCSV(marks([(1, .nan), (2, .infinity)])).hasSuffix("2,10000000.000000\n"))
        #expect(MeasureTimesWriter.makeAudacityLabels(marks([(7, 1.5)])) == "1.500000\t1.500000\t7\n")
        #expect(MeasureTimesWriter.makeAudacityLabels([], end: end) == "12.000001\t12.000001\tend\n")
    }
}
