import Foundation
import Hosting
import Synchronization
import Testing
import WebServer

@testable import Concert
@testable import Platform
@testable import Preparation

/// An upload is deleted only if its file cannot be used, not because of a fault of the server.
@Suite struct KeptUploadTests {
    private static let facts = PreparationWorkResult.recording(
        RecordingFacts(seconds: 20, sampleRate: 44_100, channels: 2, warnings: []))

    /// Makes every change of a piece fail, as on a full disk, until the returned folder is removed.
    private func blockChanges(of piece: String, _ stage: PreparationStage) throws -> String {
        let path = DurableFile.unfinishedPath(stage.store.pieceFolder(piece) + "/draft.json")
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
        return path
    }

    private func names(in folder: String) -> [String] {
        (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    }

    /// The address of the only upload of a piece.
    private func address(of piece: String, _ stage: PreparationStage) throws -> String {
        let ids = names(in: stage.store.uploadsFolder(of: piece))
        return "/api/prepare/pieces/\(piece)/uploads/" + (try #require(ids.first))
    }

    @Test(arguments: ["listen.wav", "unfinished.wav", "source.wav"])
    func aRecordingNamedLikeAFileOfItsFolderStaysWhole(name: String) async throws {
        let stage = try PreparationStage()
        let piece = try await stage.makePiece()
        let sound = try stage.sound(seconds: 2)
        #expect(try await stage.upload(sound, as: name, "recording", to: piece).status == 200)
        await stage.service.queue.waitUntilDone()
        let recording = try #require(try await stage.service.library.record(piece).mainRecording)
        #expect(recording.isReady && recording.name == name)
        let stored = FileManager.default.contents(atPath: stage.store.soundPath(of: piece, recording))
        #expect(stored.map(Array.init) == sound)
    }

    @Test(arguments: ["recording", "score"])
    func anUploadWhosePieceCannotBeSavedStays(purpose: String) async throws {
        let results: [PreparationWorkResult] =
            purpose == "score"
            ? [.score(bars: 4), .score(bars: 4)] : [Self.facts, Self.facts, .heard(warnings: [])]
        let stage = try PreparationStage(worker: ScriptedWorker(results: results))
        let piece = try await stage.makePiece()
        let block = try blockChanges(of: piece, stage)
        let refused = try await stage.upload([1, 2, 3], as: "a.wav", purpose, to: piece)
        #expect(refused.status == 507 && refused.json["code"] as? String == "not-written")
        #expect(names(in: stage.store.pieceFolder(piece) + "/sounds").isEmpty)
        #expect(names(in: stage.store.scoreFolder(of: piece)).isEmpty)
        let upload = try address(of: piece, stage)
        #expect(try await stage.ask(.get, upload).json["received"] as? Int == 3)
        rmdir(block)
        let again = try await stage.ask(.put, upload + "?offset=3", bytes: [])
        #expect(again.status == 200 && again.json["done"] as? Bool == true)
        await stage.service.queue.waitUntilDone()
        let record = try await stage.service.library.record(piece)
        #expect(purpose == "score" ? record.score?.bars == 4 : record.mainRecording?.isReady == true)
        #expect(record.pending.isEmpty)
    }

    @Test func aFileThatTheServerCouldNotCheckStays() async throws {
        let stage = try PreparationStage(
            worker: ScriptedWorker(results: [
                .notPerformed(sentence: "The disk is full."), Self.facts, .heard(warnings: []),
            ]))
        let piece = try await stage.makePiece()
        let answer = try await stage.upload([1, 2, 3], as: "a.wav", "recording", to: piece)
        #expect(answer.status == 503 && answer.json["code"] as? String == "not-checked")
        #expect((answer.json["error"] as? String)?.contains("The upload is kept") == true)
        let again = try await stage.ask(.put, try address(of: piece, stage) + "?offset=3", bytes: [])
        #expect(again.status == 200)
        await stage.service.queue.waitUntilDone()
    }

    @Test func onlyACrashOrTooLongATimeIsTheFilesFault() {
        func isFault(_ outcome: ChildProcess.Outcome, isCancelled: Bool = false) -> Bool {
            let end = BackgroundCommand.End(outcome: outcome, failureReason: "exit status 1")
            if case .failed = WorkerProcess.result(of: end, isCancelled: isCancelled) { return true }
            return false
        }
        for signal in [SIGSEGV, SIGABRT, SIGKILL, SIGTERM] {
            let isCrash = [SIGSEGV, SIGABRT].contains(signal)
            #expect(isFault(.killed(signal: signal)) == isCrash, "signal \(signal)")
        }
        #expect(isFault(.timedOut))
        #expect(!isFault(.timedOut, isCancelled: true))
        #expect(!isFault(.finished(status: 127)))
        #expect(!isFault(.notStarted(reason: "no")))
    }

    @Test func aPieceThatIsDeletedDuringACheckDoesNotComeBack() async throws {
        let worker = ScriptedWorker(results: [Self.facts], isOpen: false)
        let stage = try PreparationStage(worker: worker)
        let piece = try await stage.makePiece()
        let (intake, uploads) = (stage.service.intake, stage.service.uploads)
        let upload = try await uploads.begin(
            piece: piece, name: "a.wav", byteCount: 1, purpose: .recording)
        let check = Task { () -> Refusal? in
            do throws(Refusal) {
                try await intake.takeIn(upload, of: piece, author: "Clara")
                return nil
            } catch { return error }
        }
        for await _ in worker.begun { break }
        #expect(try await stage.ask(.delete, "/api/prepare/pieces/\(piece)").status == 200)
        worker.open()
        #expect(await check.value == .noSuchPiece)
        #expect(!FileManager.default.fileExists(atPath: stage.store.pieceFolder(piece)))
    }

    /// Counts the checks that run at the same time.
    private final class CountingWorker: PreparationWorker {
        let counts = Mutex((now: 0, most: 0))

        func perform(
            _ work: PreparationWork, in folder: String,
            progress: @escaping @Sendable (PreparationProgress) -> Void
        ) async -> PreparationWorkResult {
            counts.withLock { $0 = ($0.now + 1, max($0.most, $0.now + 1)) }
            for _ in 0..<100 { await Task.yield() }
            counts.withLock { $0.now -= 1 }
            return .score(bars: 1)
        }
    }

    @Test func atMostTwoFilesAreCheckedAtATime() async throws {
        let worker = CountingWorker()
        let stage = try PreparationStage(worker: worker)
        let piece = try await stage.makePiece()
        let (intake, uploads) = (stage.service.intake, stage.service.uploads)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<6 {
                let upload = try await uploads.begin(
                    piece: piece, name: "a.mid", byteCount: 1, purpose: .score)
                group.addTask { try await intake.takeIn(upload, of: piece, author: "Clara") }
            }
            try await group.waitForAll()
        }
        #expect(worker.counts.withLock { $0.most } <= 2)
        #expect(worker.counts.withLock { $0.now } == 0)
    }

    @Test func anUploadThatTheDiskCannotHoldIsRefusedBeforeItBegins() async throws {
        let stage = try PreparationStage()
        let piece = try await stage.makePiece()
        // 512 MB of a large disk are kept for the show.
        let reserve = DiskReserve(folder: stage.folder) { _ in (free: 600 << 20, whole: 100 << 30) }
        let uploads = DraftUploads(store: stage.store, diskReserve: reserve) { PreparationStage.now }
        let other = try await stage.makePiece()
        _ = try await uploads.begin(piece: piece, name: "a.wav", byteCount: 80 << 20, purpose: .recording)
        do throws(Refusal) {
            _ = try await uploads.begin(
                piece: other, name: "b.wav", byteCount: 20 << 20, purpose: .recording)
            Issue.record("the upload was accepted")
        } catch {
            #expect(error.response.status == 422)
            #expect(error.sentence.contains("“b.wav” needs 20 MB"), "\(error.sentence)")
            #expect(error.sentence.contains(" 8 MB left"), "what has begun counts: \(error.sentence)")
        }
    }
}
