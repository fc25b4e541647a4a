import Foundation
import Testing

@testable import TakeReport

/// The report as JSON, which any program reads.
@Suite struct ReportJSONTests {
    private func read(_ report: ReportOnTake) throws -> [String: Any] {
        try #require(try JSONSerialization.jsonObject(with: Data(report.json)) as? [String: Any])
    }

    private func report(seconds: Double, lateness: Double?) -> ReportOnTake {
        var report = ReportOnTake(refusal: "")
        report.refusal = nil
        report.passages = [
            ReportOnTake.Passage(
                bars: [
                    ReportOnTake.Bar(
                        played: 3, printed: 4, seconds: seconds, lateness: lateness, verdict: "early")
                ], end: 2.5, tempo: nil)
        ]
        return report
    }

    @Test(arguments: ["", "Say “no”, \"no\" or \\no\\.", "one\ntwo\tthree\u{0}", "Dvořák 𝄞"])
    func textsComeBackWithBlanksForControlCharacters(text: String) throws {
        let expected = String(text.map { $0.isASCII && $0.asciiValue! < 0x20 ? " " : $0 })
        #expect(try read(ReportOnTake(refusal: text))["refusal"] as? String == expected)
    }

    @Test(arguments: [0, 0.001, 0.09, 1.005, -0.001, -0.0004, -12.345, 599.999, 3_600])
    func numbersComeBackInThousandths(value: Double) throws {
        let passages = try #require(
            try read(report(seconds: 1, lateness: value))["passages"] as? [[String: Any]])
        let bar = try #require((passages[0]["bars"] as? [[String: Any]])?[0])
        #expect(abs(try #require(bar["lateness"] as? Double) - value) <= 0.0005 + 1e-9)
        #expect(
            bar["played"] as? Int == 3 && bar["printed"] as? Int == 4 && bar["verdict"] as? String == "early")
        #expect(bar["tempo"] == nil && passages[0]["end"] as? Double == 2.5)
    }

    @Test(arguments: [Double.nan, .infinity, -.infinity, 1e300])
    func whatIsNoNumberIsLeftOut(value: Double) throws {
        let passages = try #require(
            try read(report(seconds: 1, lateness: value))["passages"] as? [[String: Any]])
        #expect((passages[0]["bars"] as? [[String: Any]])?[0]["lateness"] == nil)
    }
}
