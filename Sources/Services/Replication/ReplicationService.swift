import BackupLink
import Catalogue
import Foundation
import Hosting
import Platform
import Podium
import ServiceLifecycle
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
    private let localWork: LocalWorkArchive
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
        (pairedServer, changeHandler, self.onBecomingActive) = (pair, changed, onBecomingActive)
        let journals = try await Self.openJournals(in: data, hasDiary: hasDiary, isNew: isNew)
        let monitors = ReplicationMonitors(
            Dictionary(
                uniqueKeysWithValues: journals.map { name, _ in
                    (
                        name,
                        ReplicationMonitor(requestInterval: Self.pausesByDatabase[name] ?? Self.defaultPause)
                    )
                }))
        self.monitors = monitors
        let box = SealedBox(secret: key.deriveSecret(for: "content"))
        sealedBox = box
        let requests = SealedRequests(box: box, pair: pair)
        let localWork = LocalWorkArchive(dataFolder: data, say: say)
        self.localWork = localWork
        let isOnStandby: @Sendable () -> Bool = { pair.isFollowingActiveServer }
        databaseReplicators = journals.map { name, journal in
            DatabaseReplicator(
                databaseName: name, journal: journal,
                assetReplicators: name == "catalogue"
                    ? shelves.map { AssetReplicator(storeName: $0.0, assetStore: $0.1) } : [],
                sendRequest: { question throws(ReplicationError) in
                    var question = question
                    question.trouble = monitors.firstReplicationError
                    return try await requests.send(question)
                }, isOnStandby: isOnStandby,
                saveLocalWork: { journal, work throws(ReplicationError) in
                    try await localWork.save(journal, upTo: work)
                })
        }
        let folderReplication = FolderReplication(
            folders, data: data, isOnStandby: isOnStandby, say: say, ask: requests.send)
        self.folderReplication = folderReplication
        replicationSource = ReplicationSource(
            journals: Dictionary(uniqueKeysWithValues: journals),
            folders: Dictionary(uniqueKeysWithValues: shelves.map { ($0.0, $0.1.folder) }),
            isActive: { pair.role == .main },
            answerItemRequest: { await folderReplication.answer($0) })
    }

    /// Opens the journals of the databases that are copied, with their names.
    /// - Parameter isNew: true to count what they hold as copied, because only this start made it.
    private static func openJournals(
        in dataFolder: String, hasDiary: Bool, isNew: Bool
    ) async throws(CatalogueError) -> [(name: String, journal: RowChangeJournal)] {
        var journals = [
            (name: "catalogue", journal: try RowChangeJournal(path: dataFolder + "/catalogue.sqlite")),
            (
                name: "rooms",
                journal: try RowChangeJournal(path: dataFolder + "/rooms.sqlite", isDurable: false)
            ),
        ]
        if hasDiary {
            journals.append(("diary", try RowChangeJournal(path: dataFolder + "/" + DiaryStore.fileName)))
        }
        if isNew { for (_, journal) in journals { try await journal.markManualChangesReplicated() } }
        return journals
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
                keptAside: localWork.newestFileSentence,
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
            keptAside: localWork.newestFileSentence,
            files: folderReplication.standbySection)
    }
}
