import Basics
import Concert
import Dispatch
import Foundation
import Hosting
import WebServer

/// The pieces that are being prepared. Every change is on the disk before it is acknowledged and sent to the pages.
package actor DraftLibrary {
    static let mostPieces = 200
    /// More edits than this, or one that replaces all bars, are not sent to the pages; they load the piece again.
    private static let mostSentEdits = 200

    nonisolated package let store: DraftStore
    /// The stream of the pages: `piece`, `job` and `pieces`.
    nonisolated package let eventHub: EventHub
    private let readMilliseconds: @Sendable () -> Int64
    private var records: [String: DraftRecord] = [:]
    private let executor = SerialQueueExecutor(label: "drafts")

    /// The disk is written on a thread of its own.
    nonisolated package var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    package init(
        store: DraftStore, eventHub: EventHub = EventHub(listenerLimit: 64),
        readMilliseconds: @escaping @Sendable () -> Int64
    ) throws(Refusal) {
        self.store = store
        self.eventHub = eventHub
        self.readMilliseconds = readMilliseconds
        try store.prepareFolder()
    }

    /// A piece of the list.
    enum ListedPiece {
        case readable(DraftRecord)
        case damaged(id: String, Refusal)
    }

    /// All pieces, newest change first; damaged ones last.
    func list() -> [ListedPiece] {
        var readable: [DraftRecord] = []
        var damaged: [ListedPiece] = []
        for id in store.pieceIDs() {
            do throws(Refusal) { readable.append(try record(id)) } catch {
                damaged.append(.damaged(id: id, error))
            }
        }
        readable.sort { $0.changedAt > $1.changedAt }
        return readable.map(ListedPiece.readable) + damaged
    }

    package func record(_ id: String) throws(Refusal) -> DraftRecord {
        if let known = records[id] { return known }
        let read = try store.load(id)
        records[id] = read
        return read
    }

    /// Makes a piece.
    /// - Parameters:
    ///   - tabOwner: the account whose tab it is; nil for a piece of the house.
    ///   - tab: the id of that tab on the page Practice.
    ///   - isForFile: true if a file is uploaded next; the piece can then be removed again if that is refused.
    /// - Returns: its id.
    package func create(
        name: String, tabOwner: String? = nil, tab: String? = nil, isForFile: Bool = false
    ) throws(Refusal) -> String {
        guard store.pieceIDs().count < Self.mostPieces else { throw .tooManyPieces(limit: Self.mostPieces) }
        let draft: PieceDraft
        do { draft = try PieceDraft(name: name) } catch {
            throw Refusal.refused(code: "bad-name", sentence: error.sentence)
        }
        var record = DraftRecord(id: DraftStore.makeID("p"), draft: draft)
        record.changedAt = readMilliseconds()
        (record.tabOwner, record.tab) = (tabOwner, tab)
        record.isForFile = isForFile ? true : nil
        do throws(Refusal) { try store.save(record) } catch {
            store.removeIfEmpty(record.id)
            throw error
        }
        DraftFiles.flush(folder: store.folder)
        records[record.id] = record
        publishList()
        return record.id
    }

    package func delete(_ id: String) throws(Refusal) {
        try store.delete(id)
        records[id] = nil
        publishList()
    }

    /// Deletes a piece that was made for a file, if it has got nothing since: no file, no edit, no task, and no upload
    /// that can be continued.
    func deleteIfUnused(_ id: String) throws(Refusal) {
        let record = try record(id)
        let uploads = try? FileManager.default.contentsOfDirectory(atPath: store.uploadsFolder(of: id))
        guard record.isForFile == true, record.revision == 0, uploads?.isEmpty ?? true else {
            throw .inUse
        }
        try delete(id)
    }

    /// Carries out people's edits.
    /// - Parameters:
    ///   - batch: identifies this list of edits; a list that was carried out before is answered again.
    ///   - author: the name of the person.
    func edit(
        _ id: String, _ edits: [DraftEdit], batch: String = "", label: String, author: String
    ) throws(Refusal) -> EditAnswer {
        if let known = try record(id).answers.first(where: { !batch.isEmpty && $0.id == batch }) {
            return known
        }
        var outcome = DraftEditOutcome()
        let record = try change(id, label: label, author: author, batch: batch) { record in
            outcome = record.draft.apply(edits)
            if !batch.isEmpty {
                let keeps = outcome.inverse.count <= EditAnswer.mostKeptEdits
                record.answers.append(
                    EditAnswer(
                        id: batch, revision: record.revision + 1, inverse: keeps ? outcome.inverse : [],
                        skipped: outcome.skipped))
                record.answers = record.answers.suffix(EditAnswer.mostKept)
            }
            return Self.sendable(outcome.applied)
        }
        return EditAnswer(
            id: batch, revision: record.revision, inverse: outcome.inverse, skipped: outcome.skipped)
    }

    private static func sendable(_ edits: [DraftEdit]) -> [DraftEdit]? {
        guard edits.count <= mostSentEdits else { return nil }
        return edits.contains { if case .replaceBars = $0 { true } else { false } } ? nil : edits
    }

    /// Changes a piece and saves it. If that fails, nothing is changed.
    /// - Parameter change: returns the edits to send to the pages, or nil if they must load the piece again.
    @discardableResult
    package func change(
        _ id: String, label: String = "", author: String = "Baton", batch: String = "",
        _ change: (inout DraftRecord) throws(Refusal) -> [DraftEdit]?
    ) throws(Refusal) -> DraftRecord {
        var record = try record(id)
        let before = record
        let edits = try change(&record)
        guard record != before else { return record }
        record.revision += 1
        // A change that does not affect the model, such as a mark or a failed task, leaves the piece prepared.
        if before.prepared?.revision == before.revision, record.prepared == before.prepared,
            record.makesSameModel(as: before)
        {
            record.prepared?.revision = record.revision
        }
        record.changedAt = readMilliseconds()
        try store.save(record)
        records[id] = record
        eventHub.sendTransient(
            "piece",
            JSONBody.encode(
                PieceEvent(
                    id: id, batch: batch.isEmpty ? nil : batch, revision: record.revision, author: author,
                    label: label, edits: edits)))
        return record
    }

    private struct PieceEvent: Encodable {
        var id: String
        @OrNull var batch: String?
        var revision: Int
        var author: String
        var label: String
        @OrNull var edits: [DraftEdit]?
    }

    func publishList() { eventHub.sendTransient("pieces", Array("{}".utf8)) }
}

/// Runs an actor on a thread of a queue, so that the threads that all requests share do not wait for the disk.
final class SerialQueueExecutor: SerialExecutor {
    private let queue: DispatchQueue

    init(label: String) { queue = DispatchQueue(label: label, qos: .utility) }

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        queue.async { job.runSynchronously(on: self.asUnownedSerialExecutor()) }
    }
}
