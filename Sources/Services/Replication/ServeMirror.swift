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

/// Replicates content, scores, rooms and accounts between two servers: the active one answers, the standby one
/// copies.
///
/// Messages are encrypted, since they contain password hashes.
package final class ServeMirror: ContentCopying, HostedService {
    /// Called with the tables that changed, so that services which cache them can reload.
    package typealias Changed = @Sendable (_ database: String, _ tables: Set<String>) async -> Void

    private let source: MirrorSource
    private let followers: [MirrorFollower]
    private let box: SealedBox
    private let pair: any OtherServer
    private let changed: Changed
    private let began: @Sendable () async -> Void
    private let watches: Watches
    private let keptAside: Kept
    private let start = MonotonicClock.now

    /// The state of replication of each database.
    private final class Watches: Sendable {
        let all: Mutex<[String: ReplicationMonitor]>

        init(_ watches: [String: ReplicationMonitor]) { all = Mutex(watches) }

        /// The first error of replication among all databases; nil if there is none.
        var trouble: String? { all.withLock { $0.values.compactMap(\.trouble).first } }
    }

    /// The last file to which this server's own work was saved.
    private final class Kept: Sendable {
        let sentence = Mutex<String?>(nil)
        /// For each database, the last change number already saved. A copy that fails repeatedly saves the same work
        /// only once and does not fill the disk.
        let work = Mutex<[String: Int64]>([:])
    }

    /// Pause between two passes. Shortest for rooms: acknowledged events that are not copied yet are lost if the
    /// active server fails.
    private static let pauses: [String: Duration] = ["rooms": .milliseconds(50)]
    private static let pause = Duration.milliseconds(200)

    /// - Parameters:
    ///   - isNew: true if the data folder holds nothing that was not created by this start.
    ///   - changed: called after each pass that changed something, before the next pass.
    ///
    /// `whenReigning` is called each time this server becomes active.
    package init(
        data: String, shelves: [(String, AssetStore)], isNew: Bool, key: LinkKey, pair: any OtherServer,
        say: @escaping @Sendable (String) -> Void,
        whenReigning began: @escaping @Sendable () async -> Void = {}, changed: @escaping Changed
    ) async throws(CatalogueError) {
        self.began = began
        let catalogue = try ChangeJournal(path: data + "/catalogue.sqlite")
        let rooms = try ChangeJournal(path: data + "/rooms.sqlite", isDurable: false)
        if isNew {
            try await catalogue.markWorkReplicated()
            try await rooms.markWorkReplicated()
        }
        let box = SealedBox(secret: key.secret(for: "content"))
        let watches = Watches(
            Dictionary(
                uniqueKeysWithValues: ["catalogue", "rooms"].map {
                    ($0, ReplicationMonitor(pause: Self.pauses[$0] ?? Self.pause))
                }))
        self.watches = watches
        let ask: MirrorFiles.Ask = { question throws(MirrorFault) in
            var question = question
            question.trouble = watches.trouble
            guard let asked = try? JSONEncoder().encode(question) else { throw .unreadable }
            let sealed: [UInt8]
            do throws(LinkAnswerError) { sealed = try await pair.ask(box.seal(Array(asked))) } catch {
                throw .link(error)
            }
            guard let bytes = box.open(sealed), let (answer, body) = MirrorWords.answer(bytes) else {
                throw .unreadable
            }
            if let refusal = answer.refusal { throw .refused(refusal) }
            return (answer, body)
        }
        let kept = Kept()
        keptAside = kept
        let putAside: @Sendable (ChangeJournal, Int64) async throws(MirrorFault) -> Void = {
            journal, work throws(MirrorFault) in
            guard kept.work.withLock({ $0[journal.path] }) != work else { return }
            let sentence = try await Self.putAside(journal, data)
            kept.sentence.withLock { $0 = sentence }
            kept.work.withLock { $0[journal.path] = work }
            say(sentence + "\n")
        }
        let follows: @Sendable () -> Bool = { pair.follows }
        followers = [
            MirrorFollower(
                name: "catalogue", journal: catalogue,
                files: shelves.map { MirrorFiles(name: $0.0, shelf: $0.1) },
                ask: ask, follows: follows, putAside: putAside),
            MirrorFollower(
                name: "rooms", journal: rooms, files: [], ask: ask, follows: follows, putAside: putAside),
        ]
        source = MirrorSource(
            journals: ["catalogue": catalogue, "rooms": rooms],
            folders: Dictionary(uniqueKeysWithValues: shelves.map { ($0.0, $0.1.folder) }),
            reigns: { pair.role == .main })
        self.box = box
        self.pair = pair
        self.changed = changed
    }

    /// Decrypts a request of the other server and returns the encrypted answer.
    package func answer(_ sealed: [UInt8]) async -> [UInt8] {
        guard let bytes = box.open(sealed),
            let question = try? JSONDecoder().decode(MirrorQuestion.self, from: Data(bytes))
        else { return box.seal(MirrorSource.refusing(MirrorFault.unreadable.sentence)) }
        return box.seal(await source.answer(question))
    }

    /// Copies the other server's content while the other server is active; runs until shutdown.
    package func run() async throws {
        await cancelWhenGracefulShutdown { [self] in
            await withTaskGroup { group in
                for follower in followers { group.addTask { await self.run(follower) } }
                group.addTask { await self.watchReign() }
            }
        }
    }

    /// Replicates the stores that the services declare.
    package convenience init(
        of services: [any HostedService], data: String, isNew: Bool, key: LinkKey, pair: any OtherServer,
        say: @escaping @Sendable (String) -> Void
    ) async throws(CatalogueError) {
        let stores = services.flatMap(\.stores)
        try await self.init(
            data: data, shelves: stores.compactMap { $0.files.map { ($0.name, $0.shelf) } }, isNew: isNew,
            key: key,
            pair: pair, say: say, whenReigning: { for store in stores { await store.takeOver() } }
        ) { database, tables in
            for store in stores where store.database.rawValue == database { await store.reread(tables) }
        }
    }

    private var now: Duration { MonotonicClock.now - start }

    /// Time since this server last had everything of the active server; nil if it never had.
    package var sameAge: Duration? {
        let now = now
        let all = watches.all.withLock { watches in watches.values.map(\.sameAt) }
        return all.contains(nil) ? nil : all.compactMap { $0 }.min().map { now - $0 }
    }

    private func run(_ follower: MirrorFollower) async {
        while !Task.isCancelled {
            let due = watches.all.withLock { $0[follower.name]?.dueAt ?? .zero }
            guard pair.follows, now >= due else {
                try? await Task.sleep(for: .milliseconds(20))
                continue
            }
            do throws(MirrorFault) {
                let asked = now
                let tables = try await follower.look()
                if !tables.isEmpty { await changed(follower.name, tables) }
                watches.all.withLock { $0[follower.name]?.isSame(at: asked) }
            } catch {
                let now = now
                if pair.follows {
                    watches.all.withLock { $0[follower.name]?.failed(error.sentence, at: now) }
                }
            }
        }
    }

    private func watchReign() async {
        var reigned = false
        while !Task.isCancelled {
            let reigns = pair.role == .main
            if reigns, !reigned { await began() }
            reigned = reigns
            try? await Task.sleep(for: .milliseconds(50))
        }
    }

    /// Saves a database before it is overwritten by a copy. Saved files are never deleted.
    static func putAside(_ journal: ChangeJournal, _ data: String) async throws(MirrorFault) -> String {
        let folder =
            "\(data)/kept-aside/\(ShowFolder.stamp(Date()))-\(UUID().uuidString.prefix(4).lowercased())"
        do {
            try FileManager.default.createDirectory(
                atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        } catch {
            throw .cannotKeep(path: folder, reason: "the folder cannot be made")
        }
        let name = (journal.path as NSString).lastPathComponent
        do throws(CatalogueError) {
            try await journal.write(copyTo: folder + "/" + name)
            for each in [data + "/kept-aside", data] { try AssetStore.sync(each) }
        } catch {
            // An incomplete file is of no use, and each retry would add one more.
            try? FileManager.default.removeItem(atPath: folder)
            throw .store(error)
        }
        let sentence =
            "This server had work that the one with the show does not have. It was kept in \(folder)/\(name), and this "
            + "server now has the other's; to see the old work, start a server with that file in a data "
            + "folder of its own."
        try? Data((sentence + "\n").utf8).write(to: URL(fileURLWithPath: folder + "/README.txt"))
        return sentence
    }

    /// State of the replication, for console and health page.
    package var section: ContentCopySection {
        let now = now
        if pair.role == .main {
            let asker = source.asker
            let ages = followers.map { follower in
                asker.sameAt[follower.name].map { Double((MonotonicClock.now - $0) / .milliseconds(1)) }
            }
            let oldest = ages.contains(nil) ? nil : ages.compactMap { $0 }.max()
            let isCurrent = oldest.map { $0 <= 2_000 } ?? false
            let sentence =
                isCurrent
                ? "the backup has the same"
                : asker.trouble.map { "the backup does not have the same: \($0)" } ?? "nobody has a copy"
            return ContentCopySection(
                isCurrent: isCurrent, ageMs: oldest.map { Int64($0) }, sentence: sentence,
                trouble: isCurrent ? nil : asker.trouble, keptAside: keptAside.sentence.withLock { $0 })
        }
        let all = watches.all.withLock { $0 }.values.sorted { ($0.sameAt ?? .zero) < ($1.sameAt ?? .zero) }
        let worst = all.first { $0.trouble != nil } ?? all.first { $0.sameAt == nil } ?? all[0]
        return ContentCopySection(
            isCurrent: all.allSatisfy { $0.isCurrent(at: now) },
            ageMs: worst.sameAt.map { Int64((now - $0) / .milliseconds(1)) },
            sentence: worst.sentence(at: now), trouble: worst.trouble,
            keptAside: keptAside.sentence.withLock { $0 })
    }
}
