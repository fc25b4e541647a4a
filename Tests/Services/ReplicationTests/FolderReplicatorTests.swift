import BackupLink
import Basics
import Foundation
import Hosting
import Synchronization
import Testing

@testable import Replication

/// A replicated folder on two servers, without a link between them.
struct FolderReplicatorTests {
    private final class End: Sendable {
        let root: String
        let damage = Mutex<String?>(nil)
        let arrived = Mutex<[String]>([])
        let kept = Mutex<[String]>([])
        let progress = FolderProgress()

        init() throws {
            root = FileManager.default.temporaryDirectory.path + "/folder-\(UUID().uuidString)"
            try FileManager.default.createDirectory(atPath: root, withIntermediateDirectories: true)
        }

        deinit { try? FileManager.default.removeItem(atPath: root) }

        func write(_ bytes: [UInt8], to path: String) throws {
            let place = root + "/" + path
            try FileManager.default.createDirectory(
                atPath: (place as NSString).deletingLastPathComponent, withIntermediateDirectories: true)
            try Data(bytes).write(to: URL(fileURLWithPath: place))
        }

        func bytes(_ path: String) -> [UInt8]? {
            FileManager.default.contents(atPath: root + "/" + path).map(Array.init)
        }

        var folder: ReplicatedFolder {
            let root = root
            return ReplicatedFolder(
                "models", path: root,
                listItems: {
                    (ReplicatedItem.entries(of: root) ?? []).filter { !$0.hasPrefix(".") }.sorted()
                        .compactMap { ReplicatedItem(folder: $0, of: root) }
                }, findDamage: { [self] _, _ in damage.withLock { $0 } },
                onArrival: { [self] items in arrived.withLock { $0 += items } })
        }

        func replicator(
            of other: End, isOnStandby: @escaping @Sendable () -> Bool = { true },
            interrupting interrupt: @escaping @Sendable (ReplicationRequest) -> Bool = { _ in false }
        ) -> FolderReplicator {
            let source = FolderSource([other.folder])
            return FolderReplicator(
                folder: folder, pace: CopyPace(bytesPerSecond: 1 << 30), progress: progress,
                sendRequest: { question throws(ReplicationError) in
                    if interrupt(question) { throw .linkFailed(BackupLinkAnswerError.notConnected) }
                    let answer = ReplicationCoding.decodeAnswer(await source.answer(question))
                    guard let (said, body) = answer else { throw .messageUnreadable }
                    if let refusal = said.refusal { throw .refused(refusal) }
                    return (said, body)
                }, isOnStandby: isOnStandby
            ) { [self] path, _, item throws(ReplicationError) in
                kept.withLock { $0.append(item) }
                try? FileManager.default.removeItem(atPath: path)
            }
        }
    }

    private static func noise(_ count: Int, _ seed: Int = 7) -> [UInt8] {
        (0..<count).map { UInt8(truncatingIfNeeded: ($0 &* seed) ^ ($0 >> 8)) }
    }

    @Test func whatIsOnTheMainServerIsOnTheBackupByteForByteAndIsCopiedOnce() async throws {
        let (main, backup) = (try End(), try End())
        try main.write(Self.noise(400_000), to: "fugue/a.frames")
        try main.write(Array("{}".utf8), to: "fugue/model.json")
        try main.write([], to: "minuet/empty")
        let asked = Mutex(0)
        let replicator = backup.replicator(
            of: main,
            interrupting: { question in
                if question.subject == .part { asked.withLock { $0 += 1 } }
                return false
            })
        try await replicator.replicate()
        #expect(backup.bytes("fugue/a.frames") == Self.noise(400_000))
        #expect(backup.bytes("fugue/model.json") == Array("{}".utf8) && backup.bytes("minuet/empty") == [])
        #expect(backup.arrived.withLock { $0 } == ["fugue", "minuet"])
        let parts = asked.withLock { $0 }
        try await replicator.replicate()
        #expect(asked.withLock { $0 } == parts && backup.progress.timeSinceInSync != nil)
    }

    @Test func anInterruptedFileGoesOnWhereItStopped() async throws {
        let (main, backup) = (try End(), try End())
        try main.write(Self.noise(600_000), to: "fugue/a.frames")
        let offsets = Mutex<[Int64]>([])
        await #expect(throws: ReplicationError.linkFailed(BackupLinkAnswerError.notConnected)) {
            try await backup.replicator(of: main, interrupting: { ($0.offset ?? 0) >= 300_000 }).replicate()
        }
        // Nothing of it is in its place.
        #expect(backup.bytes("fugue/a.frames") == nil)
        try await backup.replicator(
            of: main,
            interrupting: { question in
                if question.subject == .part { offsets.withLock { $0.append(question.offset ?? 0) } }
                return false
            }
        ).replicate()
        #expect(backup.bytes("fugue/a.frames") == Self.noise(600_000))
        #expect(offsets.withLock { $0.first } ?? 0 >= 300_000)
    }

    @Test func aDamagedItemIsNamedAndTheGoodCopyStays() async throws {
        let (main, backup) = (try End(), try End())
        try main.write(Self.noise(1_000), to: "fugue/a.frames")
        try await backup.replicator(of: main).replicate()
        try main.write(Self.noise(1_000, 11), to: "fugue/a.frames")
        backup.damage.withLock { $0 = "its frames are not those of its description" }
        let error = await #expect(throws: ReplicationError.self) {
            try await backup.replicator(of: main).replicate()
        }
        #expect(error?.sentence.contains("fugue") == true)
        #expect(backup.bytes("fugue/a.frames") == Self.noise(1_000))
        backup.damage.withLock { $0 = nil }
        try await backup.replicator(of: main).replicate()
        #expect(backup.bytes("fugue/a.frames") == Self.noise(1_000, 11))
    }

    @Test func whatWasMadeHereIsKeptAsideAndACopyIsNot() async throws {
        let (main, backup) = (try End(), try End())
        try backup.write(Self.noise(900, 3), to: "fugue/a.frames")
        try backup.write(Self.noise(900, 3), to: "only-here/a.frames")
        try main.write(Self.noise(1_000), to: "fugue/a.frames")
        try await backup.replicator(of: main).replicate()
        #expect(backup.kept.withLock { $0 } == ["fugue"])
        #expect(backup.bytes("only-here/a.frames") == Self.noise(900, 3))
        try main.write(Self.noise(1_100), to: "fugue/a.frames")
        try await backup.replicator(of: main).replicate()
        #expect(backup.kept.withLock { $0 } == ["fugue"])
        #expect(backup.bytes("fugue/a.frames") == Self.noise(1_100))
    }

    @Test func nothingIsPutInPlaceOnceThisServerIsActive() async throws {
        let (main, backup) = (try End(), try End())
        try main.write(Self.noise(1_000), to: "fugue/a.frames")
        let isActive = Mutex(false)
        let replicator = backup.replicator(of: main, isOnStandby: { !isActive.withLock { $0 } }) { question in
            if question.subject == .digest { isActive.withLock { $0 = true } }
            return false
        }
        await #expect(throws: ReplicationError.changedMeanwhile) { try await replicator.replicate() }
        #expect(backup.bytes("fugue/a.frames") == nil)
    }

    @Test func anItemTakenFromItsPlaceIsPutBackAtTheNextStart() async throws {
        let (main, backup) = (try End(), try End())
        try main.write(Self.noise(1_000), to: "fugue/a.frames")
        let item = try #require(ReplicatedItem(folder: "fugue", of: main.root))
        try backup.write(Self.noise(1_000, 3), to: ".arriving/x/.replaced/a.frames")
        try backup.write(Array(try JSONEncoder().encode(item)), to: ".arriving/x/.item.json")
        backup.replicator(of: main).putBackInterrupted()
        #expect(backup.bytes("fugue/a.frames") == Self.noise(1_000, 3))
    }

    @Test(arguments: ["../outside", "/etc/passwd", "fugue/../../x", "fugue//x", ".arriving/x", ""])
    func aPathThatLeavesTheFolderIsRefused(_ path: String) {
        let file = ReplicatedItem.File(path: path, bytes: 1, changedAt: 0)
        #expect(!ReplicatedItem(name: "fugue", files: [file], isFolder: true).hasSafePaths)
        #expect(!ReplicatedItem(name: "fugue", files: [file], isFolder: false).hasSafePaths)
    }
}
