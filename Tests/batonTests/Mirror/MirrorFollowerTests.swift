import Catalogue
import Digests
import Foundation
import Synchronization
import Testing

@testable import baton

/// Source and follower without a link between them.
struct MirrorFollowerTests {
    private final class End {
        let folder: String
        let store: CatalogueStore
        let journal: CopyJournal
        let shelf: AssetShelf

        init() throws {
            folder = FileManager.default.temporaryDirectory.path + "/mirror-\(UUID().uuidString)"
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
            store = try CatalogueStore(path: folder + "/catalogue.sqlite")
            journal = try CopyJournal(path: folder + "/catalogue.sqlite")
            shelf = try AssetShelf(folder: folder + "/assets")
        }

        deinit { try? FileManager.default.removeItem(atPath: folder) }

        func score(_ id: String, revision: Int = 1) async throws {
            let row = StoredScore(
                id: id, content: "{}", sources: "[]", revision: revision, origin: nil)
            try await store.addScore(row)
        }

        var source: MirrorSource {
            MirrorSource(
                journals: ["catalogue": journal], folders: ["assets": shelf.folder], reigns: { true })
        }

        func follower(
            of other: End, putAside: @escaping @Sendable () -> Void = {},
            answer: (@Sendable (MirrorQuestion) -> [UInt8]?)? = nil, follows: Bool = true
        ) -> MirrorFollower {
            let source = other.source
            return MirrorFollower(
                name: "catalogue", journal: journal, files: [MirrorFiles(name: "assets", shelf: shelf)],
                ask: { question throws(MirrorFault) in
                    let bytes: [UInt8]
                    if let made = answer?(question) {
                        bytes = made
                    } else {
                        bytes = await source.answer(question)
                    }
                    guard let (said, body) = MirrorWords.answer(bytes) else { throw .unreadable }
                    if let refusal = said.refusal { throw .refused(refusal) }
                    return (said, body)
                }, follows: { follows }, putAside: { _ throws(MirrorFault) in putAside() })
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
        try main.shelf.keep(bytes, digest: digest)
        let follower = backup.follower(of: main)
        #expect(try await follower.look().contains("score"))
        #expect(try await backup.scores() == ["one"] && backup.shelf.bytes(of: digest) == bytes)
        #expect(try await follower.look().isEmpty)
        try await main.score("two")
        #expect(try await follower.look() == ["score"])
        #expect(try await backup.scores() == ["one", "two"])
    }

    @Test func ownWorkIsPutAsideOnceAndOnlyWhereItIsMissingThere() async throws {
        let (main, backup) = (try End(), try End())
        let aside = Counter()
        let follower = backup.follower(of: main, putAside: { aside.count.withLock { $0 += 1 } })
        try await main.score("one")
        _ = try await follower.look()
        #expect(aside.count.withLock { $0 } == 0)
        try await backup.score("mine")
        _ = try await follower.look()
        #expect(aside.count.withLock { $0 } == 1)
        #expect(try await backup.scores() == ["one"])
        _ = try await follower.look()
        #expect(aside.count.withLock { $0 } == 1)
        // The one that was followed comes back as the one who follows: all it has is known.
        let back = main.follower(of: backup, putAside: { aside.count.withLock { $0 += 1 } })
        try await backup.score("later")
        _ = try await back.look()
        #expect(aside.count.withLock { $0 } == 1)
        #expect(try await main.scores() == ["later", "one"])
    }

    @Test func nothingIsWrittenOnceThisServerReigns() async throws {
        let (main, backup) = (try End(), try End())
        try await main.score("one")
        #expect(try await backup.follower(of: main, follows: false).look().isEmpty)
        #expect(try await backup.scores().isEmpty)
    }

    @Test(arguments: ["../../evil", "/etc/passwd", "", String(repeating: "A", count: 64)])
    func namesThatAreNoDigestsAreRefused(name: String) async throws {
        let (main, backup) = (try End(), try End())
        try await main.score("one")
        let follower = backup.follower(
            of: main,
            answer: { question in
                question.subject == .files
                    ? MirrorWords.bytes(MirrorAnswer(files: [.init(name: name, bytes: 1)])) : nil
            })
        await #expect(throws: MirrorFault.badName(name)) { try await follower.look() }
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
                case .files: MirrorWords.bytes(MirrorAnswer(files: [.init(name: digest, bytes: 3)]))
                case .file: MirrorWords.bytes(MirrorAnswer(bytes: 3), [1, 2, 4])
                case .changes: nil
                }
            })
        await #expect(throws: MirrorFault.wrongDigest(digest)) { try await follower.look() }
        #expect(try await backup.scores().isEmpty && backup.shelf.path(of: digest) == nil)
        let left = try FileManager.default.contentsOfDirectory(atPath: backup.shelf.arrivals)
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
                    ? MirrorWords.bytes(MirrorAnswer(files: [.init(name: digest, bytes: .max)])) : nil
            })
        await #expect(throws: MirrorFault.tooLarge(digest, bytes: .max)) { try await follower.look() }
    }

    @Test func aServerWithOtherTablesIsNotCopied() async throws {
        let (main, backup) = (try End(), try End())
        try await main.score("one")
        let answer = await main.source.answer(
            MirrorQuestion(subject: .changes, of: "catalogue", shape: "other"))
        #expect(MirrorWords.answer(answer)?.0.refusal == MirrorFault.otherTables.sentence)
        #expect(
            MirrorWords.answer([0, 0, 0, 9, 1]) == nil && MirrorWords.answer([255, 255, 255, 255]) == nil)
        _ = backup
    }
}
