import Basics
import Following
import Foundation
import Score
import Testing

@testable import Hosting
@testable import Performance
@testable import ShowStages
@testable import TestHelpers

@Suite struct LiveStartTests {
    @Test(
        arguments: [
            ("23", nil, RequestedStartPosition.Measure.printed(23)), ("unknown", nil, .unknown),
            ("0", nil, .printed(0)),
            ("fur-elise", "fur-elise", .first), ("fur-elise:7", "fur-elise", .printed(7)),
            ("fur-elise:unknown", "fur-elise", .unknown),
        ] as [(String, String?, RequestedStartPosition.Measure)])
    func isReadAsAPersonSaysIt(text: String, piece: String?, measure: RequestedStartPosition.Measure) {
        #expect(RequestedStartPosition(text)?.piece == piece)
        #expect(RequestedStartPosition(text)?.measure == measure)
    }

    @Test(arguments: ["", ":", ":3", "a:", "a:b", "a:3:4"])
    func otherFormsAreNone(text: String) { #expect(RequestedStartPosition(text) == nil) }

    @Test func aPlaceIsLookedUp() throws {
        let programme = try LiveFolder.programme(seeds: [1, 2], seconds: 4)
        let start = try #require(RequestedStartPosition("b:3"))
        #expect(
            try start.resolve(in: programme, folders: ["a", "b"])
                == ProgrammePosition(pieceIndex: 1, position: ScorePosition(played: 2, fraction: 0)))
        #expect(throws: ExplainedError.self) {
            try RequestedStartPosition("c")?.resolve(in: programme, folders: ["a", "b"])
        }
        #expect(throws: ExplainedError.self) {
            try RequestedStartPosition("a:5")?.resolve(in: programme, folders: ["a", "b"])
        }
    }
}

@Suite struct LiveProgrammeTests {
    @Test func foldersStandBetweenCommas() throws {
        #expect(try RequestedProgramme("minuet, prelude").pieceFolderNames == ["minuet", "prelude"])
    }

    @Test func aProgrammeWithoutATitleIsCalledByItsPieces() throws {
        #expect(try RequestedProgramme("minuet").title == nil)
        #expect(ReferenceModelLoader.defaultTitle(of: ["Petzold, Minuet"]) == "Petzold, Minuet")
        #expect(
            ReferenceModelLoader.defaultTitle(of: ["Petzold, Minuet", "b", "c"])
                == "Petzold, Minuet, and 2 more")
    }

    @Test func aConcertFileIsRead() throws {
        let folder = try LiveFolder()
        let path = folder.path("concert.json")
        try Data(#"{"title": "Evening", "pieces": ["a", "b"]}"#.utf8).write(to: URL(fileURLWithPath: path))
        let programme = try RequestedProgramme(path)
        #expect(programme.title == "Evening")
        #expect(programme.pieceFolderNames == ["a", "b"])
    }

    @Test(arguments: ["", "a,,b", "../models", "a/b", ".hidden", "missing.json"])
    func whatIsNoPieceIsRefused(text: String) {
        #expect(throws: ExplainedError.self) { try RequestedProgramme(text) }
    }

    @Test(arguments: [#"{"pieces": []}"#, #"{"pieces": ["../x"]}"#, "[]", "", #"{"pieces": 7}"#])
    func aBrokenConcertFileIsRefused(content: String) throws {
        let folder = try LiveFolder()
        let path = folder.path("concert.json")
        try Data(content.utf8).write(to: URL(fileURLWithPath: path))
        #expect(throws: ExplainedError.self) { try RequestedProgramme(path) }
    }
}

@Suite struct LiveRowsTests {
    private let report = PositionReport(
        liveTime: LiveTime(seconds: 1.5), referenceTime: ReferenceTime(seconds: 2.25),
        position: ScorePosition(played: 8, fraction: 0.25), printedMeasure: 5, tempo: TempoRatio(1.1),
        confidence: 0.875, state: .coasting, transpositionSemitones: -1, tuningCents: 12.34,
        captureToReport: Seconds(0.0105))

    @Test func commasSeparateAsTheHeaderSays() {
        let line = ReportFileFormat.commaSeparated.formatReport(report, piece: "a")
        #expect(line == "1.5000,2.250,9,5,0.2500,1.1000,0.8750,coasting,10.50,-1,12.3,a\n")
        #expect(
            line.split(separator: ",").count
                == ReportFileFormat.commaSeparated.header.split(separator: ",").count)
    }

    @Test func withoutAnEstimateFieldsAreEmpty() {
        let nothing = PositionReport(
            liveTime: LiveTime(seconds: 0.02), referenceTime: nil, position: nil, printedMeasure: nil,
            tempo: .unity,
            confidence: .nan, state: .waiting)
        #expect(
            ReportFileFormat.commaSeparated.formatReport(nothing, piece: "a")
                == "0.0200,,,,,1.0000,0.0000,waiting,0.00,0,0.0,a\n")
        #expect(ReportFileFormat.benchmark.formatReport(nothing, piece: "a") == "0.02,\n")
    }

    @Test func jsonLinesAreJSON() throws {
        let line = ReportFileFormat.jsonLines.formatReport(report, piece: "a")
        let object = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
        #expect(object?["printed"] as? Int == 5)
        #expect(object?["state"] as? String == "coasting")
        #expect(object?["latency_ms"] as? Double == 10.5)
    }

    @Test func benchmarksGetMeasureAndFraction() {
        #expect(ReportFileFormat.benchmark.formatReport(report, piece: "a") == "1.5,5.25\n")
    }

    @Test func aLineComesWithEachChangeOnly() {
        var lines = ReportLineFormatter(pieceNames: ["First"], isJSON: false)
        let said = ConcertReport(pieceIndex: 0, positionReport: report)
        #expect(lines.lines(for: said).contains("measure 5"))
        #expect(lines.lines(for: said) == "")
        var lost = said
        lost.positionReport.state = .lost
        lost.positionReport.position?.played = 3
        #expect(lines.lines(for: lost).contains("lost"))
        #expect(!lines.lines(for: lost).contains("measure"))
    }
}
