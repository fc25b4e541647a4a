import Foundation
import Glibc
import Hosting
import Platform

/// Copies the items of a replicated folder from the active server.
///
/// An item arrives in a folder of its own, file by file and part by part. An interrupted item is continued at the byte
/// at which it stopped. Only when it is whole, equal to the original and checked does it take the place of the copy
/// that was there. An item that fails does not hold up the others.
struct FolderReplicator: Sendable {
    let folder: ReplicatedFolder
    let pace: CopyPace
    let progress: FolderProgress
    let sendRequest: AssetReplicator.SendRequest
    /// True while this server is on standby and copies the other one.
    let isOnStandby: @Sendable () -> Bool
    /// Moves an item that was made on this server out of the way of the other server's.
    let keepAside:
        @Sendable (_ path: String, _ folder: String, _ item: String) throws(ReplicationError) -> Void

    /// Size of the largest file that is copied, in bytes.
    static let mostFileBytes: Int64 = 4 << 30
    private static let mostListBytes: Int64 = 8 << 20

    private var arrivals: String { folder.path + "/" + ReplicatedFolder.arrivalsName }

    /// Runs one pass: copies all items that this server lacks.
    /// - Throws: the first error; the items after it are copied all the same, if the link and the disk allow it.
    func replicate() async throws(ReplicationError) {
        let here = Dictionary(folder.presentItems.map { ($0.name, $0) }, uniquingKeysWith: { $1 })
        let known = progress.lastList
        let hasAll = known.items.allSatisfy { here[$0.name] == $0 }
        guard let list = try await fetchList(known: hasAll ? known.digest : "") else {
            return progress.recordInSync()
        }
        let missing = list.items.filter { here[$0.name] != $0 }
        progress.recordList(list.items, digest: list.digest, missing: missing)
        var firstError: ReplicationError?
        var arrived: [String] = []
        for item in missing {
            guard isOnStandby() else { throw .changedMeanwhile }
            do throws(ReplicationError) {
                try await copy(item, over: here[item.name])
                arrived.append(item.name)
                progress.recordArrival(of: item)
            } catch {
                firstError = firstError ?? error
                guard error.concernsOneItem else { break }
            }
        }
        if !arrived.isEmpty { await folder.onArrival(arrived) }
        if let firstError { throw firstError }
    }

    // MARK: The list

    /// - Returns: the active server's items; nil if this server has them all.
    private func fetchList(
        known: String
    ) async throws(ReplicationError) -> (items: [ReplicatedItem], digest: String)? {
        var question = ReplicationRequest(subject: .items, of: folder.name, name: known, offset: 0)
        let (first, part) = try await sendRequest(question)
        guard let digest = first.digest, let whole = first.bytes, (0...Self.mostListBytes).contains(whole)
        else {
            throw .messageUnreadable
        }
        progress.recordLeftOut(first.leftOutItems ?? 0)
        guard digest != known else { return nil }
        if let place = first.place, !place.isEmpty, place == folder.placeOnDisk { return nil }
        var bytes = Array(part)
        while Int64(bytes.count) < whole {
            question.offset = Int64(bytes.count)
            let (next, part) = try await sendRequest(question)
            guard next.digest == digest, next.bytes == whole, !part.isEmpty else { throw .changedMeanwhile }
            bytes += part
        }
        guard let items = ReplicatedItemCoding.decode(bytes), items.count <= ReplicatedFolder.mostItems else {
            throw .messageUnreadable
        }
        for item in items {
            guard item.hasSafePaths, item.files.count <= ReplicatedFolder.mostFilesOfItem else {
                throw .invalidFileName(String(item.name.prefix(80)))
            }
        }
        return (items, digest)
    }

    // MARK: An item

    private func copy(_ item: ReplicatedItem, over local: ReplicatedItem?) async throws(ReplicationError) {
        if let large = item.files.first(where: { $0.bytes > Self.mostFileBytes }) {
            throw .fileTooLarge(large.path, bytes: large.bytes)
        }
        guard DiskReserve(folder: folder.path).refusal(adding: Int(item.bytes)) == nil else {
            throw .cannotWriteFile(path: folder.path, reason: "the last of the disk is kept for the show")
        }
        let name = Digest(of: Array(item.name.utf8)).description.prefix(24)
        let place = arrivals + "/" + name
        try beginOrContinue(item, in: place)
        var hasNews = false
        for file in item.files where try await fetch(file, into: place) { hasNews = true }
        if let reason = folder.findDamage(place, item.name) {
            try? FileManager.default.removeItem(atPath: place)
            throw .itemDamaged(folder: folder.name, item: item.name, reason: reason)
        }
        guard isOnStandby() else { throw .changedMeanwhile }
        let isOwnWork =
            local.map { local in
                let others = Set(local.files.map(\.path)).subtracting(item.files.map(\.path))
                return (hasNews || !others.isEmpty) && copied(item.name) != local
            } ?? false
        try putInPlace(item, from: place, keepsOld: isOwnWork)
        try? FileManager.default.removeItem(atPath: place)
        try remember(item)
    }

    /// Makes the folder in which an item arrives, or finds what has arrived of it already.
    private func beginOrContinue(_ item: ReplicatedItem, in place: String) throws(ReplicationError) {
        let note = place + "/" + Self.noteName
        if let bytes = FileManager.default.contents(atPath: note),
            (try? JSONDecoder().decode(ReplicatedItem.self, from: bytes)) == item
        {
            return
        }
        try? FileManager.default.removeItem(atPath: place)
        try FolderFiles.makeFolder(place)
        try FolderFiles.append((try? JSONEncoder().encode(item)).map { Array($0) }?[...] ?? [], to: note)
    }

    /// Gets one file of an item.
    /// - Returns: true if it differs from the file that is here.
    private func fetch(_ file: ReplicatedItem.File, into place: String) async throws(ReplicationError) -> Bool
    {
        let path = place + "/" + file.path
        try FolderFiles.makeFolder((path as NSString).deletingLastPathComponent)
        var arrived = ReplicatedItem.File(file.path, of: place)
        if let there = arrived, there == file { return false }
        if let there = arrived, there.bytes > file.bytes {
            try? FileManager.default.removeItem(atPath: path)
            arrived = nil
        }
        let old = ReplicatedItem.File(file.path, of: folder.path)
        if arrived == nil, old == file, link(folder.path + "/" + file.path, path) == 0 { return false }
        var digest: String?
        if arrived == nil, let old, old.bytes == file.bytes {
            digest = try await originalDigest(of: file)
            if await FolderFiles.digest(of: folder.path + "/" + file.path)?.description == digest,
                link(folder.path + "/" + file.path, path) == 0
            {
                FolderFiles.setTime(file.changedAt, of: path)
                return false
            }
        }
        var offset = arrived?.bytes ?? 0
        if file.bytes == 0 { try FolderFiles.append([], to: path) }
        while offset < file.bytes {
            await pace.wait(forBytes: ReplicationCoding.mostBodyBytes)
            guard isOnStandby() else { throw .changedMeanwhile }
            let question = ReplicationRequest(
                subject: .part, of: folder.name, name: file.path, offset: offset)
            let (answer, bytes) = try await sendRequest(question)
            guard answer.bytes == file.bytes, !bytes.isEmpty, offset + Int64(bytes.count) <= file.bytes else {
                throw .changedMeanwhile
            }
            try FolderFiles.append(bytes, to: path)
            offset += Int64(bytes.count)
            progress.recordBytes(bytes.count)
        }
        let original: String
        if let digest { original = digest } else { original = try await originalDigest(of: file) }
        guard await FolderFiles.digest(of: path)?.description == original else {
            try? FileManager.default.removeItem(atPath: path)
            throw .wrongDigest(file.path)
        }
        FolderFiles.setTime(file.changedAt, of: path)
        try FolderFiles.flush(path)
        return true
    }

    private func originalDigest(of file: ReplicatedItem.File) async throws(ReplicationError) -> String {
        let question = ReplicationRequest(subject: .digest, of: folder.name, name: file.path)
        guard let digest = try await sendRequest(question).0.digest else { throw .messageUnreadable }
        return digest
    }

    private func putInPlace(
        _ item: ReplicatedItem, from place: String, keepsOld: Bool
    ) throws(ReplicationError) {
        guard item.isFolder else {
            for file in item.files {
                try FolderFiles.move(place + "/" + file.path, to: folder.path + "/" + file.path)
            }
            return try FolderFiles.flush(folder.path)
        }
        let (arrived, target) = (place + "/" + item.name, folder.path + "/" + item.name)
        let parent = (target as NSString).deletingLastPathComponent
        try FolderFiles.makeFolder(parent)
        try FolderFiles.flush(arrived)
        let old = place + "/" + Self.replacedName
        if access(target, F_OK) == 0 { try FolderFiles.move(target, to: old) }
        do throws(ReplicationError) { try FolderFiles.move(arrived, to: target) } catch {
            _ = rename(old, target)
            throw error
        }
        try FolderFiles.flush(parent)
        if keepsOld { try keepAside(old, folder.name, item.name) }
    }

    /// The name of the item that was there, until the other one is in its place.
    private static let replacedName = ".replaced"

    /// Puts items back that were taken from their place when the server ended, before the new ones were there. To be
    /// called once, before anything is copied.
    func putBackInterrupted() {
        for name in ReplicatedItem.entries(of: arrivals) ?? [] {
            let place = arrivals + "/" + name
            let old = place + "/" + Self.replacedName
            guard access(old, F_OK) == 0,
                let bytes = FileManager.default.contents(atPath: place + "/" + Self.noteName),
                let item = try? JSONDecoder().decode(ReplicatedItem.self, from: bytes), item.hasSafePaths
            else { continue }
            let target = folder.path + "/" + item.name
            if access(target, F_OK) != 0 { _ = rename(old, target) }
        }
    }

    private static let noteName = ".item.json"

    // MARK: What was copied

    /// The items as they were when they were copied. An item that differs from it was changed on this server.
    private var notePath: String { arrivals + "/copied.json" }

    private func copiedItems() -> [String: ReplicatedItem] {
        JSONFile.read([String: ReplicatedItem].self, at: notePath) ?? [:]
    }

    private func copied(_ item: String) -> ReplicatedItem? { copiedItems()[item] }

    private func remember(_ item: ReplicatedItem) throws(ReplicationError) {
        guard item.isFolder else { return }
        var all = copiedItems().filter { access(folder.path + "/" + $0.key, F_OK) == 0 }
        all[item.name] = item
        do {
            try JSONFile.write(all, to: notePath)
        } catch { throw .cannotWriteFile(path: notePath, reason: "it cannot be replaced") }
    }
}

extension ReplicationError {
    /// True if the error concerns one item, so that others can be copied all the same.
    var concernsOneItem: Bool {
        switch self {
        case .itemDamaged, .fileTooLarge, .wrongDigest, .changedMeanwhile, .invalidFileName, .refused: true
        case .linkFailed, .storeFailed, .messageUnreadable, .databaseFormatDiffers, .contentTooLarge,
            .cannotWriteFile:
            false
        }
    }
}
