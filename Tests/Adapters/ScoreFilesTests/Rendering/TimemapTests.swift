import Basics
import Foundation
import Testing

@testable import ScoreFiles

@Suite struct TimemapTests {
    private func music(measures: String, end: String = "6", midi: [UInt8] = SmallMIDI.waltz) throws
        -> NotatedMusic
    {
        let json = """
            {"title": "T", "composer": null, "midi": "\(Data(midi).base64EncodedString())",
             "measures": \(measures), "endQuarters": \(end)}
            """
        return try VerovioTimemap.parseMusic(json: Data(json.utf8), score: "s")
    }

    @Test func printedNumbersAndTicksAreTaken() throws {
        let music = try music(measures: #"[{"printed": 0, "quarters": 0}, {"printed": 1, "quarters": 1.5}]"#)
        #expect(
            music.playedMeasures == [
                .init(printedNumber: 0, startTick: 0), .init(printedNumber: 1, startTick: 720),
            ])
        #expect(music.endTick == 2_880)
        #expect(music.title == "T")
        #expect(music.partNames == ["Vn"])
    }

    @Test(arguments: [
        "[]", #"[{"printed": 1, "quarters": -1}]"#, #"[{"printed": 1, "quarters": 1e300}]"#,
        #"[{"printed": 1, "quarters": 3}, {"printed": 2, "quarters": 3}]"#,
        #"[{"printed": 1, "quarters": 6}]"#,
        #"[{"printed": 1}]"#,
    ])
    func unusableMeasuresAreRefused(measures: String) {
        #expect(throws: ExplainedError.self) { try music(measures: measures) }
    }

    @Test func brokenNotesAreRefused() {
        #expect(throws: ExplainedError("s cannot be played: it has no MIDI header (MThd).")) {
            try music(measures: #"[{"printed": 1, "quarters": 0}]"#, midi: [1, 2, 3])
        }
    }
}
