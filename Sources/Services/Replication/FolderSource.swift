import Foundation
import Hosting
import Platform
import Synchronization

/// Answers the standby server's requests for the items of the replicated folders.
final class FolderSource: Sendable {
    private struct Listing {
        var items: [ReplicatedItem] = []
        /// The number of items that are not copied.
        var leftOutCount = 0
        var encoded: [UInt8] = []
        var digest = ""
        var filesByPath: [String: ReplicatedItem.File] = [:]
        var madeAt: MonotonicInstant
    }

    private let folders: [String: ReplicatedFolder]
    private let listings = Mutex<[String: Listing]>([:])
    private let inSyncAt = Mutex<[String: MonotonicInstant]>([:])
    /// A list is made again after so long.
    private static let listingAge = Duration.milliseconds(500)

    init(_ folders: [ReplicatedFolder]) {
        self.folders = Dictionary(folders.map { ($0.name, $0) }, uniquingKeysWith: { $1 })
    }

    /// Time since the standby server last had every item of every folder; nil if it never had, or if there is no
    /// folder.
    var timeSinceInSync: Duration? {
        let times = inSyncAt.withLock { times in folders.keys.map { times[$0] } }
        guard !times.isEmpty, !times.contains(nil) else { return nil }
        return times.compactMap { $0 }.min().map { MonotonicClock.now - $0 }
    }

    /// The number of items of all folders that are beyond the limits, so that the standby server never gets them.
    var leftOutCount: Int { listings.withLock { $0.values.reduce(0) { $0 + $1.leftOutCount } } }

    func answer(_ question: ReplicationRequest) async -> [UInt8] {
        guard let folder = folders[question.of] else {
            return ReplicationSource.refusalAnswer("There is no such folder.")
        }
        // Reading a disk may take long, and nothing of the show waits for it.
        return await Task.detached(priority: .background) { [self] in
            switch question.subject {
            case .items: answerItems(question, folder)
            case .part: answerPart(question, folder)
            default: await answerDigest(question, folder)
            }
        }.value
    }

    private func listing(of folder: ReplicatedFolder, continued: Bool) -> Listing {
        let known = listings.withLock { $0[folder.name] }
        // A list that is being sent stays the same, so that its parts belong together.
        if let known, continued || MonotonicClock.now - known.madeAt < Self.listingAge { return known }
        var listing = Listing(madeAt: MonotonicClock.now)
        (listing.items, listing.leftOutCount) = folder.copiedItems
        listing.encoded = ReplicatedItemCoding.encode(listing.items)
        listing.digest = Digest(of: listing.encoded).description
        for file in listing.items.flatMap(\.files) { listing.filesByPath[file.path] = file }
        listings.withLock { $0[folder.name] = listing }
        return listing
    }

    private func answerItems(_ question: ReplicationRequest, _ folder: ReplicatedFolder) -> [UInt8] {
        let offset = Int(clamping: max(question.offset ?? 0, 0))
        let listing = listing(of: folder, continued: offset > 0)
        var answer = ReplicationAnswer(bytes: Int64(listing.encoded.count))
        (answer.digest, answer.place) = (listing.digest, folder.placeOnDisk)
        answer.leftOutItems = listing.leftOutCount > 0 ? listing.leftOutCount : nil
        guard question.name != listing.digest else {
            inSyncAt.withLock { $0[folder.name] = MonotonicClock.now }
            return ReplicationCoding.encodeAnswer(answer)
        }
        let part = listing.encoded.dropFirst(offset).prefix(ReplicationCoding.mostBodyBytes)
        return ReplicationCoding.encodeAnswer(answer, Array(part))
    }

    /// Opens a file of the newest list, if it is as it was listed.
    private func open(_ question: ReplicationRequest, _ folder: ReplicatedFolder) -> (FileHandle, Int64)? {
        guard let path = question.name,
            let listed = listings.withLock({ $0[folder.name]?.filesByPath[path] }),
            ReplicatedItem.File(path, of: folder.path) == listed,
            let handle = FileHandle(forReadingAtPath: folder.path + "/" + path)
        else { return nil }
        return (handle, listed.bytes)
    }

    private static let changed = ReplicationError.changedMeanwhile.sentence

    private func answerPart(_ question: ReplicationRequest, _ folder: ReplicatedFolder) -> [UInt8] {
        guard let (handle, size) = open(question, folder), let offset = question.offset, offset >= 0 else {
            return ReplicationSource.refusalAnswer(Self.changed)
        }
        defer { try? handle.close() }
        do {
            try handle.seek(toOffset: UInt64(offset))
            let bytes = try handle.read(upToCount: ReplicationCoding.mostBodyBytes) ?? Data()
            return ReplicationCoding.encodeAnswer(ReplicationAnswer(bytes: size), Array(bytes))
        } catch {
            return ReplicationSource.refusalAnswer(
                "The file \(question.name ?? "") of the other server cannot be read; check its disk.")
        }
    }

    private func answerDigest(_ question: ReplicationRequest, _ folder: ReplicatedFolder) async -> [UInt8] {
        guard let (handle, _) = open(question, folder) else {
            return ReplicationSource.refusalAnswer(Self.changed)
        }
        try? handle.close()
        guard let digest = await FolderFiles.digest(of: folder.path + "/" + (question.name ?? "")) else {
            return ReplicationSource.refusalAnswer(
                "The file \(question.name ?? "") of the other server cannot be read; check its disk.")
        }
        var answer = ReplicationAnswer()
        answer.digest = digest.description
        return ReplicationCoding.encodeAnswer(answer)
    }
}

/// The list of a folder's items as both servers write it: equal lists have equal bytes.
enum ReplicatedItemCoding {
    static func encode(_ items: [ReplicatedItem]) -> [UInt8] {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return (try? encoder.encode(items.sorted { $0.name < $1.name })).map(Array.init) ?? []
    }

    static func decode(_ bytes: [UInt8]) -> [ReplicatedItem]? {
        try? JSONDecoder().decode([ReplicatedItem].self, from: Data(bytes))
    }
}

extension ReplicatedFolder {
    /// The items at this moment, each within the limits.
    var presentItems: [ReplicatedItem] { listItems().filter(Self.isWithinLimits) }

    /// The items that the standby server copies: the newest ones, and how many are left out.
    var copiedItems: (items: [ReplicatedItem], leftOutCount: Int) {
        let all = listItems().filter { !$0.files.isEmpty }
        let present = all.filter(Self.isWithinLimits)
        guard present.count > Self.mostItems else { return (present, all.count - present.count) }
        let newest = present.map { ($0, $0.files.map(\.changedAt).max() ?? 0) }.sorted { $0.1 > $1.1 }
        return (newest.prefix(Self.mostItems).map(\.0), all.count - Self.mostItems)
    }

    private static func isWithinLimits(_ item: ReplicatedItem) -> Bool {
        (1...mostFilesOfItem).contains(item.files.count) && item.hasSafePaths
    }

    /// Identifies the folder on the disk of this machine since it was started.
    var placeOnDisk: String {
        var status = stat()
        guard stat(path, &status) == 0 else { return "" }
        let machine = (try? String(contentsOfFile: "/proc/sys/kernel/random/boot_id", encoding: .utf8)) ?? ""
        return "\(machine.filter { !$0.isWhitespace })/\(status.st_dev)/\(status.st_ino)"
    }
}

extension ReplicatedItem {
    /// True if all paths stay inside the replicated folder, and inside the item.
    var hasSafePaths: Bool {
        ([name] + files.map(\.path)).allSatisfy { path in
            (1...400).contains(path.utf8.count) && !path.contains("\0")
                && path.split(separator: "/", omittingEmptySubsequences: false).allSatisfy {
                    !$0.isEmpty && !$0.hasPrefix(".")
                }
        } && files.allSatisfy { !isFolder || $0.path.hasPrefix(name + "/") }
            && files.allSatisfy { $0.bytes >= 0 && (isFolder || !$0.path.contains("/")) }
    }
}
