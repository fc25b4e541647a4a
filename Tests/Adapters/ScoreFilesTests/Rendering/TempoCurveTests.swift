import Basics
import Testing

@testable import ScoreFiles

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
        ("", "it has no points"), ("measure,ratio", "it has no points"),
        (
            "bar,ratio\n1,1",
            "line 1 should be the header: measure,ratio or measure,bpm or played,ratio or played,bpm"
        ),
        ("measure,ratio\n1", "line 2 should hold two numbers with a comma between"),
        ("measure,ratio\n1,x", "line 2 holds something that is not a number"),
        (
            "measure,ratio\n1,0",
            "line 2 asks for 0.0; ratios go from 0.05 to 20, quarters a minute from 2 to 1000"
        ),
        (
            "measure,bpm\n1,1e9",
            "line 2 asks for 1000000000.0; ratios go from 0.05 to 20, quarters a minute from 2 to 1000"
        ),
        ("measure,ratio\n2,1\n1,1", "line 3 goes back to an earlier measure"),
        ("measure,ratio\ninf,1", "line 2 holds something that is not a number"),
    ])
    func aFaultNamesItsLine(text: String, sentence: String) {
        let error = #expect(throws: ExplainedError.self) { try TempoCurve(text: text) }
        #expect(error?.sentence == sentence)
    }
}
