import Basics
import Foundation
import Hosting
import ReferenceStore
import Testing

@testable import Students
@testable import TakeReport

/// A take keeps the piece as it was played, so that its report stays what it is when the piece is changed or goes.
@Suite final class TakePieceTests {
    private static let piece = MinuetPerformance.piece
    private let folder = NSTemporaryDirectory() + "baton-take-pieces-" + UUID().uuidString
    private let store: TakeStore
    private var models: String { folder + "/models" }
    private var recordings: String { folder + "/recordings" }

    init() throws {
        store = TakeStore(data: folder)
        for place in [models, recordings + "/" + Self.piece] {
            try FileManager.default.createDirectory(atPath: place, withIntermediateDirectories: true)
        }
        try FileManager.default.copyItem(
            atPath: "\(MinuetPerformance.models)/\(Self.piece)", toPath: "\(models)/\(Self.piece)")
        try FileManager.default.copyItem(
            atPath: "\(MinuetPerformance.recordings)/\(Self.piece)/score.musicxml",
            toPath: "\(recordings)/\(Self.piece)/score.musicxml")
    }

    deinit { try? FileManager.default.removeItem(atPath: folder) }

    /// Plays the first bars of the minuet.
    /// - Parameter keepsPiece: false for a take of an earlier version of the program.
    private func played(keepsPiece: Bool = true) throws -> String {
        let performance = try MinuetPerformance()
        let take = Take(piece: Self.piece, pieceName: "Minuet", startedAt: 1_790_000_000_000)
        let (models, recordings) = (ModelFolder(path: models), recordings)
        let begun = try store.begin(take, owner: "ada") { folder throws(TakeFault) in
            guard keepsPiece else { return }
            try TakePiece(folder: folder).keep(take.piece, models: models, recordings: recordings)
        }
        let writer = try TakeWriter(
            folder: begun.folder, take: store.take(begun.name, of: "ada").take, rate: performance.rate)
        writer.write(performance.part(from: 0, to: 12)[...])
        try writer.close(lostSeconds: 0)
        return begun.name
    }

    private func report(on name: String) async throws -> ReportOnTake {
        let (take, sound) = try store.take(name, of: "ada")
        let reporter = TakeReporter(
            modelsFolder: models, recordings: recordings, thread: try PracticeThread(name: "take-report"))
        return try await reporter.report(
            on: take, sound: sound, key: sound, for: .init(address: "127.0.0.1", account: "ada"))
    }

    private func removePiece() throws {
        for place in [models, recordings] {
            try FileManager.default.removeItem(atPath: "\(place)/\(Self.piece)")
        }
    }

    @Test func theReportIsTheSameWhenThePieceIsGone() async throws {
        let name = try played()
        let before = try await report(on: name)
        #expect(before.refusal == nil && before.pieceNote == nil && before.rightNotes > 20)
        #expect(before.barKeys.count == 64)
        try removePiece()
        #expect(try await report(on: name) == before)
    }

    @Test func theReportIsTheSameWhenThePieceIsLearnedAnew() async throws {
        let name = try played()
        let before = try await report(on: name)
        try removePiece()
        let other = "bach-well-tempered-clavier-1-prelude-in-c"
        try FileManager.default.copyItem(
            atPath: "\(MinuetPerformance.models)/\(other)", toPath: "\(models)/\(Self.piece)")
        #expect(try await report(on: name) == before)
    }

    @Test func anOlderTakeIsComparedWithThePresentPieceAndKeepsIt() async throws {
        let name = try played(keepsPiece: false)
        #expect(try store.take(name, of: "ada").take.pieceKeptAt == nil)
        let before = try await report(on: name)
        #expect(before.pieceNote == TakeReporter.presentPieceSentence && before.rightNotes > 20)
        let kept = try store.take(name, of: "ada").take
        #expect((kept.pieceKeptAt ?? 0) > kept.startedAt)
        try removePiece()
        let after = try await report(on: name)
        #expect(after.refusal == nil && after.rightNotes == before.rightNotes)
        #expect(after.pieceNote == before.pieceNote, "it is told as long as the take is there")
    }

    @Test func anOlderTakeOfAPieceThatIsGoneSaysWhy() async throws {
        let name = try played(keepsPiece: false)
        try removePiece()
        let report = try await report(on: name)
        #expect(report.refusal?.contains("was changed, or it made room") == true, "\(report.refusal ?? "")")
        #expect(store.list(of: "ada").count == 1, "it can still be heard")
    }

    @Test func aTakeOfAnEarlierVersionIsRead() throws {
        let place = "\(folder)/takes/\(TakeStore.folderName(of: "ada"))/2026-01-02-030405-abc"
        try FileManager.default.createDirectory(atPath: place, withIntermediateDirectories: true)
        try Data(
            #"{"lostSeconds":0,"piece":"x","pieceName":"X","processing":{},"seconds":4,"startedAt":1}"#.utf8
        ).write(to: URL(filePath: place + "/take.json"))
        #expect(store.list(of: "ada").map(\.take.piece) == ["x"])
    }

    @Test func thePieceGoesToTheBackupWithTheTakeAndGoesWithIt() throws {
        let name = try played()
        let item = try #require(store.replicatedFolder { _ in }.listItems().first)
        let files = item.files.map { ($0.path as NSString).lastPathComponent }
        #expect(files.contains("model.json") && files.contains("score.musicxml"))
        #expect(files.filter { $0.hasSuffix(".frames") }.count == 1, "\(files)")
        #expect(try #require(store.list(of: "ada").first).bytes == Int(item.bytes), "all of it counts")
        try store.delete(name, of: "ada")
        #expect(!FileManager.default.fileExists(atPath: "\(folder)/takes/\(item.name)"))
    }

    @Test func aTakeWhosePieceCannotBeKeptIsNotBegun() throws {
        try removePiece()
        #expect(throws: TakeFault.self) { try played() }
        #expect(store.list(of: "ada").isEmpty)
    }

    @Test func barsWithTheSameNotesHaveTheSameKey() {
        func notes(_ pitches: [Int]) -> PieceNotes {
            PieceNotes(
                notes: pitches.enumerated().map { .init(pitch: $1, bar: Double($0), end: Double($0) + 0.5) })
        }
        let (one, other) = (notes([60, 62, 60]).keys(ofBars: 3), notes([60, 63, 60]).keys(ofBars: 3))
        #expect(one[0] == other[0] && one[1] != other[1] && one[0] == one[2])
    }
}
