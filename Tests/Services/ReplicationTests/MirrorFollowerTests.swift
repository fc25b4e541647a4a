import Catalogue
import Foundation
import Platform
import Synchronization
import Testing

@testable import Hosting
@testable import Replication
@testable import ScoreLibrary

/// Source and follower without a link between them.
struct MirrorFollowerTests {
    private final class End: Sendable {
        let folder: String
        let store: CatalogueStore
        let journal: RowChangeJournal
        let shelf: AssetStore

        init() throws {
            folder = FileManager.default.temporaryDirectory.path + "/mirror-\(UUID().uuidString)"
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
            store = try CatalogueStore(path: folder + "/catalogue.sqlite")
            journal = try RowChangeJournal(path: folder + "/catalogue.sqlite")
            shelf = try AssetStore(folder: folder + "/assets")
        }

        deinit { try? FileManager.default.removeItem(atPath: folder) }

        func score(_ id: String, content: String = "{}", revision: Int = 1) async throws {
            let row = StoredScore(
                id: id, contentJSON: content, sourcesJSON: "[]", revision: revision, shippedFolder: nil)
            try await store.addScore(row)
        }

        var source: ReplicationSource {
            ReplicationSource(
                journals: ["catalogue": journal], folders: ["assets": shelf.folder], isActive: { true })
        }

        func follower(
            of other: End, saveLocalWork: @escaping @Sendable () -> Void = {},
            answer: (@Sendable (ReplicationRequest) async -> [UInt8]?)? = nil, follows: Bool = true,
            mostBytes: Int64 = 4 << 30
        ) -> DatabaseReplicator {
            let source = other.source
            return DatabaseReplicator(
                databaseName: "catalogue", journal: journal,
                assetReplicators: [AssetReplicator(storeName: "assets", assetStore: shelf)],
                sendRequest: { question throws(ReplicationError) in
                    let bytes: [UInt8]
                    if let made = await answer?(question) {
                        bytes = made
                    } else {
                        bytes = await source.answerRequest(question)
                    }
                    guard let (said, body) = ReplicationCoding.decodeAnswer(bytes) else {
                        throw .messageUnreadable
                    }
                    if let refusal = said.refusal { throw .refused(refusal) }
                    return (said, body)
                }, isOnStandby: { follows },
                saveLocalWork: { _, _ throws(ReplicationError) in saveLocalWork() },
                mostBytesPerPass: mostBytes)
        }

        func scores() async throws -> [String] { try await store.scores().map(\.id).sorted() }
    }

    private final class Counter: Sendable {
        let count = Mutex(0)
    }

    @Test func rowsAndFilesOfTheOtherAreHereAfterALook() async throws {
        let (main, backup) = (try End(), try End())
        try await main.score("one")
        let bytes = (0..<400_000).map { UInt8(truncatingIfNeeded: $0 &* 7) }
        let digest = Digest(of: bytes).description
        try main.shelf.store(bytes, digest: digest)
        let follower = backup.follower(of: main)
        #expect(try await follower.replicate().contains("score"))
        #expect(try await backup.scores() == ["one"] && backup.shelf.bytes(of: digest) == bytes)
        #expect(try await follower.replicate().isEmpty)
        try await main.score("two")
        #expect(try await follower.replicate() == ["score"])
        #expect(try await backup.scores() == ["one", "two"])
    }

    @Test func ownWorkIsPutAsideOnceAndOnlyWhereItIsMissingThere() async throws {
        let (main, backup) = (try End(), try End())
        let aside = Counter()
        let follower = backup.follower(of: main, saveLocalWork: { aside.count.withLock { $0 += 1 } })
        try await main.score("one")
        _ = try await follower.replicate()
        #expect(aside.count.withLock { $0 } == 0)
        try await backup.score("mine")
        _ = try await follower.replicate()
        #expect(aside.count.withLock { $0 } == 1)
        #expect(try await backup.scores() == ["one"])
        _ = try await follower.replicate()
        #expect(aside.count.withLock { $0 } == 1)
        // The one that was followed comes back as the one who follows: all it has is known.
        let back = main.follower(of: backup, saveLocalWork: { aside.count.withLock { $0 += 1 } })
        try await backup.score("later")
        _ = try await back.replicate()
        #expect(aside.count.withLock { $0 } == 1)
        #expect(try await main.scores() == ["later", "one"])
    }

    @Test func nothingIsWrittenOnceThisServerLeads() async throws {
        let (main, backup) = (try End(), try End())
        try await main.score("one")
        // Nor is it taken for a copy that was made.
        await #expect(throws: ReplicationError.changedMeanwhile) {
            try await backup.follower(of: main, follows: false).replicate()
        }
        #expect(try await backup.scores().isEmpty)
    }

    @Test func aFileThatWasCutHereIsFetchedAgainAndOneThatIsWholeStays() async throws {
        let (main, backup) = (try End(), try End())
        let bytes: [UInt8] = Array(0..<200)
        let digest = Digest(of: bytes).description
        try main.shelf.store(bytes, digest: digest)
        try await main.score("one")
        _ = try await backup.follower(of: main).replicate()
        try Data(bytes[..<50]).write(to: URL(fileURLWithPath: "\(backup.shelf.folder)/\(digest)"))
        try await main.score("two")
        _ = try await backup.follower(of: main).replicate()
        #expect(backup.shelf.bytes(of: digest) == bytes)
        // Cut on the other side, it is not taken over, and rows come all the same.
        try Data(bytes[..<50]).write(to: URL(fileURLWithPath: "\(main.shelf.folder)/\(digest)"))
        try await main.score("three")
        _ = try await backup.follower(of: main).replicate()
        #expect(backup.shelf.bytes(of: digest) == bytes)
        #expect(try await backup.scores() == ["one", "three", "two"])
    }

    @Test(arguments: ["../../evil", "/etc/passwd", "", String(repeating: "A", count: 64)])
    func namesThatAreNoDigestsAreRefused(name: String) async throws {
        let (main, backup) = (try End(), try End())
        try await main.score("one")
        let follower = backup.follower(
            of: main,
            answer: { question in
                question.subject == .files
                    ? ReplicationCoding.encodeAnswer(ReplicationAnswer(files: [.init(name: name, bytes: 1)]))
                    : nil
            })
        await #expect(throws: ReplicationError.invalidFileName(name)) { try await follower.replicate() }
        #expect(try await backup.scores().isEmpty)
    }

    @Test func aFileThatIsNotWhatItsNameSaysIsNotKept() async throws {
        let (main, backup) = (try End(), try End())
        try await main.score("one")
        let digest = Digest(of: [1, 2, 3]).description
        let follower = backup.follower(
            of: main,
            answer: { question in
                switch question.subject {
                case .files:
                    ReplicationCoding.encodeAnswer(ReplicationAnswer(files: [.init(name: digest, bytes: 3)]))
                case .file: ReplicationCoding.encodeAnswer(ReplicationAnswer(bytes: 3), [1, 2, 4])
                default: nil
                }
            })
        await #expect(throws: ReplicationError.wrongDigest(digest)) { try await follower.replicate() }
        #expect(try await backup.scores().isEmpty && backup.shelf.path(of: digest) == nil)
        let left = try FileManager.default.contentsOfDirectory(atPath: backup.shelf.uploadFolder)
        #expect(left.isEmpty)
    }

    @Test func aFileWithoutEndIsRefused() async throws {
        let (main, backup) = (try End(), try End())
        try await main.score("one")
        let digest = Digest(of: [1]).description
        let follower = backup.follower(
            of: main,
            answer: { question in
                question.subject == .files
                    ? ReplicationCoding.encodeAnswer(
                        ReplicationAnswer(files: [.init(name: digest, bytes: .max)]))
                    : nil
            })
        await #expect(throws: ReplicationError.fileTooLarge(digest, bytes: .max)) {
            try await follower.replicate()
        }
    }

    @Test func aServerWithOtherTablesIsNotCopied() async throws {
        let (main, backup) = (try End(), try End())
        try await main.score("one")
        let answer = await main.source.answerRequest(
            ReplicationRequest(subject: .changes, of: "catalogue", shape: "other"))
        #expect(
            ReplicationCoding.decodeAnswer(answer)?.0.refusal
                == ReplicationError.databaseFormatDiffers.sentence)
        #expect(
            ReplicationCoding.decodeAnswer([0, 0, 0, 9, 1]) == nil
                && ReplicationCoding.decodeAnswer([255, 255, 255, 255]) == nil)
        _ = backup
    }

    @Test func theOnlyCopyLeftIsPutAsideBeforeAFreshServerIsCopied() async throws {
        let (main, backup, fresh) = (try End(), try End(), try End())
        let aside = Counter()
        try await main.score("one")
        _ = try await backup.follower(of: main).replicate()
        // The main server's disk is gone; a new one begins with an empty folder, and leads.
        let follower = backup.follower(of: fresh, saveLocalWork: { aside.count.withLock { $0 += 1 } })
        _ = try await follower.replicate()
        #expect(aside.count.withLock { $0 } == 1)
        #expect(try await backup.scores().isEmpty)
        _ = try await follower.replicate()
        #expect(aside.count.withLock { $0 } == 1)
    }

    @Test func workThatComesWhileFilesAreFetchedIsNotTakenOver() async throws {
        let (main, backup) = (try End(), try End())
        let (asked, aside) = (Counter(), Counter())
        try await main.score("one")
        let follower = backup.follower(
            of: main, saveLocalWork: { aside.count.withLock { $0 += 1 } },
            answer: { question in
                let isFirst = asked.count.withLock { count in
                    count += question.subject == .files ? 1 : 0
                    return question.subject == .files && count == 1
                }
                if isFirst { try? await backup.score("mine") }
                return nil
            })
        await #expect(throws: ReplicationError.changedMeanwhile) { try await follower.replicate() }
        #expect(try await backup.scores() == ["mine"])
        _ = try await follower.replicate()
        #expect(aside.count.withLock { $0 } == 1)
        #expect(try await backup.scores() == ["one"])
    }

    @Test func aRowLongerThanAPieceComesInSeveral() async throws {
        let (main, backup) = (try End(), try End())
        let long = String(repeating: "0123456789", count: 100_000)
        try await main.score("before")
        try await main.score("long", content: long)
        try await main.score("behind")
        let longest = Counter()
        let source = main.source
        let follower = backup.follower(
            of: main,
            answer: { question in
                let bytes = await source.answerRequest(question)
                longest.count.withLock { $0 = max($0, bytes.count) }
                return bytes
            })
        _ = try await follower.replicate()
        #expect(try await backup.store.scores().first { $0.id == "long" }?.contentJSON == long)
        #expect(try await backup.scores() == ["before", "behind", "long"])
        #expect(longest.count.withLock { $0 } < 2 * ReplicationCoding.mostBodyBytes + 4_096)
    }

    @Test func moreThanADiskIsMeantToHoldIsRefused() async throws {
        let (main, backup) = (try End(), try End())
        let content = String(repeating: "x", count: 50_000)
        for number in 0..<20 { try await main.score("\(number)", content: content) }
        let follower = backup.follower(of: main, mostBytes: 500_000)
        await #expect(throws: ReplicationError.contentTooLarge(bytes: 500_000)) {
            try await follower.replicate()
        }
        #expect(try await backup.scores().isEmpty)
        _ = try await backup.follower(of: main).replicate()
        #expect(try await backup.scores().count == 20)
    }

    @Test func piecesWithoutRowsAreNotAskedForEver() async throws {
        let (main, backup) = (try End(), try End())
        let count = Counter()
        let follower = backup.follower(
            of: main,
            answer: { _ in
                let number = count.count.withLock { count in
                    count += 1
                    return count
                }
                return ReplicationCoding.encodeAnswer(
                    ReplicationAnswer(
                        lineage: "x", isAnew: number == 1, through: Int64(number), isAll: number > 1_000))
            })
        await #expect(throws: ReplicationError.messageUnreadable) { try await follower.replicate() }
        #expect(count.count.withLock { $0 } == 1)
    }

    @Test func aRowOfEndlessLengthIsRefused() async throws {
        let (main, backup) = (try End(), try End())
        let follower = backup.follower(
            of: main,
            answer: { _ in
                ReplicationCoding.encodeAnswer(
                    ReplicationAnswer(lineage: "x", isAnew: true, through: 1, isAll: true, bytes: .max), [0])
            })
        await #expect(throws: ReplicationError.contentTooLarge(bytes: DatabaseReplicator.mostRowBytes)) {
            try await follower.replicate()
        }
    }

    @Test func whatDivergedLiesKeptAsideWholeAndNothingIsDeleted() async throws {
        let (main, backup) = (try End(), try End())
        let picture = [UInt8](repeating: 7, count: 1_000)
        try await main.score("both")
        _ = try await backup.follower(of: main).replicate()
        // A split: people work on both sides, on the loser last.
        try await main.score("winner's")
        try await backup.score("loser's first")
        try await backup.score("loser's last")
        try backup.shelf.store(picture, digest: Digest(of: picture).description)
        let follower = DatabaseReplicator(
            databaseName: "catalogue", journal: backup.journal, assetReplicators: [],
            sendRequest: backup.follower(of: main).sendRequest,
            isOnStandby: { true },
            saveLocalWork: { journal, _ throws(ReplicationError) in
                _ = try await LocalWorkArchive.save(journal, in: backup.folder)
            })
        _ = try await follower.replicate()
        #expect(try await backup.scores() == ["both", "winner's"])
        #expect(backup.shelf.bytes(of: Digest(of: picture).description) == picture)
        let kept = backup.folder + "/kept-aside"
        let folders = try FileManager.default.contentsOfDirectory(atPath: kept)
        #expect(folders.count == 1)
        let old = try CatalogueStore(path: "\(kept)/\(folders[0])/catalogue.sqlite")
        #expect(
            try await old.scores().map(\.id).sorted() == ["both", "loser's first", "loser's last"])
        #expect(FileManager.default.fileExists(atPath: "\(kept)/\(folders[0])/README.txt"))
    }
}
