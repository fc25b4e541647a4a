import Accuracy
import Foundation
import FoundationXML
import Sound
import Testing

@testable import Evaluation
@testable import Listening
@testable import ShowStages

/// Recordings and annotations as data sets have them are cases without further files.
@Suite struct AnnotatedFolderTests {
    private let folder: LiveFolder

    init() throws { folder = try LiveFolder() }

    private func make(_ paths: [String]) throws {
        for path in paths {
            let file = folder.url.appending(path: path)
            try FileManager.default.createDirectory(
                at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
            try Data("measure,time\n1,1\n2,2\n".utf8).write(to: file)
        }
    }

    private func found() throws -> AnnotatedFolder { try AnnotatedFolder(folder.url) }

    private func annotations(_ piece: AnnotatedFolder.Piece?) -> [String] {
        let root = folder.url.resolvingSymlinksInPath().path + "/"
        return (piece?.recordings ?? []).map { $0.annotation.path.replacingOccurrences(of: root, with: "") }
    }

    @Test func annotationsLieBesideTheirRecordings() throws {
        try make(["a.wav", "a.csv", "b.mp3", "b_measures.txt", "b_notes.csv", "c.flac", "c.beats", "d.wav"])
        let found = try found()
        #expect(found.pieces.count == 1)
        #expect(found.pieces.first?.recordings.map(\.name) == ["a", "b", "c"])
        #expect(annotations(found.pieces.first) == ["a.csv", "b_measures.txt", "c.beats"])
        #expect(found.leftOut == ["d.wav"])
    }

    @Test func everyKindOfSoundIsFoundInADataSetAndAmongTheRecordingsOfAPiece() throws {
        try make(SoundFileKinds.endings.flatMap { ["set/take-\($0).\($0)", "set/take-\($0).csv"] })
        let found = try AnnotatedFolder(folder.url.appending(path: "set"))
        #expect(
            Set(found.pieces.flatMap(\.recordings).map(\.name))
                == Set(SoundFileKinds.endings.map { "take-\($0)" }))
        for ending in SoundFileKinds.endings {
            try make(["piece/\(ending)/audio.\(ending)", "piece/\(ending)/measures.csv"])
            let performance = try RecordedPerformance(
                directory: folder.url.appending(path: "piece/\(ending)"))
            #expect(performance?.audioFile.lastPathComponent == "audio.\(ending)", "\(ending)")
        }
        try make([
            "piece/two/audio.m4a", "piece/two/audio.ogg", "piece/two/measures.csv", "piece/none/measures.csv",
        ])
        #expect(
            try RecordedPerformance(directory: folder.url.appending(path: "piece/two"))?.audioFile
                .pathExtension
                == "ogg")
        #expect(try RecordedPerformance(directory: folder.url.appending(path: "piece/none")) == nil)
    }

    @Test func annotationsLieInFoldersOfTheirOwn() throws {
        try make([
            "audio/x-1.wav", "audio/x-2.wav", "annotations/notes/x-1.csv", "annotations/measures/x-1.csv",
            "annotations/measures/x-2.csv", "annotations/beats/x-2.csv",
        ])
        let found = try found()
        #expect(found.pieces.map(\.name) == [folder.url.lastPathComponent])
        #expect(
            annotations(found.pieces.first) == [
                "annotations/measures/x-1.csv", "annotations/measures/x-2.csv",
            ])
    }

    @Test func namesThatBeginAlikeAreAPiece() throws {
        try make(
            ["op10_p01", "op10_p02", "op38_p01", "op38_p02", "op38_p03"].flatMap {
                [$0 + ".ogg", $0 + ".csv"]
            })
        let pieces = try found().pieces
        #expect(pieces.map(\.name) == ["op10", "op38"])
        #expect(pieces.map { $0.recordings.map(\.name) } == [["p01", "p02"], ["p01", "p02", "p03"]])
        // One that stands alone shows that the names do not mean pieces.
        try make(["other_p01.ogg", "other_p01.csv"])
        #expect(try found().pieces.map(\.recordings.count) == [6])
    }

    @Test func foldersNamePieceAndPerformer() throws {
        try make([
            "suite/anna/audio.wav", "suite/anna/measures.csv", "suite/ben/audio.m4a", "suite/ben/beats.txt",
        ])
        let pieces = try found().pieces
        #expect(pieces.map(\.name) == ["suite"])
        #expect(pieces.first?.recordings.map(\.name) == ["anna", "ben"])
        #expect(annotations(pieces.first) == ["suite/anna/measures.csv", "suite/ben/beats.txt"])
    }

    @Test func manyRecordingsAreFollowedByOneOtherEach() throws {
        try make((1...6).flatMap { ["t\($0).wav", "t\($0).csv"] })
        let piece = try #require(try found().pieces.first)
        #expect(piece.pairs(all: true).count == 30)
        let pairs = piece.pairs(all: false)
        #expect(pairs.map(\.live.name) == ["t1", "t2", "t3", "t4", "t5", "t6"])
        #expect(pairs.map(\.reference.name) == ["t6", "t1", "t2", "t3", "t4", "t5"])
        #expect(
            AnnotatedFolder.Piece(name: "p", recordings: Array(piece.recordings.prefix(4))).pairs(all: false)
                .count == 12)
    }

    @Test func aCaseReadsWhatPrepareReadsFromAnyFolder() throws {
        let elsewhere = try LiveFolder()
        let audio = try elsewhere.melody("reference.wav", seed: 1, seconds: 9)
        // Beats of a tracker, a layer of Sonic Visualiser.
        try Data("0.5\t1\n1.5\t2\n2.5\t3\n3.5\t1\n4.5\t2\n5.5\t3\n6.5\t1\n".utf8)
            .write(to: elsewhere.url.appending(path: "beats.txt"))
        try Data("0.7,1.1\n1.7,1.2\n2.7,1.3\n3.7,2.1\n4.7,2.2\n5.7,2.3\n6.7,3.1\n".utf8)
            .write(to: folder.url.appending(path: "layer.csv"))
        try Data(
            """
            {"references": [{"audio": "\(audio)", "measures": "\(elsewhere.path("beats.txt"))", "end": 9}],
             "live": {"audio": "\(audio)", "measures": "layer.csv", "end": 9}}
            """.utf8
        ).write(to: folder.url.appending(path: "case.json"))
        let read = try EvaluationCase(directory: folder.url)
        #expect(read.input.references.first?.audioPath == audio)
        #expect(read.input.liveAudioPath == audio)
        #expect(read.input.references.first?.measures.marks.map(\.printed) == [1, 2, 3])
        #expect(read.input.references.first?.measures.marks.map(\.onset.seconds) == [0.5, 3.5, 6.5])
        #expect(read.truth?.groundTruth.measureOnsets == [0.7, 3.7, 6.7])
        #expect(read.remarks.contains { $0.contains("beats.txt") })
    }

    @Test func everyFigureIsInTheTable() throws {
        let elsewhere = try LiveFolder()
        let audio = try elsewhere.melody("a.wav", seed: 1, seconds: 4)
        for name in ["a.csv", "b.csv"] {
            try Data("measure,time\n1,0.5\n2,1.5\n3,2.5\n".utf8).write(
                to: elsewhere.url.appending(path: name))
        }
        try Data(
            """
            {"group": "g, 1", "references": [{"audio": "\(audio)", "measures": "\(elsewhere.path("a.csv"))", "end": 4}],
             "live": {"audio": "\(audio)", "measures": "\(elsewhere.path("b.csv"))", "end": 4}}
            """.utf8
        ).write(to: folder.url.appending(path: "case.json"))
        let item = try EvaluationCase(directory: folder.url)
        let trace = FollowTrace(
            reports: (0..<80).map {
                FollowTrace.Report(
                    liveSeconds: Double($0) / 20, measureWithFraction: 1 + Double($0) / 20,
                    referenceSeconds: 0.5,
                    tempoRatio: 1, confidence: 0.9, state: .following)
            })
        let results = EvaluationResults(
            cases: [item], outcomes: [.followed(trace)], broken: [], withTurns: true)
        let rows = results.csv.split(separator: "\r\n").map(String.init)
        let columns = try #require(rows.first).split(separator: ",").map(String.init)
        #expect(columns.prefix(3) == ["level", "name", "cases"])
        #expect(Set(columns).count == columns.count)
        for metric in AccuracyMetric.allCases { #expect(columns.contains(metric.rawValue)) }
        for column in ["recovery_s", "bar_lines.by_speed.median_s", "bar_lines.wrong_cues"] {
            #expect(columns.contains(column), "\(column)")
        }
        #expect(columns.contains { $0.hasPrefix("conduct.") })
        #expect(rows.dropFirst().map { $0.prefix(14) }.contains { $0.hasPrefix("group,\"g, 1\"") })
        #expect(rows.contains { $0.hasPrefix("group,ALL,1,") })
        #expect(rows.contains { $0.hasPrefix("case,\(item.id),1,") })

        let chart = try #require(BenchmarkCaseChart(of: item, trace: trace, thoughts: nil))
        let picture = CaseChartPicture(chart).svg
        #expect(XMLParser(data: Data(picture.utf8)).parse())
        for title in ["Position in the score", "Confidence and state", "Error in seconds", "Tempo ratio"] {
            #expect(picture.contains(title))
        }
        #expect(!picture.contains("nan") && !picture.contains("inf"))
        #expect(CaseChartPicture(chart).svg == picture)
    }
}
