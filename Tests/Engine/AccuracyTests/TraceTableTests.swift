import Basics
import Testing

@testable import Accuracy

@Suite struct TraceTableTests {
    private let trace = FollowTrace(reports: [
        .init(liveSeconds: 0.1, measureWithFraction: nil, confidence: 0.25, state: .waiting),
        .init(
            liveSeconds: 0.30000000000000004, measureWithFraction: 1.0 / 3, referenceSeconds: 2.5,
            tempoRatio: 0.75,
            confidence: 1, state: .coasting),
    ])

    @Test func theFullFormGivesEverythingBack() throws {
        #expect(try TraceTable.readTrace(TraceTable.fullCSV(trace)) == trace)
    }

    @Test func theBenchmarkFormGivesTimesAndMeasuresBack() throws {
        let back = try TraceTable.readTrace(TraceTable.benchmarkCSV(trace))
        #expect(back.reports.map(\.liveSeconds) == trace.reports.map(\.liveSeconds))
        #expect(back.reports.map(\.measureWithFraction) == trace.reports.map(\.measureWithFraction))
    }

    @Test func otherLineEndsAndColumnOrdersAreRead() throws {
        let back = try TraceTable.readTrace("\u{FEFF}measure, time\r\n1.5, 0.5\r\nnan,0.6\r\n\r\n2,0.7")
        #expect(back.reports.map(\.measureWithFraction) == [1.5, nil, 2])
    }

    @Test func rowsOutOfOrderAreNamed() {
        #expect(throws: ExplainedError("Line 3: 1.0 s comes after 2.0 s; rows must be in time order.")) {
            try TraceTable.readTrace("time,measure\n2,1\n1,1\n")
        }
    }

    @Test func missingColumnsAreNamed() {
        #expect(throws: ExplainedError("The first line names no column 'measure'.")) {
            try TraceTable.readTrace("time\n1\n")
        }
        #expect(throws: ExplainedError("The table is empty; its first line must name the columns.")) {
            try TraceTable.readTrace("\n\n")
        }
    }

    @Test func noTruncationCrashes() {
        let text = Array(TraceTable.fullCSV(trace).utf8)
        for length in text.indices {
            _ = try? TraceTable.readTrace(String(decoding: text[..<length], as: UTF8.self))
        }
    }
}
