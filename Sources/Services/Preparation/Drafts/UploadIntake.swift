import Drafts
import Foundation
import MusicalTime
import ScoreFiles
import WebServer

/// Takes complete uploads into their piece, after a check that says what is wrong with a file and what to do.
struct UploadIntake: Sendable {
    let library: DraftLibrary
    let uploads: DraftUploads
    let queue: PreparationQueue
    let worker: any PreparationWorker

    private var store: DraftStore { library.store }

    /// Checks a complete upload and takes it into the piece. The upload is gone afterwards, also if it is refused.
    func takeIn(_ upload: DraftUpload, of piece: String, author: String) async throws(DraftFault) {
        let path = uploads.path(of: upload, piece: piece)
        do throws(DraftFault) {
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
            if case .notWritten = error { throw error }
            await uploads.delete(upload.id, of: piece)
            throw error
        }
        await uploads.delete(upload.id, of: piece)
    }

    private func perform(_ work: PreparationWork, of piece: String) async throws(DraftFault)
        -> PreparationWorkResult
    {
        let folder = store.workFolder(of: piece) + "/" + DraftStore.makeID("c")
        try DurableFile.makeFolder(folder)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let result = await worker.perform(work, in: folder) { _ in }
        if case .failed(let sentences) = result {
            throw .refused(
                code: "bad-file", sentence: WebResponse.removeMachinePaths(sentences.joined(separator: " ")))
        }
        return result
    }

    private func takeRecording(
        _ upload: DraftUpload, _ path: String, of piece: String, author: String
    ) async throws(DraftFault) {
        let result = try await perform(.checkRecording(path: path), of: piece)
        guard case .recording(let facts) = result else { throw .noSuchUpload }
        let recording = DraftRecording(
            id: DraftStore.makeID("r"), name: upload.name, file: upload.name, seconds: facts.seconds,
            sampleRate: facts.sampleRate, channels: facts.channels, warnings: facts.warnings)
        let folder = store.soundFolder(of: piece, recording.id)
        try DurableFile.makeFolder(folder)
        guard rename(path, folder + "/" + recording.file) == 0 else {
            throw .notWritten(reason: String(cString: strerror(errno)))
        }
        DurableFile.flush(folder: folder)
        do throws(DraftFault) {
            try await library.change(piece, label: "recording \(upload.name)", author: author) {
                record throws(DraftFault) in
                guard record.recordings.count < DraftRecord.mostRecordings else {
                    throw DraftFault.refused(
                        code: "too-many",
                        sentence:
                            "A piece can have \(DraftRecord.mostRecordings) recordings; remove one first.")
                }
                record.recordings.append(recording)
                if record.main == nil { record.main = recording.id }
                return nil
            }
            try await queue.submit(.listen(recording: recording.id), of: piece)
        } catch {
            try? FileManager.default.removeItem(atPath: folder)
            throw error
        }
    }

    private func takeScore(
        _ upload: DraftUpload, _ path: String, of piece: String, author: String
    ) async throws(DraftFault) {
        guard case .score(let bars) = try await perform(.checkScore(path: path), of: piece) else {
            throw .noSuchUpload
        }
        let folder = store.scoreFolder(of: piece)
        let file = upload.id + "/" + upload.name
        try DurableFile.makeFolder(folder + "/" + upload.id)
        guard rename(path, folder + "/" + file) == 0 else {
            throw .notWritten(reason: String(cString: strerror(errno)))
        }
        DurableFile.flush(folder: folder + "/" + upload.id)
        var old: String?
        try await library.change(piece, label: "score \(upload.name)", author: author) {
            record throws(DraftFault) in
            if let other = record.pending.first(where: { !$0.task.isInBackground }) {
                throw DraftFault.jobRunning(kind: other.task.kind)
            }
            old = record.score?.file
            record.score = DraftScore(name: upload.name, file: file, bars: bars)
            record.proposals = []
            return nil
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
    ) async throws(DraftFault) -> (answer: EditAnswer, notes: [String]) {
        let times: MeasureTimes
        do throws(MeasureTimesError) {
            times = try MeasureTimesFileReader.parse(bytes, path: name, format: format)
        } catch {
            throw .refused(code: "bad-file", sentence: error.sentence)
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
