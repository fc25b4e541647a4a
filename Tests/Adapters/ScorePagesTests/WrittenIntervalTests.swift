import Foundation
import Testing

@testable import ScorePages

@Suite struct WrittenIntervalTests {
    @Test(arguments: ["M2", "-m3", "P1", "P5", "-P8", "A4", "d5", "m7"])
    func intervalsAreRead(text: String) { #expect(WrittenInterval(text)?.description == text) }

    @Test(arguments: ["", "M", "2", "M5", "P3", "M9", "--M2", "M2-", "M22", "x2", "M2 --pdf"])
    func everythingElseIsRefused(text: String) { #expect(WrittenInterval(text) == nil) }

    @Test func engravedTransposedTheMeasuresStay() async throws {
        let tools = ExternalPageTools.findTools()
        guard tools.engraverScript != nil, tools.pythonInterpreter != nil else { return }
        let note = "<note><pitch><step>C</step><octave>5</octave></pitch><duration>4</duration></note>"
        let measures = (1...3).map { "<measure number=\"\($0)\">\(note)</measure>" }.joined()
        let score = """
            <score-partwise version="4.0"><part-list><score-part id="P1"><part-name>Clarinet</part-name></score-part>\
            </part-list><part id="P1">\(measures)</part></score-partwise>
            """
        let engraver = ScoreEngraver(tools: tools)
        let plain = try await engraver.engrave(musicXML: Array(score.utf8))
        let higher = try await engraver.engrave(
            musicXML: Array(score.utf8), transposition: WrittenInterval("m2"))
        #expect(plain.printedMeasureNumbers == higher.printedMeasureNumbers)
        #expect(plain.pages.map(\.svg) != higher.pages.map(\.svg))
    }
}
