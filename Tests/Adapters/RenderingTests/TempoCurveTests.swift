import Explanations
import Testing

@testable import Rendering

@Suite struct TempoCurveTests {
    @Test func betweenPointsTheValueLiesOnALine() throws {
        let curve = try TempoCurve(text: "# calm\nmeasure,ratio\n\n2,1.0\n4, 0.5 # slower\n")
        #expect(curve.tempoValue(at: 1) == 1)
        #expect(curve.tempoValue(at: 3) == 0.75)
        #expect(curve.tempoValue(at: 4) == 0.5)
        #expect(curve.tempoValue(at: 400) == 0.5)
    }

    @Test func twoEqualMeasuresMakeAStep() throws {
        let curve = try TempoCurve(text: "played,bpm\n1,60\n3,60\n3,120\n")
        #expect(curve.measureCounting == .played)
        #expect(curve.tempoUnit == .quartersPerMinute)
        #expect(curve.tempoValue(at: 2.999) == 60)
        #expect(curve.tempoValue(at: 3) == 120)
    }

    @Test(arguments: [
        ("", ExplainedError("it has no points")), ("measure,ratio", .noPoints),
        ("bar,ratio\n1,1", .invalidHeader(line: 1)),
        ("measure,ratio\n1", .notTwoFields(line: 2)), ("measure,ratio\n1,x", .notANumber(line: 2)),
        ("measure,ratio\n1,0", .valueOutOfRange(line: 2, value: 0)),
        ("measure,bpm\n1,1e9", .valueOutOfRange(line: 2, value: 1e9)),
        ("measure,ratio\n2,1\n1,1", .measureGoesBack(line: 3)),
        ("measure,ratio\ninf,1", .notANumber(line: 2)),
    ])
    func aFaultNamesItsLine(text: String, fault: ExplainedError) {
        #expect(throws: fault) { try TempoCurve(text: text) }
    }
}
