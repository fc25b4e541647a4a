import Basics
import Concert
import Foundation
import ScoreFiles
import WebServer

/// Takes complete uploads into their piece, after a check that says what is wrong with a file and what to do.
struct UploadIntake: Sendable {
    let library: DraftLibrary
    let uploads: DraftUploads
    let queue: PreparationQueue
    let worker: any PreparationWorker
    private let gate = CheckGate(places: 2)

    init(
        library: DraftLibrary, uploads: DraftUploads, queue: PreparationQueue, worker: any PreparationWorker
    ) {
        (self.library, self.uploads, self.queue, self.worker) = (library, uploads, queue, worker)
    }

    private var store: DraftStore { library.store }

    /// Checks a complete upload and takes it into the piece. The upload is gone afterwards, also if it is refused; it
    /// stays if the reason lies with the server.
    func takeIn(_ upload: DraftUpload, of piece: String, author: String) async throws(Refusal) {
        let path = uploads.path(of: upload, piece: piece)
        do throws(Refusal) {
            switch upload.purpose {
            case .recording, .reference: try await takeRecording(upload, path, of: piece, author: author)
            case .score: try await takeScore(upload, path, of: piece, author: author)
            case .bars:
                guard let bytes = FileManager.default.contents(atPath: path) else { throw .noSuchUpload }
                try await importBars(
                    Array(bytes), name: upload.name, format: .automatic, into: piece, author: author)
            }
        } catch {
            // A full disk is no fault of the file: the upload stays and can be completed later.
            if ![Refusal.notWrittenCode, Refusal.notCheckedCode].contains(error.code) {
                await uploads.delete(upload.id, of: piece)
            }
            throw error
        }
        await uploads.delete(upload.id, of: piece)
    }

    private func perform(_ work: PreparationWork, of piece: String) async throws(Refusal)
        -> PreparationWorkResult
    {
        await gate.enter()
        let folder = store.workFolder(of: piece) + "/" + DraftStore.makeID("c")
        let result: PreparationWorkResult
        do throws(Refusal) {
            _ = try await library.record(piece)
            try store.makeFolder(folder, of: piece)
            result = await worker.perform(work, in: folder) { _ in }
        } catch {
            await gate.leave()
            throw error
        }
        try? FileManager.default.removeItem(atPath: folder)
        await gate.leave()
        // The piece may have been deleted during the check.
        _ = try await library.record(piece)
        switch result {
        case .failed(let sentences, _):
            throw .refused(
                code: "bad-file", sentence: WebResponse.removeMachinePaths(sentences.joined(separator: " ")))
        case .notPerformed(let sentence):
            throw .notChecked(reason: WebResponse.removeMachinePaths(sentence))
        default: return result
        }
    }

    /// Moves an uploaded file into a folder of its own in the piece, changes the piece, and moves the file back if that
    /// fails.
    private func move(
        _ path: String, to file: String, in folder: String, of piece: String,
        change: () async throws(Refusal) -> Void
    ) async throws(Refusal) {
        let place = folder + "/" + file
        do throws(Refusal) {
            try store.makeFolder(folder, of: piece)
            guard rename(path, place) == 0 else {
                throw .notWritten(reason: String(cString: strerror(errno)))
            }
            DraftFiles.flush(folder: folder)
            try await change()
        } catch {
            _ = rename(place, path)
            rmdir(folder)
            throw error
        }
    }

    private func takeRecording(
        _ upload: DraftUpload, _ path: String, of piece: String, author: String
    ) async throws(Refusal) {
        let result = try await perform(.checkRecording(path: path), of: piece)
        guard case .recording(let facts) = result else { throw .noSuchUpload }
        let recording = DraftRecording(
            id: DraftStore.makeID("r"), name: upload.name,
            file: Self.sourceName(of: upload, convertedTo: facts.convertedTo), seconds: facts.seconds,
            sampleRate: facts.sampleRate, channels: facts.channels,
            warnings: facts.warnings)
        let listening = PendingTask(
            id: DraftStore.makeID("j"), task: .listen(recording: recording.id))
        try await move(
            path, to: recording.file, in: store.soundFolder(of: piece, recording.id), of: piece
        ) { () async throws(Refusal) in
            try await library.change(piece, label: "recording \(upload.name)", author: author) {
                record throws(Refusal) in
                guard record.recordings.count < DraftRecord.mostRecordings else {
                    throw Refusal.tooManyRecordings
                }
                record.recordings.append(recording)
                if record.main == nil { record.main = recording.id }
                record.pending.append(listening)
                return nil
            }
        }
        await queue.begin(listening, of: piece)
    }

    /// The name under which a recording is stored. It is never that of a file which is made of the recording.
    private static func sourceName(of upload: DraftUpload, convertedTo ending: String?) -> String {
        let ending = ending ?? (upload.name as NSString).pathExtension
        return ending.isEmpty ? "source" : "source." + ending
    }

    private func takeScore(
        _ upload: DraftUpload, _ path: String, of piece: String, author: String
    ) async throws(Refusal) {
        guard case .score(let bars) = try await perform(.checkScore(path: path), of: piece) else {
            throw .noSuchUpload
        }
        let folder = store.scoreFolder(of: piece)
        let score = DraftScore(name: upload.name, file: upload.id + "/" + upload.name, bars: bars)
        try await queue.removeEnded(of: piece)
        let old = try await library.record(piece).score?.file
        try await move(path, to: upload.name, in: folder + "/" + upload.id, of: piece) {
            () async throws(Refusal) in
            try await library.change(piece, label: "score \(upload.name)", author: author) {
                record throws(Refusal) in
                if let other = record.pending.first(where: { !$0.task.isInBackground }) {
                    throw Refusal.jobRunning(kind: other.task.kind)
                }
                record.score = score
                record.proposals = []
                return nil
            }
        }
        if let old {
            try? FileManager.default.removeItem(
                atPath: folder + "/" + (old as NSString).deletingLastPathComponent)
        }
    }

    /// Reads a file of measure times and replaces all bars by them, as one edit.
    /// - Parameter name: the file's name, for sentences.
    /// - Returns: the piece, the outcome of the edit, and sentences about what was assumed while reading.
    @discardableResult
    func importBars(
        _ bytes: [UInt8], name: String, format: MeasureTimesFormatChoice, into piece: String, author: String
    ) async throws(Refusal) -> (answer: EditAnswer, notes: [String]) {
        let times: MeasureTimes
        do throws(MeasureTimesError) {
            times = try MeasureTimesFileReader.parse(bytes, path: name, format: format)
        } catch .ambiguousFormat(_, let candidates) {
            throw .severalReadings(
                formats: Dictionary(uniqueKeysWithValues: candidates.map { ($0.rawValue, $0.description) }),
                sentence: MeasureTimesError.ambiguousFormat(path: name, candidates: candidates)
                    .sentenceForPages)
        } catch {
            throw .refused(code: "bad-file", sentence: error.sentenceForPages)
        }
        let record = try await library.record(piece)
        let check = MeasureTimesCheck(times, audioDuration: record.mainRecording.map { Seconds($0.seconds) })
        guard check.isUsable else {
            let errors = check.findings.filter { $0.severity == .error }.map(\.sentence)
            throw .refused(code: "bad-file", sentence: "“\(name)”: " + errors.joined(separator: " "))
        }
        let bars = times.marks.enumerated().map { index, mark in
            DraftBar(
                id: DraftStore.makeID("b"), seconds: mark.onset.seconds, printed: mark.printed,
                origin: .imported, isChecked: true)
        }
        let answer = try await library.edit(
            piece, [.replaceBars(bars: bars, end: times.end?.seconds)], label: "bars from \(name)",
            author: author)
        if let refused = answer.skipped.first { throw .refused(code: "bad-file", sentence: refused) }
        return (answer, times.readingWarnings + check.findings.map(\.sentence))
    }
}

/// A number of places for upload checks, each of which takes a process. Who finds none waits.
private actor CheckGate {
    private var freePlaces: Int
    private var waiting: [CheckedContinuation<Void, Never>] = []

    init(places: Int) { freePlaces = places }

    func enter() async {
        if freePlaces > 0 {
            freePlaces -= 1
        } else {
            await withCheckedContinuation { waiting.append($0) }
        }
    }

    func leave() {
        if waiting.isEmpty { freePlaces += 1 } else { waiting.removeFirst().resume() }
    }
}
