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

    /// Two hundred measures of quavers, on several pages; written a semitone higher they have seven flats.
    private static let study: [UInt8] = {
        let opening =
            "<attributes><divisions>2</divisions><key><fifths>0</fifths></key>"
            + "<time><beats>4</beats><beat-type>4</beat-type></time><clef><sign>G</sign><line>2</line></clef></attributes>"
        let steps = ["C", "E", "G", "B", "A", "F", "D", "G"]
        let notes = steps.map {
            "<note><pitch><step>\($0)</step><alter>1</alter><octave>5</octave></pitch><duration>1</duration>"
                + "<type>eighth</type></note>"
        }.joined()
        let measures = (1...200).map {
            "<measure number=\"\($0)\">\($0 == 1 ? opening : "")\(notes)</measure>"
        }
        return Array(
            ("<score-partwise version=\"4.0\"><part-list><score-part id=\"P1\"><part-name>Clarinet</part-name>"
                + "</score-part></part-list><part id=\"P1\">\(measures.joined())</part></score-partwise>")
                .utf8)
    }()

    @Test(.enabled(if: hasVerovio, "run Tools/verovio-venv"), arguments: ["m2", "-m3", "P5"])
    func aPartInAnotherKeyHasItsMeasuresOnTheSamePages(interval: String) async throws {
        let plain = try await ScoreEngraver().engrave(musicXML: Self.study)
        try #require(plain.pages.count > 1)
        let other = try await ScoreEngraver().engrave(
            musicXML: Self.study, part: nil, transposition: nil,
            written: try #require(WrittenInterval(interval)), like: plain.pages)
        #expect(other.pages.count == plain.pages.count)
        #expect(zip(other.pages, plain.pages).allSatisfy { $0.svg != $1.svg })
        // Each measure's left edge has its place on the new page.
        for (page, map) in other.maps.enumerated() {
            let measures = plain.pageLayout.measures.filter { $0.page == page }
            #expect(map.systems.count == Set(measures.map(\.system)).count)
            let edges = map.systems.reduce(0) { $0 + $1.x.count - 2 }
            #expect(edges == measures.count + map.systems.count, "and the right edge of each system")
            #expect(map.isUsable)
        }
    }

    @Test(.enabled(if: hasVerovio, "run Tools/verovio-venv"))
    func otherPagesThanTodaysAreRefused() async throws {
        var pages = try await ScoreEngraver().engrave(musicXML: Self.study).pages
        pages[pages.count - 1].svg.removeLast(8)
        let error = await fault { [pages] () async throws(ScorePagesError) in
            try await ScoreEngraver().engrave(
                musicXML: Self.study, part: nil, transposition: nil, written: WrittenInterval("m2")!,
                like: pages)
        }
        #expect(error?.sentence.contains("the engraver has changed") == true, "\(String(describing: error))")
    }
}
