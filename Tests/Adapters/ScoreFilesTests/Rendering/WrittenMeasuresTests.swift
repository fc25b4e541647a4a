import Foundation
import Platform
import Testing

@testable import ScoreFiles

/// Scores as notation programs export them: every written measure is played, and as long as it is written.
@Suite struct WrittenMeasuresTests {
    private static let found = ExternalRenderingTools.findTools(
        environment: ProcessInfo.processInfo.environment,
        workingDirectory: URL(fileURLWithPath: #filePath).deletingLastPathComponent(),
        program: URL(fileURLWithPath: "/nowhere"))
    private static let notates = found.pythonInterpreter != nil

    private static let note =
        "<note><pitch><step>C</step><octave>5</octave></pitch><duration>2</duration><type>quarter</type></note>"
    private static let meter =
        "<attributes><divisions>2</divisions><time><beats>4</beats><beat-type>4</beat-type></time></attributes>"
    private static let full = String(repeating: note, count: 4)

    /// Eight measures of four quarters, whose third to sixth have `content`, and other parts.
    private static func score(
        _ content: (Int) -> String, upbeat: String = "", after: String = "", further: String = ""
    ) -> String {
        let measures = (1...8).map { number in
            let head =
                number == 1
                ? upbeat + "<measure number=\"1\">" + (upbeat.isEmpty ? meter : "")
                : "<measure number=\"\(number)\">"
            return head + ((3...6).contains(number) ? content(number) : full) + "</measure>"
        }
        let second = further.isEmpty ? "" : "<score-part id=\"P2\"><part-name>B</part-name></score-part>"
        return "<?xml version=\"1.0\"?><score-partwise version=\"4.0\"><part-list>"
            + "<score-part id=\"P1\"><part-name>A</part-name></score-part>\(second)</part-list><part id=\"P1\">"
            + measures.joined() + after + "</part>" + further + "</score-partwise>"
    }

    private static let rest = "<note><rest measure=\"yes\"/><duration>8</duration></note>"
    private static let fourRests =
        "<attributes><measure-style><multiple-rest>4</multiple-rest></measure-style></attributes>" + rest
    private static let late =
        "<direction><direction-type><dynamics><p/></dynamics></direction-type><offset>48</offset></direction>"
    private static let playing =
        "<part id=\"P2\">"
        + (1...8).map { "<measure number=\"\($0)\">\($0 == 1 ? meter : "")\(full)</measure>" }.joined()
        + "</part>"
    private static let short = "<part id=\"P2\"><measure number=\"1\">\(meter)\(full)</measure></part>"

    /// A note of a tuplet; `marks` are its tuplet marks, such as `start 1`.
    private static func note(_ duration: Int, _ modification: (Int, Int), _ marks: [String] = []) -> String {
        let written = marks.map { mark in
            let parts = mark.split(separator: " ")
            return "<tuplet type=\"\(parts[0])\" number=\"\(parts[1])\"/>"
        }.joined()
        return "<note><pitch><step>C</step><octave>5</octave></pitch><duration>\(duration)</duration>"
            + "<type>eighth</type><time-modification><actual-notes>\(modification.0)</actual-notes><normal-notes>"
            + "\(modification.1)</normal-notes></time-modification>"
            + (written.isEmpty ? "" : "<notations>\(written)</notations>") + "</note>"
    }

    /// Content with divisions of its own.
    private static func divided(by divisions: Int, _ content: String) -> String {
        "<attributes><divisions>\(divisions)</divisions></attributes>\(content)"
            + "<attributes><divisions>2</divisions></attributes>"
    }

    /// Triplets, of which only the last three say where they begin and end: Beethoven's op. 59/1, bar 79.
    private static let marked = divided(
        by: 6,
        String(repeating: note(2, (3, 2)), count: 9) + note(2, (3, 2), ["start 1"]) + note(2, (3, 2))
            + note(2, (3, 2), ["stop 1"]))
    /// Two voices written in turns: Monteverdi's madrigal 4/11, bar 67.
    private static let turns: String = {
        func part(_ voice: Int, _ duration: Int, _ type: String, isRest: Bool) -> String {
            "<note>\(isRest ? "<rest/>" : "<pitch><step>C</step><octave>5</octave></pitch>")<duration>\(duration)"
                + "</duration><voice>\(voice)</voice><type>\(type.replacing(".", with: ""))</type>"
                + (type.hasSuffix(".") ? "<dot/>" : "") + "</note>"
        }
        func back(_ duration: Int) -> String { "<backup><duration>\(duration)</duration></backup>" }
        return part(1, 4, "half", isRest: true) + back(4) + part(2, 6, "half.", isRest: false) + back(2)
            + part(1, 2, "quarter", isRest: true) + part(1, 1, "eighth", isRest: false) + back(1)
            + part(2, 1, "eighth", isRest: true) + part(1, 1, "eighth", isRest: true) + back(1)
            + part(2, 1, "eighth", isRest: false)
    }()

    static let scores: [(name: String, text: String)] = [
        ("triplets that are marked in part", score { _ in marked }),
        ("voices in turns", score { _ in turns }),
        ("plain", score { _ in full }), ("a multiple rest", score { $0 == 3 ? fourRests : rest }),
        ("a multiple rest in one of two parts", score({ $0 == 3 ? fourRests : rest }, further: playing)),
        ("empty measures", score { _ in "" }),
        ("empty measures in one of two parts", score({ _ in "" }, further: playing)),
        ("forward only", score { _ in "<forward><duration>8</duration></forward>" }),
        ("a forward after notes", score { _ in note + "<forward><duration>6</duration></forward>" }),
        ("a mark beyond the bar line", score { $0 == 3 ? full + late : full }),
        ("a part that ends early", score({ _ in full }, further: short)),
        (
            "a measure that is repeated by its sign",
            score {
                ($0 == 3
                    ? "<attributes><measure-style><measure-repeat type=\"start\">1</measure-repeat>"
                        + "</measure-style></attributes>" : "") + full
            }
        ),
    ]

    @Test(.enabled(if: notates, "run Tools/verovio-venv"), arguments: scores.indices)
    func eightMeasuresOfFourQuartersAreThat(index: Int) async throws {
        let (name, text) = Self.scores[index]
        #expect(try await quarters(text) == (0...8).map { 4 * Double($0) }, "\(name)")
    }

    @Test(.enabled(if: notates, "run Tools/verovio-venv")) func tupletsInTupletsHaveTheirLength() async throws
    {
        let quarter =
            "<note><pitch><step>C</step><octave>5</octave></pitch><duration>18</duration><type>quarter</type></note>"
        let group =
            Self.note(6, (3, 2), ["start 1"]) + Self.note(4, (9, 4), ["start 2"]) + Self.note(4, (9, 4))
            + Self.note(4, (9, 4), ["stop 1", "stop 2"]) + quarter
        let text =
            "<?xml version=\"1.0\"?><score-partwise version=\"4.0\"><part-list><score-part id=\"P1\"><part-name>A"
            + "</part-name></score-part></part-list><part id=\"P1\"><measure number=\"1\"><attributes><divisions>18"
            + "</divisions><time><beats>4</beats><beat-type>4</beat-type></time></attributes>\(group + group)</measure>"
            + "</part></score-partwise>"
        #expect(try await quarters(text) == [0, 4])
    }

    @Test(
        .enabled(if: notates, "run Tools/verovio-venv"),
        arguments: [
            "<note><rest/><duration>2</duration></note>",
            "<note><rest measure=\"yes\"/><duration>2</duration></note>", note,
            "<forward><duration>2</duration></forward>",
        ])
    func anUpbeatIsAsLongAsItIsWritten(upbeat: String) async throws {
        let measure = "<measure number=\"0\" implicit=\"yes\">\(Self.meter)\(upbeat)</measure>"
        #expect(
            try await quarters(Self.score({ _ in Self.full }, upbeat: measure)) == [0]
                + (0...8).map { 1 + 4 * Double($0) })
    }

    @Test(.enabled(if: notates, "run Tools/verovio-venv")) func shortMeasuresInTheMiddleStayShort()
        async throws
    {
        let text = Self.score {
            $0 == 3
                ? Self.note
                : $0 == 4 ? "<note><rest measure=\"yes\"/><duration>6</duration></note>" : Self.full
        }
        #expect(try await quarters(text) == [0, 4, 8, 9, 12, 16, 20, 24, 28])
    }

    @Test(.enabled(if: notates, "run Tools/verovio-venv")) func theEncodingAndTheOrderOfTheScoreDoNotCount()
        async throws
    {
        let plain = Self.scores[0].text
        let declared = plain.replacing("version=\"1.0\"?", with: "version=\"1.0\" encoding=\"UTF-16\"?")
        let units = [0xFEFF] + Array(declared.utf16)
        let expected = (0...8).map { 4 * Double($0) }
        #expect(try await quarters(bytes: units.flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] }) == expected)
        #expect(try await quarters(bytes: units.flatMap { [UInt8($0 >> 8), UInt8($0 & 0xFF)] }) == expected)
        let latin = plain.replacing("version=\"1.0\"?", with: "version=\"1.0\" encoding=\"ISO-8859-1\"?")
            .replacing(">A<", with: ">Flûte<")
        #expect(try await quarters(bytes: latin.unicodeScalars.map { UInt8($0.value) }) == expected)
        let timewise = plain.replacing("score-partwise", with: "score-timewise").replacing(
            "<part id=\"P1\">", with: ""
        )
        .replacing("</part>", with: "")
        .replacing(/<measure number="(\d)">/) { "<measure number=\"\($0.1)\"><part id=\"P1\">" }
        .replacing("</measure>", with: "</part></measure>")
        #expect(try await quarters(timewise) == expected)
    }

    /// The onsets of the played measures and the end of the last one.
    private func quarters(_ text: String) async throws -> [Double] {
        try await quarters(bytes: Array(text.utf8))
    }

    private func quarters(bytes: [UInt8]) async throws -> [Double] {
        let folder = try ScratchFolder()
        try Data(bytes).write(to: folder.fileURL("score.xml"))
        let music = try await ScoreFileReader(tools: Self.found).readMusic(at: folder.fileURL("score.xml"))
        return (music.playedMeasures.map(\.startTick) + [music.endTick]).map {
            Double($0) / Double(music.sequence.ticksPerQuarter)
        }
    }
}
