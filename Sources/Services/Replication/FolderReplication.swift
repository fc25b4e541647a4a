import Foundation
import Hosting
import Platform
import ServiceLifecycle
import Synchronization

/// The copying of all replicated folders: the standby's side, the active server's side, and how they stand.
final class FolderReplication: Sendable {
    let source: FolderSource
    private let replicators: [FolderReplicator]
    private let isOnStandby: @Sendable () -> Bool
    /// As the standby server said it last.
    private let standbyState = Mutex<(trouble: String?, items: Int, bytes: Int64)>((nil, 0, 0))

    init(
        _ folders: [ReplicatedFolder], data: String, isOnStandby: @escaping @Sendable () -> Bool,
        say: @escaping @Sendable (String) -> Void,
        ask: @escaping AssetReplicator.SendRequest
    ) {
        let pace = CopyPace()
        let all = folders.map { ($0, FolderProgress()) }
        let progresses = all.map(\.1)
        let sendRequest: AssetReplicator.SendRequest = { question throws(ReplicationError) in
            var question = question
            question.trouble = progresses.compactMap(\.failureReason).first
            let missing = progresses.map(\.missing)
            question.missingItems = missing.reduce(0) { $0 + $1.items }
            question.missingBytes = missing.reduce(0) { $0 + $1.bytes }
            return try await ask(question)
        }
        source = FolderSource(folders)
        self.isOnStandby = isOnStandby
        replicators = all.map { folder, progress in
            FolderReplicator(
                folder: folder, pace: pace, progress: progress, sendRequest: sendRequest,
                isOnStandby: isOnStandby
            ) { path, folder, item throws(ReplicationError) in
                try Self.keepAside(path, folder, item, data: data, say: say)
            }
        }
    }

    func answer(_ question: ReplicationRequest) async -> [UInt8] {
        standbyState.withLock {
            $0 = (
                question.trouble.map { String($0.prefix(400)) }, question.missingItems ?? 0,
                question.missingBytes ?? 0
            )
        }
        return await source.answer(question)
    }

    /// Copies whenever the other server is the active one. Runs until it is cancelled.
    func run() async {
        for replicator in replicators { replicator.putBackInterrupted() }
        await withTaskGroup { group in
            for replicator in replicators {
                group.addTask(priority: .background) { await self.keep(replicator) }
            }
        }
    }

    private func keep(_ replicator: FolderReplicator) async {
        while !Task.isCancelled {
            guard isOnStandby(), replicator.progress.isDue else {
                try? await Task.sleep(for: .milliseconds(100))
                continue
            }
            do throws(ReplicationError) { try await replicator.replicate() } catch {
                if isOnStandby() { replicator.progress.recordFailure(error.sentence) }
            }
        }
    }

    // MARK: State

    /// The state of the files as the active server knows it.
    var activeSection: ReplicatedFilesSection? {
        guard !replicators.isEmpty else { return nil }
        let state = standbyState.withLock { $0 }
        let age = source.timeSinceInSync
        let leftOut = source.leftOutCount
        let hasAllCopied = age.map { $0 < Self.freshness } ?? false
        let isCurrent = hasAllCopied && leftOut == 0
        let lacks = "the backup still lacks " + Self.amount(items: state.items, bytes: state.bytes)
        return ReplicatedFilesSection(
            isCurrent: isCurrent, missingItems: state.items, missingBytes: state.bytes,
            sentence: isCurrent
                ? "the backup has all files"
                : hasAllCopied
                    ? Self.leftOutSentence(leftOut)
                    : state.items > 0
                        ? lacks : state.trouble == nil ? "nobody has a copy" : "the backup lacks files",
            trouble: isCurrent ? nil : state.trouble)
    }

    /// The state of the files as the standby server knows it.
    var standbySection: ReplicatedFilesSection? {
        guard !replicators.isEmpty else { return nil }
        let progresses = replicators.map(\.progress)
        let missing = progresses.map(\.missing)
        let (items, bytes) = (missing.reduce(0) { $0 + $1.items }, missing.reduce(0) { $0 + $1.bytes })
        let leftOut = progresses.reduce(0) { $0 + $1.leftOutItems }
        let hasAllCopied = progresses.allSatisfy { $0.timeSinceInSync.map { $0 < Self.freshness } ?? false }
        let isCurrent = hasAllCopied && leftOut == 0
        return ReplicatedFilesSection(
            isCurrent: isCurrent, missingItems: items, missingBytes: bytes,
            sentence: isCurrent
                ? "all files of the main are here"
                : hasAllCopied
                    ? Self.leftOutSentence(leftOut)
                    : items > 0
                        ? "still to copy: " + Self.amount(items: items, bytes: bytes) : "not compared yet",
            trouble: progresses.compactMap(\.failureReason).first)
    }

    /// A copy is compared every two seconds.
    private static let freshness = Duration.seconds(8)

    private static func leftOutSentence(_ count: Int) -> String {
        "\(count) \(count == 1 ? "item" : "items") beyond the limit of \(ReplicatedFolder.mostItems) in a folder "
            + "\(count == 1 ? "is" : "are") on the main only; copy \(count == 1 ? "it" : "them") by hand"
    }

    private static func amount(items: Int, bytes: Int64) -> String {
        let size = bytes >= 1 << 20 ? "\(bytes >> 20) MB" : "\(max(bytes >> 10, 1)) kB"
        return "\(items) \(items == 1 ? "item" : "items"), \(size)"
    }

    // MARK: Work of this server

    /// Moves an item out of the way of the active server's. What is kept aside is never deleted.
    private static func keepAside(
        _ path: String, _ folder: String, _ item: String, data: String, say: @Sendable (String) -> Void
    ) throws(ReplicationError) {
        let moment = UUID().uuidString.prefix(4).lowercased()
        let place = "\(data)/kept-aside/\(LocalWorkArchive.timestamp())-\(moment)/\(folder)/\(item)"
        try FolderFiles.makeFolder((place as NSString).deletingLastPathComponent)
        do { try FileManager.default.moveItem(atPath: path, toPath: place) } catch {
            throw .cannotWriteFile(path: place, reason: "“\(item)” of this server cannot be kept there")
        }
        say(
            "This server had “\(item)” in the folder \(folder) in another version than the one with the show. It was "
                + "kept in \(place).\n")
    }
}
