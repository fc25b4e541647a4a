import Glibc

extension ReplicatedItem {
    /// An item that is a folder, with all its plain files that are not hidden.
    /// - Parameters:
    ///   - root: the path of the replicated folder.
    ///   - name: the item's path below it.
    /// - Returns: nil if the folder cannot be read, is empty or has too many files.
    package init?(folder name: String, of root: String) {
        guard let names = Self.entries(of: root + "/" + name) else { return nil }
        let files = names.filter { !$0.hasPrefix(".") }.sorted().compactMap {
            File(name + "/" + $0, of: root)
        }
        guard !files.isEmpty, files.count <= ReplicatedFolder.mostFilesOfItem else { return nil }
        self.init(name: name, files: files, isFolder: true)
    }

    /// The names in a folder, without `.` and `..`; nil if it cannot be read.
    package static func entries(of folder: String) -> [String]? {
        guard let stream = opendir(folder) else { return nil }
        defer { closedir(stream) }
        var names: [String] = []
        while let entry = readdir(stream) {
            let name = withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
                String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
            }
            if name != ".", name != ".." { names.append(name) }
        }
        return names
    }
}

extension ReplicatedItem.File {
    /// The present state of a file; nil if it is no plain file.
    /// - Parameter root: the path of the replicated folder.
    package init?(_ path: String, of root: String) {
        var status = stat()
        guard lstat(root + "/" + path, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
        self.init(
            path: path, bytes: Int64(status.st_size),
            changedAt: Int64(status.st_mtim.tv_sec) * 1_000_000_000 + Int64(status.st_mtim.tv_nsec))
    }
}
