import Drafts
import Foundation

/// Turns a task into work, and its result into a change of the piece.
package struct TaskCarrier: Sendable {
    enum Outcome: Sendable {
        case done(sentence: String?)
        case failed(sentence: String)
    }

    package init() {}

    /// Refuses a task that the piece lacks something for.
    static func check(_ task: PreparationTask, of record: DraftRecord) throws(DraftFault) {
        switch task {
        case .listen(let recording): _ = try record.recording(recording)
        }
    }

    /// Carries out a task. The change of the piece and the end of the task are saved together.
    func carryOut(
        _ task: PreparationTask, _ id: String, of piece: String, _ library: DraftLibrary,
        _ worker: any PreparationWorker, progress: @escaping @Sendable (PreparationProgress) -> Void
    ) async -> Outcome {
        let store = library.store
        let folder = store.workFolder(of: piece) + "/" + id
        defer { try? FileManager.default.removeItem(atPath: folder) }
        do throws(DraftFault) {
            let record = try await library.record(piece)
            try Self.check(task, of: record)
            try? FileManager.default.removeItem(atPath: folder)
            try DurableFile.makeFolder(folder)
            let work = try Self.work(for: task, of: record, in: store)
            let result = await worker.perform(work, in: folder, progress: progress)
            if case .failed(let sentences) = result {
                return .failed(sentence: sentences.joined(separator: " "))
            }
            // A result that comes although the task was interrupted is not used.
            guard !Task.isCancelled else { return .failed(sentence: "It was interrupted.") }
            var sentence: String?
            try await library.change(piece, label: task.kind) { record throws(DraftFault) in
                sentence = try Self.merge(result, of: task, into: &record)
                record.pending.removeAll { $0.id == id }
                return nil
            }
            return .done(sentence: sentence)
        } catch {
            return .failed(sentence: error.sentence)
        }
    }

    private static func work(
        for task: PreparationTask, of record: DraftRecord, in store: DraftStore
    ) throws(DraftFault) -> PreparationWork {
        switch task {
        case .listen(let id):
            let recording = try record.recording(id)
            return .listen(
                path: store.soundPath(of: record.id, recording),
                folder: store.soundFolder(of: record.id, id))
        }
    }

    /// - Returns: the result in words; nil if there is nothing to say.
    private static func merge(
        _ result: PreparationWorkResult, of task: PreparationTask, into record: inout DraftRecord
    ) throws(DraftFault) -> String? {
        switch (task, result) {
        case (.listen(let id), .heard(let warnings)):
            guard let index = record.recordings.firstIndex(where: { $0.id == id }) else {
                throw .noSuchRecording
            }
            record.recordings[index].isReady = true
            record.recordings[index].warnings = warnings
            return nil
        default:
            throw .refused(code: "failed", sentence: "The server did something else than was asked for.")
        }
    }
}
