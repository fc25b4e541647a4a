import Catalogue
import Digests
import Foundation
import RealTime
import Synchronization

/// Answers the standby server's requests for content while this server is active.
final class MirrorSource: Sendable {
    private let journals: [String: ChangeJournal]
    private let folders: [String: String]
    private let reigns: @Sendable () -> Bool

    /// What the active server knows of the standby server's copy.
    struct Asker {
        /// For each database, the time when the standby server last had all changes.
        var sameAt: [String: MonotonicInstant] = [:]
        var trouble: String?
    }
    private let heard = Mutex(Asker())

    init(journals: [String: ChangeJournal], folders: [String: String], reigns: @escaping @Sendable () -> Bool)
    {
        self.journals = journals
        self.folders = folders
        self.reigns = reigns
    }

    var asker: Asker { heard.withLock { $0 } }

    func answer(_ question: MirrorQuestion) async -> [UInt8] {
        guard reigns() else { return Self.refusing("The other server is not active either.") }
        heard.withLock { $0.trouble = question.trouble.map { String($0.prefix(400)) } }
        switch question.subject {
        case .changes: return await changes(question)
        case .files: return files(question)
        case .file: return file(question)
        }
    }

    private func changes(_ question: MirrorQuestion) async -> [UInt8] {
        guard let journal = journals[question.of] else { return Self.refusing("There is no such database.") }
        guard question.shape == journal.shape else { return Self.refusing(MirrorFault.otherTables.sentence) }
        do throws(CatalogueError) {
            let start = try await journal.standing().start(for: question.copy)
            let piece = try await journal.changes(after: start ?? 0, mostBytes: MirrorWords.pieceBytes)
            var body = RowChangeCoding.bytes(piece.changes)[...]
            // A row may be longer than a batch; it is then sent in several answers.
            let whole = body.count > 2 * MirrorWords.pieceBytes ? Int64(body.count) : nil
            if whole != nil {
                let offset = min(max(question.offset ?? 0, 0), Int64(body.count))
                body = body.dropFirst(Int(offset)).prefix(MirrorWords.pieceBytes)
            }
            let answer = MirrorAnswer(
                lineage: piece.standing.own.lineage, isAnew: start == nil, through: piece.through,
                isAll: piece.isAll, holds: question.lineage.flatMap(piece.standing.holds), bytes: whole)
            if start != nil, piece.isAll, piece.changes.isEmpty {
                heard.withLock { $0.sameAt[question.of] = MonotonicClock.now }
            }
            return MirrorWords.bytes(answer, Array(body))
        } catch {
            return Self.refusing("The other server cannot read its content: \(error.sentence)")
        }
    }

    private func files(_ question: MirrorQuestion) -> [UInt8] {
        guard let folder = folders[question.of] else { return Self.refusing("There is no such folder.") }
        let files = MirrorFiles.list(folder)
        let isKnown = question.name == MirrorFiles.digest(files)
        return MirrorWords.bytes(MirrorAnswer(files: isKnown ? nil : files))
    }

    private func file(_ question: MirrorQuestion) -> [UInt8] {
        guard let folder = folders[question.of], let name = question.name, Digest(name) != nil,
            let offset = question.offset, offset >= 0,
            let handle = FileHandle(forReadingAtPath: folder + "/" + name)
        else { return Self.refusing("A file that was listed is not there.") }
        defer { try? handle.close() }
        do {
            let size = try handle.seekToEnd()
            try handle.seek(toOffset: UInt64(offset))
            let bytes = try handle.read(upToCount: MirrorWords.pieceBytes) ?? Data()
            return MirrorWords.bytes(MirrorAnswer(bytes: Int64(size)), Array(bytes))
        } catch {
            return Self.refusing("A file of the other server cannot be read; check its disk.")
        }
    }

    static func refusing(_ sentence: String) -> [UInt8] {
        MirrorWords.bytes(MirrorAnswer(refusal: sentence))
    }
}
