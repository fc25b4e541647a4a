import Catalogue
import Foundation
import Platform
import Synchronization

/// Answers the standby server's requests for content while this server is active.
final class ReplicationSource: Sendable {
    private let journals: [String: RowChangeJournal]
    private let assetFolders: [String: String]
    private let isActive: @Sendable () -> Bool
    private let answerItemRequest: (@Sendable (ReplicationRequest) async -> [UInt8])?

    /// The state of the standby server's copy, as far as the active server knows it.
    struct StandbyStatus {
        /// By database, the time when the standby server last held all changes.
        var inSyncAt: [String: MonotonicInstant] = [:]
        var replicationError: String?
    }
    private let standbyStatus = Mutex(StandbyStatus())

    init(
        journals: [String: RowChangeJournal], folders: [String: String],
        isActive: @escaping @Sendable () -> Bool,
        answerItemRequest: (@Sendable (ReplicationRequest) async -> [UInt8])? = nil
    ) {
        self.answerItemRequest = answerItemRequest
        self.journals = journals
        self.assetFolders = folders
        self.isActive = isActive
    }

    var currentStandbyStatus: StandbyStatus { standbyStatus.withLock { $0 } }

    func answerRequest(_ question: ReplicationRequest) async -> [UInt8] {
        guard isActive() else { return Self.refusalAnswer("The other server is not active either.") }
        switch question.subject {
        case .items, .part, .digest: break
        case .changes, .files, .file:
            standbyStatus.withLock { $0.replicationError = question.trouble.map { String($0.prefix(400)) } }
        }
        switch question.subject {
        case .changes: return await answerChanges(question)
        case .files: return answerFileList(question)
        case .file: return answerFile(question)
        case .items, .part, .digest:
            return await answerItemRequest?(question) ?? Self.refusalAnswer("There is no such folder.")
        }
    }

    private func answerChanges(_ question: ReplicationRequest) async -> [UInt8] {
        guard let journal = journals[question.of] else {
            return Self.refusalAnswer("There is no such database.")
        }
        guard question.shape == journal.schemaFingerprint else {
            return Self.refusalAnswer(ReplicationError.databaseFormatDiffers.sentence)
        }
        do throws(CatalogueError) {
            let start = try await journal.replicationState().resumeNumber(for: question.copy)
            let piece = try await journal.changes(
                after: start ?? 0, mostBytes: ReplicationCoding.mostBodyBytes)
            var body = RowChangeCoding.encode(piece.changes)[...]
            // A row may be longer than a batch; it is then sent in several answers.
            let whole = body.count > 2 * ReplicationCoding.mostBodyBytes ? Int64(body.count) : nil
            if whole != nil {
                let offset = min(max(question.offset ?? 0, 0), Int64(body.count))
                body = body.dropFirst(Int(offset)).prefix(ReplicationCoding.mostBodyBytes)
            }
            let answer = ReplicationAnswer(
                lineage: piece.sourceState.ownPosition.lineage, isAnew: start == nil,
                through: piece.lastNumber,
                isAll: piece.isComplete, holds: question.lineage.flatMap(piece.sourceState.numberHeld),
                bytes: whole)
            if start != nil, piece.isComplete, piece.changes.isEmpty {
                standbyStatus.withLock { $0.inSyncAt[question.of] = MonotonicClock.now }
            }
            return ReplicationCoding.encodeAnswer(answer, Array(body))
        } catch {
            return Self.refusalAnswer("The other server cannot read its content: \(error.sentence)")
        }
    }

    private func answerFileList(_ question: ReplicationRequest) -> [UInt8] {
        guard let folder = assetFolders[question.of] else {
            return Self.refusalAnswer("There is no such folder.")
        }
        let files = AssetReplicator.listContentFiles(folder)
        let isKnown = question.name == AssetReplicator.digestOfFileList(files)
        return ReplicationCoding.encodeAnswer(ReplicationAnswer(files: isKnown ? nil : files))
    }

    private func answerFile(_ question: ReplicationRequest) -> [UInt8] {
        guard let folder = assetFolders[question.of], let name = question.name, Digest(name) != nil,
            let offset = question.offset, offset >= 0,
            let handle = FileHandle(forReadingAtPath: folder + "/" + name)
        else { return Self.refusalAnswer("A file that was listed is not there.") }
        defer { try? handle.close() }
        do {
            let size = try handle.seekToEnd()
            try handle.seek(toOffset: UInt64(offset))
            let bytes = try handle.read(upToCount: ReplicationCoding.mostBodyBytes) ?? Data()
            return ReplicationCoding.encodeAnswer(ReplicationAnswer(bytes: Int64(size)), Array(bytes))
        } catch {
            return Self.refusalAnswer("A file of the other server cannot be read; check its disk.")
        }
    }

    static func refusalAnswer(_ sentence: String) -> [UInt8] {
        ReplicationCoding.encodeAnswer(ReplicationAnswer(refusal: sentence))
    }
}
