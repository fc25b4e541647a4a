import Foundation
import Hosting
import Sound
import Synchronization

extension TakeStore {
    /// The takes as the backup server copies them: those that are complete, each a folder.
    func replicatedFolder(
        onArrival: @escaping @Sendable (_ takes: [String]) async -> Void
    ) -> ReplicatedFolder {
        let root = folder
        let finished = FinishedTakes()
        return ReplicatedFolder(
            "takes", path: root,
            listItems: {
                var items: [ReplicatedItem] = []
                for owner in (ReplicatedItem.entries(of: root) ?? []).sorted() where !owner.hasPrefix(".") {
                    for name in (ReplicatedItem.entries(of: root + "/" + owner) ?? []).sorted() {
                        guard !name.hasPrefix("."),
                            let item = ReplicatedItem(folder: owner + "/" + name, of: root),
                            finished.contains(item, of: root)
                        else { continue }
                        items.append(item)
                    }
                }
                return items
            },
            findDamage: { folder, take in
                FLACStreamHeader(file: "\(folder)/\(take)/\(Take.soundFile)") == nil
                    ? "its sound cannot be read" : nil
            }, onArrival: onArrival)
    }

    /// Deletes an erased take, or all takes of an erased account.
    /// - Parameter name: the path of its folder below the folder of takes.
    /// - Returns: false if the server may not delete it.
    func erase(_ name: String) -> Bool {
        let parts = name.split(separator: "/", omittingEmptySubsequences: false)
        guard (1...2).contains(parts.count), parts.allSatisfy({ Self.isValidName(String($0)) }) else {
            return true
        }
        let place = folder + "/" + name
        guard FileManager.default.fileExists(atPath: place) else { return true }
        return (try? FileManager.default.removeItem(atPath: place)) != nil
    }
}

/// Remembers which takes are complete, so that their descriptions are read once.
private final class FinishedTakes: Sendable {
    private let known = Mutex<[String: ReplicatedItem.File]>([:])

    func contains(_ item: ReplicatedItem, of root: String) -> Bool {
        let path = item.name + "/" + Take.descriptionFile
        guard let file = item.files.first(where: { $0.path == path }) else { return false }
        if known.withLock({ $0[path] == file }) { return true }
        guard
            let take = FileManager.default.contents(atPath: root + "/" + path).flatMap({
                try? JSONDecoder().decode(Take.self, from: $0)
            }), take.seconds != nil
        else { return false }
        known.withLock { known in
            if known.count > 2 * ReplicatedFolder.mostItems { known = [:] }
            known[path] = file
        }
        return true
    }
}
