import Foundation
import Testing

@testable import ScorePages

@Suite struct WrittenIntervalTests {
    @Test(arguments: ["M2", "-m3", "P1", "P5", "-P8", "A4", "d5", "m7"])
    func intervalsAreRead(text: String) { #expect(WrittenInterval(text)?.description == text) }

    @Test(arguments: ["", "M", "2", "M5", "P3", "M9", "--M2", "M2-", "M22", "x2", "M2 --pdf"])
    func everythingElseIsRefused(text: String) { #expect(WrittenInterval(text) == nil) }

    @Test(.enabled(if: hasVerovio, "run Tools/verovio-venv"))
    func theMeasuresStayWhereNotesAreTransposed() async throws {
        let opening =
            "<attributes><divisions>1</divisions><key><fifths>0</fifths></key>"
            + "<time><beats>4</beats><beat-type>4</beat-type></time><clef><sign>G</sign><line>2</line></clef></attributes>"
        let note = "<note><pitch><step>C</step><octave>5</octave></pitch><duration>4</duration></note>"
        let measures = (1...3).map { "<measure number=\"\($0)\">\($0 == 1 ? opening : "")\(note)</measure>" }
        let score = Array(
            ("<score-partwise version=\"4.0\"><part-list><score-part id=\"P1\"><part-name>Clarinet</part-name>"
                + "</score-part></part-list><part id=\"P1\">\(measures.joined())</part></score-partwise>")
                .utf8)
        let plain = try await ScoreEngraver().engrave(musicXML: score)
        let higher = try await ScoreEngraver().engrave(
            musicXML: score, transposition: WrittenInterval("m2"))
        #expect(plain.printedMeasureNumbers == higher.printedMeasureNumbers)
        #expect(plain.pageLayout.measures.count == 3)
        #expect(plain.pages.map(\.svg) != higher.pages.map(\.svg))
    }
}
