import Foundation
import Testing

@testable import ScorePages

@Suite struct EngravingTests {
    /// A duo of nine measures with a repeat over the first two and the letter A at the last; the second part is
    /// silent from the third to the eighth.
    private static let duo: [UInt8] = {
        func part(_ id: String, silent: ClosedRange<Int>?) -> String {
            let measures = (1...9).map { number in
                let attributes =
                    number == 1
                    ? "<attributes><divisions>1</divisions><key><fifths>0</fifths></key>"
                        + "<time><beats>4</beats><beat-type>4</beat-type></time>"
                        + "<clef><sign>G</sign><line>2</line></clef></attributes>" : ""
                // Both parts bear the mark, as some programs write it.
                let mark =
                    number == 9
                    ? "<direction placement=\"above\"><direction-type><rehearsal> A </rehearsal>"
                        + "</direction-type></direction>" : ""
                let note =
                    silent?.contains(number) == true
                    ? "<note><rest measure=\"yes\"/><duration>4</duration></note>"
                    : "<note><pitch><step>C</step><octave>5</octave></pitch><duration>4</duration>"
                        + "<type>whole</type></note>"
                let barline =
                    number == 2
                    ? "<barline location=\"right\"><bar-style>light-heavy</bar-style>"
                        + "<repeat direction=\"backward\"/></barline>" : ""
                return "<measure number=\"\(number)\">\(attributes)\(mark)\(note)\(barline)</measure>"
            }
            return "<part id=\"\(id)\">" + measures.joined() + "</part>"
        }
        return Array(
            ("<?xml version=\"1.0\"?><score-partwise version=\"3.1\"><part-list>"
                + "<score-part id=\"P1\"><part-name>Flute</part-name></score-part>"
                + "<score-part id=\"P2\"><part-name>Horn</part-name></score-part></part-list>"
                + part("P1", silent: nil) + part("P2", silent: 3...8) + "</score-partwise>").utf8)
    }()

    @Test(.enabled(if: hasVerovio, "run Tools/verovio-venv"))
    func everyMeasureHasItsPlaceAndEveryRepeatItsTurn() async throws {
        let score = try await ScoreEngraver().engrave(musicXML: Self.duo)
        #expect(score.partNames == ["Flute", "Horn"])
        #expect(score.printedMeasureNumbers == Array(1...9))
        #expect(score.playedOrder == [0, 1, 0, 1, 2, 3, 4, 5, 6, 7, 8])
        #expect(score.pageLayout.measures.map(\.index) == Array(0..<9))
        #expect(score.pageLayout.measures[0].played == [0, 2])
        #expect(score.pageLayout.numberingFaults().isEmpty)
        #expect(score.pages.count == score.pageLayout.pageSizes.count)
        #expect(score.rehearsalMarks == [EngravedMark(writtenMeasure: 8, label: "A")])
        #expect(String(decoding: score.pages[0].svg.prefix(4), as: UTF8.self) == "<svg")
    }

    @Test(.enabled(if: hasVerovio, "run Tools/verovio-venv"))
    func aPartSharesTheMeasuresOfItsScoreAndGathersItsRests() async throws {
        let score = try await ScoreEngraver().engrave(musicXML: Self.duo)
        let horn = try await ScoreEngraver().engrave(musicXML: Self.duo, part: "Horn")
        #expect(
            horn.printedMeasureNumbers == score.printedMeasureNumbers && horn.playedOrder == score.playedOrder
        )
        #expect(horn.silentMeasureRanges == [2...7])
        #expect(horn.pageLayout.part == "Horn")
        #expect(horn.pageLayout.measureBox(of: 5)?.index == 2)
        #expect(horn.pageLayout.measureBox(of: 5)?.count == 6)
        #expect(horn.pageLayout.measureBox(of: 8)?.count == 1)
        #expect(horn.pageLayout.numberingFaults().isEmpty)
    }

    /// Three long rests with a tempo mark over each, the last at the end of a line.
    private static let marked: [UInt8] = {
        let measures = (1...24).map { number in
            let mark =
                number % 8 == 1
                ? "<direction placement=\"above\"><direction-type><words font-weight=\"bold\">stringendo molto</words>"
                    + "</direction-type><direction-type><metronome><beat-unit>quarter</beat-unit>"
                    + "<per-minute>\(160 + number)</per-minute></metronome></direction-type>"
                    + "<sound tempo=\"\(160 + number)\"/></direction>" : ""
            let attributes =
                number == 1
                ? "<attributes><divisions>1</divisions><time><beats>4</beats><beat-type>4</beat-type></time>"
                    + "<clef><sign>G</sign><line>2</line></clef></attributes>" : ""
            return "<measure number=\"\(number)\">\(attributes)\(mark)<note><rest measure=\"yes\"/>"
                + "<duration>4</duration></note></measure>"
        }
        return Array(
            ("<?xml version=\"1.0\"?><score-partwise version=\"3.1\"><part-list><score-part id=\"P1\">"
                + "<part-name>Horn</part-name></score-part></part-list><part id=\"P1\">"
                + measures.joined() + "</part></score-partwise>").utf8)
    }()

    @Test(.enabled(if: hasVerovio, "run Tools/verovio-venv"))
    func textNeedsNoFontAndMarksStandBesideEachOtherOnThePage() async throws {
        let horn = try await ScoreEngraver().engrave(musicXML: Self.marked, part: "Horn")
        let svg = String(decoding: horn.pages[0].svg, as: UTF8.self)
        #expect(!svg.contains("<text") && !svg.contains("font-family=\"Leipzig\""))
        #expect(!svg.contains("room-for-mark"), "what only makes room is not drawn")
        // The outlines of each mark: where they begin and end.
        var marks: [(left: Double, right: Double, top: Double)] = []
        for mark in svg.matches(of: /<g class="tempo"[^>]*>.*?<path d="([^"]*)"/) {
            let starts = mark.1.matches(of: /M(-?[0-9]+)[, ](-?[0-9]+)/)
            let (across, down) = (starts.compactMap { Double($0.1) }, starts.compactMap { Double($0.2) })
            marks.append(
                (try #require(across.min()), try #require(across.max()), try #require(down.min())))
        }
        #expect(marks.count == 3)
        #expect(marks.allSatisfy { $0.right < 22_100 }, "all of a mark is on the page")
        for (one, next) in zip(marks, marks.dropFirst()) {
            // On one line the next begins behind this one, at the same height; or it is on another line.
            let isBeside = next.left > one.right && abs(next.top - one.top) < 100
            #expect(isBeside || next.top - one.top > 1_000, "\(marks)")
        }
    }

    @Test(.enabled(if: hasVerovio, "run Tools/verovio-venv"))
    func anUnknownPartIsAnsweredWithThoseThereAre() async {
        let error = await fault { () async throws(ScorePagesError) in
            try await ScoreEngraver().engrave(musicXML: Self.duo, part: "Tuba")
        }
        #expect(error == .unknownPart(name: "Tuba", known: ["Flute", "Horn"]))
    }

    @Test(
        .enabled(if: hasVerovio, "run Tools/verovio-venv"),
        arguments: [
            "", "no XML", "<score-partwise/>", "<score-partwise><part-list/><part/></score-partwise>",
            "<!DOCTYPE a [<!ENTITY b \"c\">]><score-partwise>&b;</score-partwise>", "PK",
        ])
    func whatIsNoScoreIsASentence(text: String) async {
        let error = await fault { () async throws(ScorePagesError) in
            try await ScoreEngraver().engrave(musicXML: Array(text.utf8))
        }
        guard case .notMusicXML = error else {
            Issue.record("\(String(describing: error))")
            return
        }
    }

    @Test func withoutVerovioTheSentenceSaysWhatToRun() async {
        var tools = ExternalPageTools.findTools()
        tools.engraverScript = URL(fileURLWithPath: "/dev/null")
        tools.pythonInterpreter = nil
        let poor = ScoreEngraver(tools: tools)
        let error = await fault { () async throws(ScorePagesError) in
            try await poor.engrave(musicXML: Self.duo)
        }
        #expect(error?.sentence.contains("Tools/verovio-venv") == true)
    }

    @Test(arguments: [
        "{}", "[]", "",
        #"{"parts":[],"pages":[],"printed":[],"playedOrder":[],"rests":[],"measures":[]}"#,
        #"{"parts":[],"pages":[{"width":9,"height":9}],"printed":[1],"playedOrder":[0],"rests":[],"marks":[[7,"A"]],"measures":[{"index":0,"count":1,"printed":1,"played":[],"page":0,"system":0,"box":{"x":0,"y":0,"width":1,"height":1}}]}"#,
        #"{"parts":[],"pages":[],"printed":[1],"playedOrder":[4],"rests":[],"measures":[{"index":0,"count":1,"printed":1,"played":[],"page":0,"system":0,"box":{"x":0,"y":0,"width":1,"height":1}}]}"#,
        #"{"parts":[],"pages":[],"printed":[1],"playedOrder":[0],"rests":[],"measures":[{"index":0,"count":1,"printed":1,"played":[],"page":0,"system":0,"box":{"x":0,"y":0,"width":1,"height":1}}]}"#,
    ])
    func aLayoutThatCannotBeIsRefused(json: String) throws {
        let folder = try TestFolder()
        _ = try folder.file("layout.json", Array(json.utf8))
        let url = URL(fileURLWithPath: folder.path)
        #expect(throws: ScorePagesError.self) { try ScoreEngraver.readEngravedFolder(url) }
    }
}
