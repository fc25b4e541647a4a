import Testing

@testable import Accuracy

@Suite struct TraceTableTests {
    private let trace = FollowTrace(points: [
        .init(liveSeconds: 0.1, measure: nil, confidence: 0.25, state: .waiting),
        .init(
            liveSeconds: 0.30000000000000004, measure: 1.0 / 3, referenceSeconds: 2.5, tempoRatio: 0.75,
            confidence: 1, state: .coasting),
    ])

    @Test func theFullFormGivesEverythingBack() throws {
        #expect(try TraceTable.read(TraceTable.fullText(trace)) == trace)
    }

    @Test func theBenchmarkFormGivesTimesAndMeasuresBack() throws {
        let back = try TraceTable.read(TraceTable.benchmarkText(trace))
        #expect(back.points.map(\.liveSeconds) == trace.points.map(\.liveSeconds))
        #expect(back.points.map(\.measure) == trace.points.map(\.measure))
    }

    @Test func otherLineEndsAndColumnOrdersAreRead() throws {
        let back = try TraceTable.read("\u{FEFF}measure, time\r\n1.5, 0.5\r\nnan,0.6\r\n\r\n2,0.7")
        #expect(back.points.map(\.measure) == [1.5, nil, 2])
    }

    @Test func rowsOutOfOrderAreNamed() {
        #expect(throws: TableFault.notInTimeOrder(line: 3, seconds: 1, before: 2)) {
            try TraceTable.read("time,measure\n2,1\n1,1\n")
        }
    }

    @Test func missingColumnsAreNamed() {
        #expect(throws: TableFault.noColumn(name: "measure")) { try TraceTable.read("time\n1\n") }
        #expect(throws: TableFault.empty) { try TraceTable.read("\n\n") }
    }

    @Test func noTruncationCrashes() {
        let text = Array(TraceTable.fullText(trace).utf8)
        for length in text.indices {
            _ = try? TraceTable.read(String(decoding: text[..<length], as: UTF8.self))
        }
    }

    @Test func measureTablesNameTheLineAtFault() throws {
        let map = try MeasureTable.read("measure,time\n0,0.5\n1,2\n2,4\n", end: nil)
        #expect(map.end.seconds == 6)
        let median = try MeasureTable.read(
            "measure,time\n0,0.5\n1,2\n2,4\n", end: nil, otherwise: .likeTheMedian)
        #expect(median.end.seconds == 5.75)
        #expect(throws: TableFault.notANumber(line: 3, column: "measure", text: "1.5")) {
            try MeasureTable.read("measure,time\n1,1\n1.5,2\n", end: nil)
        }
        let fault = #expect(throws: TableFault.self) {
            try MeasureTable.read("measure,time\n1,1\n\n2,1\n", end: 3)
        }
        #expect(fault?.sentence.hasPrefix("Line 4: Measure 2") == true)
    }
}
