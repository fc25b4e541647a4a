import BackupLink
import Catalogue
import Foundation
import Hosting
import Passwords
import Podium
import ServiceLifecycle
import RealTime
import ShowLog
import Synchronization

/// Replicates content, scores, rooms and accounts between two servers: the active server answers, the standby copies.
///
/// Messages are encrypted, since they contain password hashes.
package final class ReplicationService: ContentReplicator, HostedService {
    /// Called with the names of the tables that changed, so that services reload their cached data from these tables.
    package typealias ChangeHandler = @Sendable (_ database: String, _ tables: Set<String>) async -> Void

    private let replicationSource: ReplicationSource
    private let databaseReplicators: [DatabaseReplicator]
    private let folderReplication: FolderReplication
    private let sealedBox: SealedBox
    private let pairedServer: any PairedServer
    private let changeHandler: ChangeHandler
    private let onBecomingActive: @Sendable () async -> Void
    private let monitors: ReplicationMonitors
    private let lastSavedLocalWork: LastSavedLocalWork
    private let startedAt = MonotonicClock.now

    /// The replication state of each database, by the database's name.
    private final class ReplicationMonitors: Sendable {
        let monitorsByDatabase: Mutex<[String: ReplicationMonitor]>

        init(_ monitors: [String: ReplicationMonitor]) { monitorsByDatabase = Mutex(monitors) }

        /// The error of a database whose replication fails; nil if none fails.
        var firstReplicationError: String? {
            monitorsByDatabase.withLock { $0.values.compactMap(\.copyFailureReason).first }
        }
    }

    /// The file to which this server's own work was last saved before a copy replaced it.
    private final class LastSavedLocalWork: Sendable {
        let savedFileSentence = Mutex<String?>(nil)
        /// By database file, the number of the last of this server's own changes that was saved before a copy
        /// replaced them. A copy that fails and is tried again does not save them again, so the disk does not fill.
        let savedChangeNumbers = Mutex<[String: Int64]>([:])
    }

    /// The pause between two rounds of copying a database from the active server, by database name; `defaultPause`
    /// for the others. It is shortest for rooms, because acknowledged events that are not copied yet are lost if the
    /// active server fails.
    private static let pausesByDatabase: [String: Duration] = [
        "rooms": .milliseconds(50), "diary": .seconds(1),
    ]
    private static let defaultPause = Duration.milliseconds(200)

    /// - Parameters:
    ///   - isNew: true if the data folder holds nothing that was not created by this start.
    ///   - changed: called after each pass that changed something, before the next pass.
    ///
    /// `onBecomingActive` is called each time this server becomes active.
    package init(
        data: String, shelves: [(String, AssetStore)], isNew: Bool, key: BackupLinkKey,
        pair: any PairedServer, hasDiary: Bool = false, folders: [ReplicatedFolder] = [],
        say: @escaping @Sendable (String) -> Void,
        onBecomingActive: @escaping @Sendable () async -> Void = {}, changed: @escaping ChangeHandler
    ) async throws(CatalogueError) {
        self.onBecomingActive = onBecomingActive
        let catalogue = try RowChangeJournal(path: data + "/catalogue.sqlite")
        let rooms = try RowChangeJournal(path: data + "/rooms.sqlite", isDurable: false)
        let diary = hasDiary ? try RowChangeJournal(path: data + "/" + DiaryStore.fileName) : nil
        let journals = [("catalogue", catalogue), ("rooms", rooms)] + (diary.map { [("diary", $0)] } ?? [])
        if isNew { for (_, journal) in journals { try await journal.markManualChangesReplicated() } }
        let box = SealedBox(secret: key.deriveSecret(for: "content"))
        let monitors = ReplicationMonitors(
            Dictionary(
                uniqueKeysWithValues: journals.map { name, _ in
                    (
                        name,
                        ReplicationMonitor(requestInterval: Self.pausesByDatabase[name] ?? Self.defaultPause)
                    )
                }))
        self.monitors = monitors
        let send: AssetReplicator.SendRequest = { question throws(ReplicationError) in
            guard let asked = try? JSONEncoder().encode(question) else { throw .messageUnreadable }
            let sealed: [UInt8]
            do throws(BackupLinkAnswerError) {
                sealed = try await pair.askOtherServer(box.encrypt(Array(asked)))
            } catch {
                throw .linkFailed(error)
            }
            guard let bytes = box.decrypt(sealed), let (answer, body) = ReplicationCoding.decodeAnswer(bytes)
            else {
                throw .messageUnreadable
            }
            if let refusal = answer.refusal { throw .refused(refusal) }
            return (answer, body)
        }
        let ask: AssetReplicator.SendRequest = { question throws(ReplicationError) in
            var question = question
            question.trouble = monitors.firstReplicationError
            return try await send(question)
        }
        let savedWork = LastSavedLocalWork()
        self.lastSavedLocalWork = savedWork
        let saveLocalWork: @Sendable (RowChangeJournal, Int64) async throws(ReplicationError) -> Void = {
            journal, work throws(ReplicationError) in
            guard savedWork.savedChangeNumbers.withLock({ $0[journal.path] }) != work else { return }
            let sentence = try await Self.saveLocalWork(journal, data)
            savedWork.savedFileSentence.withLock { $0 = sentence }
            savedWork.savedChangeNumbers.withLock { $0[journal.path] = work }
            say(sentence + "\n")
        }
        let follows: @Sendable () -> Bool = { pair.isFollowingActiveServer }
        databaseReplicators = journals.map { name, journal in
            DatabaseReplicator(
                databaseName: name, journal: journal,
                assetReplicators: name == "catalogue"
                    ? shelves.map { AssetReplicator(storeName: $0.0, assetStore: $0.1) } : [],
                sendRequest: ask, isOnStandby: follows, saveLocalWork: saveLocalWork)
        }
        let folderReplication = FolderReplication(
            folders, data: data, isOnStandby: follows, say: say, ask: send)
        self.folderReplication = folderReplication
        replicationSource = ReplicationSource(
            journals: Dictionary(uniqueKeysWithValues: journals),
            folders: Dictionary(uniqueKeysWithValues: shelves.map { ($0.0, $0.1.folder) }),
            isActive: { pair.role == .main },
            answerItemRequest: { await folderReplication.answer($0) })
        self.sealedBox = box
        self.pairedServer = pair
        self.changeHandler = changed
    }

    /// Decrypts a request from the other server and returns the encrypted answer.
    package func answerQuestion(_ sealed: [UInt8]) async -> [UInt8] {
        guard let bytes = sealedBox.decrypt(sealed),
            let question = try? JSONDecoder().decode(ReplicationRequest.self, from: Data(bytes))
        else {
            return sealedBox.encrypt(
                ReplicationSource.refusalAnswer(ReplicationError.messageUnreadable.sentence))
        }
        return sealedBox.encrypt(await replicationSource.answerRequest(question))
    }

    /// Copies the other server's content whenever that server is the active one. Runs until shutdown.
    package func run() async throws {
        await cancelWhenGracefulShutdown { [self] in
            await withTaskGroup { group in
                for follower in databaseReplicators { group.addTask { await self.keepReplicating(follower) } }
                group.addTask { await self.watchForTakeover() }
                group.addTask { await self.folderReplication.run() }
            }
        }
    }

    /// Sets up the replication of the stores that the services declare.
    package convenience init(
        of services: [any HostedService], data: String, isNew: Bool, key: BackupLinkKey,
        pair: any PairedServer,
        say: @escaping @Sendable (String) -> Void
    ) async throws(CatalogueError) {
        let stores = services.flatMap(\.replicatedStores)
        try await self.init(
            data: data, shelves: stores.compactMap { $0.sharedAssetStore.map { ($0.name, $0.shelf) } },
            isNew: isNew,
            key: key,
            pair: pair, hasDiary: stores.contains { $0.database == .diary },
            folders: services.flatMap(\.replicatedFolders), say: say,
            onBecomingActive: { for store in stores { await store.onBecomingActive() } }
        ) { database, tables in
            for store in stores where store.database.rawValue == database { await store.reloadCaches(tables) }
        }
    }

    private var timeSinceStart: Duration { MonotonicClock.now - startedAt }

    /// Time since this server last held everything without which it must not take over; nil if it never did. Nobody
    /// waits for the diary and for files.
    package var timeSinceInSync: Duration? {
        let now = timeSinceStart
        let all = monitors.monitorsByDatabase.withLock { monitors in
            monitors.filter { $0.key != "diary" }.values.map(\.lastInSyncAt)
        }
        return all.contains(nil) ? nil : all.compactMap { $0 }.min().map { now - $0 }
    }

    private func keepReplicating(_ follower: DatabaseReplicator) async {
        while !Task.isCancelled {
            let due = monitors.monitorsByDatabase.withLock {
                $0[follower.databaseName]?.nextRequestAt ?? .zero
            }
            guard pairedServer.isFollowingActiveServer, timeSinceStart >= due else {
                try? await Task.sleep(for: .milliseconds(20))
                continue
            }
            do throws(ReplicationError) {
                let asked = timeSinceStart
                let tables = try await follower.replicate()
                if !tables.isEmpty { await changeHandler(follower.databaseName, tables) }
                monitors.monitorsByDatabase.withLock { $0[follower.databaseName]?.recordInSync(at: asked) }
            } catch {
                let now = timeSinceStart
                if pairedServer.isFollowingActiveServer {
                    monitors.monitorsByDatabase.withLock {
                        $0[follower.databaseName]?.recordFailure(error.sentence, at: now)
                    }
                }
            }
        }
    }

    private func watchForTakeover() async {
        var wasActive = false
        while !Task.isCancelled {
            let isActive = pairedServer.role == .main
            if isActive, !wasActive { await onBecomingActive() }
            wasActive = isActive
            try? await Task.sleep(for: .milliseconds(50))
        }
    }

    /// The present time as a part of a folder's name.
    static func timestamp() -> String { ServerDataFolder.formatFolderTimestamp(Date()) }

    /// Saves a copy of a database before replication overwrites it. Saved files are never deleted.
    /// - Returns: a sentence for the operator that names the saved file.
    static func saveLocalWork(_ journal: RowChangeJournal, _ data: String) async throws(ReplicationError)
        -> String
    {
        let folder =
            "\(data)/kept-aside/\(timestamp())-"
            + UUID().uuidString.prefix(4).lowercased()
        do {
            try FileManager.default.createDirectory(
                atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        } catch {
            throw .cannotWriteFile(path: folder, reason: "the folder cannot be made")
        }
        let name = (journal.path as NSString).lastPathComponent
        do throws(CatalogueError) {
            try await journal.write(copyTo: folder + "/" + name)
            for each in [data + "/kept-aside", data] { try AssetStore.syncToDisk(each) }
        } catch {
            // An incomplete file is of no use, and each retry would add one more.
            try? FileManager.default.removeItem(atPath: folder)
            throw .storeFailed(error)
        }
        let sentence =
            "This server had work that the one with the show does not have. It was kept in \(folder)/\(name), and this "
            + "server now has the other's; to see the old work, start a server with that file in a data "
            + "folder of its own."
        try? Data((sentence + "\n").utf8).write(to: URL(fileURLWithPath: folder + "/README.txt"))
        return sentence
    }

    /// State of the replication, for the console and the health page.
    package var consoleSection: ReplicationSection {
        let now = timeSinceStart
        if pairedServer.role == .main {
            let standby = replicationSource.currentStandbyStatus
            let ages = databaseReplicators.map { follower in
                standby.inSyncAt[follower.databaseName].map {
                    Double((MonotonicClock.now - $0) / .milliseconds(1))
                }
            }
            let oldest = ages.contains(nil) ? nil : ages.compactMap { $0 }.max()
            let isCurrent = oldest.map { $0 <= 2_000 } ?? false
            let sentence =
                isCurrent
                ? "the backup has the same"
                : standby.replicationError.map { "the backup does not have the same: \($0)" }
                    ?? "nobody has a copy"
            return ReplicationSection(
                isCurrent: isCurrent, ageMs: oldest.map { Int64($0) }, sentence: sentence,
                trouble: isCurrent ? nil : standby.replicationError,
                keptAside: lastSavedLocalWork.savedFileSentence.withLock { $0 },
                files: folderReplication.activeSection)
        }
        let all = monitors.monitorsByDatabase.withLock { $0 }.values.sorted {
            ($0.lastInSyncAt ?? .zero) < ($1.lastInSyncAt ?? .zero)
        }
        let worst =
            all.first { $0.copyFailureReason != nil } ?? all.first { $0.lastInSyncAt == nil } ?? all[0]
        return ReplicationSection(
            isCurrent: all.allSatisfy { $0.isCurrent(at: now) },
            ageMs: worst.lastInSyncAt.map { Int64((now - $0) / .milliseconds(1)) },
            sentence: worst.copyAgeSentence(at: now), trouble: worst.copyFailureReason,
            keptAside: lastSavedLocalWork.savedFileSentence.withLock { $0 },
            files: folderReplication.standbySection)
    }
}
