/// A folder of a service whose items the backup server copies: models, speakers' slides, students' takes.
///
/// An item is a folder, or some files of one stem, that is of use only as a whole. It is copied in the background with
/// bounded bandwidth, checked, and then put in its place at once. What lies in the folder ``arrivalsName`` is not there
/// yet. Replication deletes no item; what is deleted is up to the service.
package struct ReplicatedFolder: Sendable {
    /// The name by which both servers know the folder.
    package var name: String
    package var path: String
    /// The items that are complete at this moment, in the order in which they are copied.
    package var listItems: @Sendable () -> [ReplicatedItem]
    /// Checks an item that has arrived: its place and its name.
    /// - Returns: what is wrong with it, as the end of a sentence; nil if nothing is.
    package var findDamage: @Sendable (_ folder: String, _ item: String) -> String?
    /// Called with the names of the items that were put in their place.
    package var onArrival: @Sendable (_ items: [String]) async -> Void

    /// The folder in which items arrive. It lies in the replicated folder, so that an item is put in its place by
    /// renaming.
    package static let arrivalsName = ".arriving"
    /// The most items of a folder that are copied, the newest first, and the most files of an item.
    package static let mostItems = 5_000
    package static let mostFilesOfItem = 200

    package init(
        _ name: String, path: String, listItems: @escaping @Sendable () -> [ReplicatedItem],
        findDamage: @escaping @Sendable (_ folder: String, _ item: String) -> String? = { _, _ in nil },
        onArrival: @escaping @Sendable (_ items: [String]) async -> Void = { _ in }
    ) {
        (self.name, self.path, self.listItems) = (name, path, listItems)
        (self.findDamage, self.onArrival) = (findDamage, onArrival)
    }
}

/// An item of a replicated folder, with its files.
package struct ReplicatedItem: Codable, Equatable, Sendable {
    package struct File: Codable, Equatable, Sendable {
        /// The path below the replicated folder.
        package var path: String
        package var bytes: Int64
        /// The time of the file's last change, in nanoseconds since 1970.
        package var changedAt: Int64

        package init(path: String, bytes: Int64, changedAt: Int64) {
            (self.path, self.bytes, self.changedAt) = (path, bytes, changedAt)
        }
    }

    /// The path of its folder below the replicated folder; for files without a folder of their own, their stem.
    package var name: String
    /// In the order in which they are put in their place: the file that makes the item complete is last.
    package var files: [File]
    /// True if the item is a folder, which is replaced as a whole.
    package var isFolder: Bool

    package init(name: String, files: [File], isFolder: Bool) {
        (self.name, self.files, self.isFolder) = (name, files, isFolder)
    }

    package var bytes: Int64 { files.reduce(0) { $0 + $1.bytes } }
}
