import Catalogue
import Digests
import Foundation
import RealTime
import Synchronization

/// Answers the standby server's requests for content while this server is active.
final class ReplicationSource: Sendable {
    private let journals: [String: ChangeJournal]
    private let folders: [String: String]
    private let isActive: @Sendable () -> Bool

    /// What the active server knows of the standby server's copy.
    struct StandbyCopy {
        /// For each database, the time when the standby server last had all changes.
        var sameAt: [String: MonotonicInstant] = [:]
        var trouble: String?
    }
    private let standbyCopy = Mutex(StandbyCopy())

    init(
        journals: [String: ChangeJournal], folders: [String: String], isActive: @escaping @Sendable () -> Bool
    ) {
        self.journals = journals
        self.folders = folders
        self.isActive = isActive
    }

    var standby: StandbyCopy { standbyCopy.withLock { $0 } }

    func answer(_ question: ReplicationRequest) async -> [UInt8] {
        guard isActive() else { return Self.refusalAnswer("The other server is not active either.") }
        standbyCopy.withLock { $0.trouble = question.trouble.map { String($0.prefix(400)) } }
        switch question.subject {
        case .changes: return await changes(question)
        case .files: return files(question)
        case .file: return file(question)
        }
    }

    private func changes(_ question: ReplicationRequest) async -> [UInt8] {
        guard let journal = journals[question.of] else {
            return Self.refusalAnswer("There is no such database.")
        }
        guard question.shape == journal.shape else {
            return Self.refusalAnswer(ReplicationError.otherTables.sentence)
        }
        do throws(CatalogueError) {
            let start = try await journal.standing().start(for: question.copy)
            let piece = try await journal.changes(after: start ?? 0, mostBytes: ReplicationCoding.pieceBytes)
            var body = RowChangeCoding.bytes(piece.changes)[...]
            // A row may be longer than a batch; it is then sent in several answers.
            let whole = body.count > 2 * ReplicationCoding.pieceBytes ? Int64(body.count) : nil
            if whole != nil {
                let offset = min(max(question.offset ?? 0, 0), Int64(body.count))
                body = body.dropFirst(Int(offset)).prefix(ReplicationCoding.pieceBytes)
            }
            let answer = ReplicationAnswer(
                lineage: piece.standing.own.lineage, isAnew: start == nil, through: piece.through,
                isAll: piece.isAll, holds: question.lineage.flatMap(piece.standing.holds), bytes: whole)
            if start != nil, piece.isAll, piece.changes.isEmpty {
                standbyCopy.withLock { $0.sameAt[question.of] = MonotonicClock.now }
            }
            return ReplicationCoding.bytes(answer, Array(body))
        } catch {
            return Self.refusalAnswer("The other server cannot read its content: \(error.sentence)")
        }
    }

    private func files(_ question: ReplicationRequest) -> [UInt8] {
        guard let folder = folders[question.of] else { return Self.refusalAnswer("There is no such folder.") }
        let files = AssetReplicator.contentFiles(folder)
        let isKnown = question.name == AssetReplicator.digest(files)
        return ReplicationCoding.bytes(ReplicationAnswer(files: isKnown ? nil : files))
    }

    private func file(_ question: ReplicationRequest) -> [UInt8] {
        guard let folder = folders[question.of], let name = question.name, Digest(name) != nil,
            let offset = question.offset, offset >= 0,
            let handle = FileHandle(forReadingAtPath: folder + "/" + name)
        else { return Self.refusalAnswer("A file that was listed is not there.") }
        defer { try? handle.close() }
        do {
            let size = try handle.seekToEnd()
            try handle.seek(toOffset: UInt64(offset))
            let bytes = try handle.read(upToCount: ReplicationCoding.pieceBytes) ?? Data()
            return ReplicationCoding.bytes(ReplicationAnswer(bytes: Int64(size)), Array(bytes))
        } catch {
            return Self.refusalAnswer("A file of the other server cannot be read; check its disk.")
        }
    }

    static func refusalAnswer(_ sentence: String) -> [UInt8] {
        ReplicationCoding.bytes(ReplicationAnswer(refusal: sentence))
    }
}
