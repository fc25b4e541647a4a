import Foundation
import Platform
import Testing

@testable import Concert
@testable import Preparation

/// One task at a time; they can be interrupted, survive a restart, and never change a piece halfway.
@Suite struct PreparationQueueTests {
    private static let facts = PreparationWorkResult.recording(
        RecordingFacts(seconds: 20, sampleRate: 44_100, channels: 2, warnings: []))
    private static let bars = PreparationWorkResult.aligned(
        ScoreAlignedBars(
            bars: [
                .init(printed: 1, seconds: 1, doubt: 0.1, reasons: []),
                .init(printed: 2, seconds: 3, doubt: 0.9, reasons: ["other instants fit nearly as well"]),
            ], end: 5, sentences: [],
            proposals: [.init(sentence: "The repeat of bars 1–2 was left out.", seconds: 3, route: "written")]
        ))

    /// A piece with a recording and a score whose alignment waits for the test.
    private func stageWithScore(_ worker: ScriptedWorker) async throws -> (PreparationStage, String) {
        let stage = try PreparationStage(worker: worker)
        let piece = try await stage.makePiece()
        try await stage.service.library.change(piece) { record in
            record.recordings = [
                DraftRecording(
                    id: "r1", name: "a.flac", file: "a.flac", seconds: 20, sampleRate: 44_100, channels: 2)
            ]
            record.main = "r1"
            record.score = DraftScore(name: "s.mxl", file: "u1/s.mxl", bars: 4)
            return nil
        }
        return (stage, piece)
    }

    private struct Wanted: Encodable { var kind = "align" }

    @Test func barsFoundByTheScoreComeWithDoubtsAndProposals() async throws {
        let (stage, piece) = try await stageWithScore(ScriptedWorker(results: [Self.bars]))
        let asked = try await stage.ask(.post, "/api/prepare/pieces/\(piece)/jobs", Wanted())
        #expect(asked.status == 200)
        await stage.service.queue.waitUntilDone()
        let record = try await stage.service.library.record(piece)
        #expect(record.draft.bars.map(\.isDoubtful) == [false, true])
        #expect(record.draft.end == 5 && record.pending.isEmpty)
        #expect(record.proposals.map(\.route) == ["written"])
        let job = try await stage.ask(
            .get, "/api/prepare/pieces/\(piece)/jobs/\(asked.json["job"] as? String ?? "")")
        #expect(job.json["state"] as? String == "done")
        #expect(job.json["sentence"] as? String == "2 bars were found; 1 should be checked by ear.")
    }

    @Test func aSingleBarIsNamedAndNotPrepared() async throws {
        let one = ScoreAlignedBars(bars: [.init(printed: 1, seconds: 1, doubt: 0, reasons: [])], end: 5)
        let (stage, piece) = try await stageWithScore(ScriptedWorker(results: [.aligned(one)]))
        let asked = try await stage.ask(.post, "/api/prepare/pieces/\(piece)/jobs", Wanted())
        await stage.service.queue.waitUntilDone()
        let job = try await stage.ask(
            .get, "/api/prepare/pieces/\(piece)/jobs/\(asked.json["job"] as? String ?? "")")
        #expect(job.json["sentence"] as? String == "1 bar was found; it is not doubtful.")
        let refused = try await stage.ask(
            .post, "/api/prepare/pieces/\(piece)/jobs", ["kind": "prepare", "folder": "one-bar"])
        #expect(refused.status == 422)
        #expect((refused.json["error"] as? String)?.hasPrefix("The piece has one bar; two at least") == true)
    }

    @Test func tapsReplaceTheBarsThatTheyCoverAndKeepTheMarks() async throws {
        struct Snap: Encodable {
            var kind = "snap"
            var taps = [["seconds": 4.0, "bar": 3], ["seconds": 8.0, "bar": 5]]
            var every = 2
            var replace = "range"
        }
        let found = [(3, 4.1, true), (4, 6.0, false), (5, 8.0, true)].map { printed, seconds, isTapped in
            TappedResult.Bar(printed: printed, seconds: seconds, doubt: 0, reasons: [], isTapped: isTapped)
        }
        let worker = ScriptedWorker(results: [.tapped(TappedResult(bars: found, notes: []))])
        let (stage, piece) = try await stageWithScore(worker)
        _ = try await stage.service.library.edit(
            piece,
            (0..<6).map { .insert(bar: "b\($0)", seconds: Double(2 * $0), printed: $0 + 1) }
                + [.mark(id: "m", bar: "b3", kind: .rehearsal, text: "A")], label: "", author: "Clara")
        #expect(try await stage.ask(.post, "/api/prepare/pieces/\(piece)/jobs", Snap()).status == 200)
        await stage.service.queue.waitUntilDone()
        let draft = try await stage.service.library.record(piece).draft
        #expect(draft.bars.map(\.seconds) == [0, 2, 4.1, 6, 8, 10])
        #expect(draft.bars.map(\.origin) == [.person, .person, .tap, .between, .tap, .person])
        #expect(draft.marks.map(\.bar) == [draft.bars[3].id])
    }

    @Test func aSecondTaskOfAPieceIsRefusedWhileOneRuns() async throws {
        let worker = ScriptedWorker(results: [Self.bars], isOpen: false)
        let (stage, piece) = try await stageWithScore(worker)
        let place = "/api/prepare/pieces/\(piece)/jobs"
        #expect(try await stage.ask(.post, place, Wanted()).status == 200)
        let second = try await stage.ask(.post, place, Wanted())
        #expect(second.status == 409 && second.json["code"] as? String == "job-running")
        worker.open()
        await stage.service.queue.waitUntilDone()
    }

    @Test func anInterruptedTaskLeavesThePieceAsItWas() async throws {
        let worker = ScriptedWorker(results: [Self.bars], isOpen: false)
        let (stage, piece) = try await stageWithScore(worker)
        let place = "/api/prepare/pieces/\(piece)/jobs"
        let job = try await stage.ask(.post, place, Wanted()).json["job"] as? String ?? ""
        for await _ in worker.begun { break }
        #expect(try await stage.ask(.delete, place + "/" + job).status == 200)
        let record = try await stage.service.library.record(piece)
        #expect(record.draft.bars.isEmpty && record.pending.isEmpty)
        #expect(try await stage.ask(.get, place + "/" + job).json["state"] as? String == "interrupted")
        #expect(try await stage.ask(.delete, place + "/" + job).status == 404)
    }

    @Test func aTaskThatWasAcceptedBeginsAgainAfterAKill() async throws {
        let first = ScriptedWorker(results: [Self.bars], isOpen: false)
        let (stage, piece) = try await stageWithScore(first)
        _ = try await stage.ask(.post, "/api/prepare/pieces/\(piece)/jobs", Wanted())
        for await _ in first.begun { break }
        // The new service finds the task on the disk; the worker of before never ends its own.
        let second = try PreparationService(
            data: stage.folder, models: stage.folder, recordings: stage.folder,
            evenings: stage.evenings, worker: ScriptedWorker(results: [Self.bars]), say: { _ in })
        await second.queue.resume()
        await second.queue.waitUntilDone()
        #expect(try await second.library.record(piece).draft.bars.count == 2)
        first.open()
    }

    @Test func listeningThatIsAskedForTwiceIsDoneOnce() async throws {
        let worker = ScriptedWorker(results: [.heard(warnings: [])], isOpen: false)
        let (stage, piece) = try await stageWithScore(worker)
        let queue = stage.service.queue
        let first = try await queue.submit(.listen(recording: "r1"), of: piece)
        #expect(try await queue.submit(.listen(recording: "r1"), of: piece) == first)
        #expect(try await stage.service.library.record(piece).pending.map(\.id) == [first])
        worker.open()
        await queue.waitUntilDone()
        #expect(try await stage.service.library.record(piece).pending.isEmpty)
    }

    /// Makes every change of a piece fail, as on a full disk, until the returned folder is removed.
    private func blockChanges(of piece: String, _ stage: PreparationStage) throws -> String {
        let path = DurableFile.unfinishedPath(stage.store.pieceFolder(piece) + "/draft.json")
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
        return path
    }

    @Test func aTaskWhoseEndCouldNotBeSavedBlocksNothing() async throws {
        let worker = ScriptedWorker(results: [.failed(sentences: ["No."]), Self.bars], isOpen: false)
        let (stage, piece) = try await stageWithScore(worker)
        let place = "/api/prepare/pieces/\(piece)/jobs"
        #expect(try await stage.ask(.post, place, Wanted()).status == 200)
        for await _ in worker.begun { break }
        let block = try blockChanges(of: piece, stage)
        worker.open()
        await stage.service.queue.waitUntilDone()
        #expect(try await stage.service.library.record(piece).pending.count == 1)
        rmdir(block)
        #expect(try await stage.ask(.post, place, Wanted()).status == 200)
        await stage.service.queue.waitUntilDone()
        let record = try await stage.service.library.record(piece)
        #expect(record.pending.isEmpty && record.draft.bars.count == 2)
    }

    @Test func aWaitingTaskThatCouldNotBeTakenOutStaysAndCanBeTakenOutLater() async throws {
        let worker = ScriptedWorker(results: [.heard(warnings: [])], isOpen: false)
        let (stage, piece) = try await stageWithScore(worker)
        try await stage.service.queue.submit(.listen(recording: "r1"), of: piece)
        let place = "/api/prepare/pieces/\(piece)/jobs"
        let job = place + "/" + (try await stage.ask(.post, place, Wanted()).json["job"] as? String ?? "")
        let block = try blockChanges(of: piece, stage)
        #expect(try await stage.ask(.delete, job).status == 507)
        #expect(try await stage.ask(.get, job).json["state"] as? String == "waiting")
        rmdir(block)
        #expect(try await stage.ask(.delete, job).status == 200)
        #expect(try await stage.ask(.get, job).json["state"] as? String == "interrupted")
        worker.open()
        await stage.service.queue.waitUntilDone()
        #expect(try await stage.service.library.record(piece).pending.isEmpty)
    }

    @Test func theSpaceForASoundThatIsMadeIsCounted() throws {
        var record = DraftRecord(id: "p1", draft: try PieceDraft(name: "Composer, Piece: Movement"))
        func recording(_ id: String, _ file: String) -> DraftRecording {
            DraftRecording(
                id: id, name: file, file: file, seconds: 1_000, sampleRate: 44_100, channels: 2)
        }
        let least = 64 << 20
        record.recordings = [recording("r1", "source.flac"), recording("r2", "source.WAV")]
        #expect(try TaskCarrier.neededBytes(for: .prepare(folder: "x"), of: record) == least)
        record.recordings.append(recording("r3", "source.mp3"))
        #expect(try TaskCarrier.neededBytes(for: .prepare(folder: "x"), of: record) == least + 88_200_000)
        record.score = DraftScore(name: "s.mxl", file: "u1/s.mxl", bars: 100)
        #expect(try TaskCarrier.neededBytes(for: .render, of: record) == least + 88_200_000)
    }

    @Test func aTaskThatThePieceIsNotReadyForIsRefusedAtOnce() async throws {
        let stage = try PreparationStage()
        let piece = try await stage.makePiece()
        struct Wish: Encodable { var kind: String, folder = "my-piece" }
        for (kind, code) in [
            ("align", "no-recording"), ("render", "no-score"), ("prepare", "no-recording"),
            ("dance", "bad-kind"),
        ] {
            let answer = try await stage.ask(.post, "/api/prepare/pieces/\(piece)/jobs", Wish(kind: kind))
            #expect(answer.status == 422 && answer.json["code"] as? String == code, "\(answer)")
        }
    }

    @Test func theFolderOfAnotherPieceIsNeverOverwritten() async throws {
        let stage = try PreparationStage(worker: ScriptedWorker(results: []))
        let piece = try await stage.makePieceWithTwoBars()
        let taken = stage.folder + "/Recordings/taken"
        try FileManager.default.createDirectory(atPath: taken, withIntermediateDirectories: true)
        struct Wanted: Encodable { var kind = "prepare", folder: String }
        let answer = try await stage.ask(.post, "/api/prepare/pieces/\(piece)/jobs", Wanted(folder: "taken"))
        #expect(answer.status == 422 && answer.json["code"] as? String == "folder-taken")
        let bad = try await stage.ask(.post, "/api/prepare/pieces/\(piece)/jobs", Wanted(folder: "../x"))
        #expect(bad.status == 422 && bad.json["code"] as? String == "bad-folder")
    }
}
