import Foundation

/// The file that keeps the list of jobs over a restart: `DATA/recordings/references.json`.
struct ReferenceJobFile: Sendable {
    /// The list could not be written; the file is as it was.
    struct Fault: Error, Equatable {
        /// The system's reason.
        var reason: String

        var sentence: String {
            "The server could not write the list of this work to its disk (\(reason)), so nothing was changed. Check the "
                + "disk's space and the data folder, then try again."
        }
    }

    let path: String

    /// - Returns: an empty list if there is no file.
    func load() -> ReferenceJobList {
        FileManager.default.contents(atPath: path)
            .flatMap { try? JSONDecoder().decode(ReferenceJobList.self, from: $0) } ?? ReferenceJobList()
    }

    /// Replaces the file. When the call returns, the list is on the disk.
    func save(_ list: ReferenceJobList) throws(Fault) {
        let folder = (path as NSString).deletingLastPathComponent
        let bytes: Data
        do {
            try FileManager.default.createDirectory(
                atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
            bytes = try JSONEncoder().encode(list)
            try bytes.write(to: URL(fileURLWithPath: unfinished))
        } catch { throw Fault(reason: error.localizedDescription) }
        try flush(unfinished)
        guard rename(unfinished, path) == 0 else { throw Self.systemFault }
        try flush(folder)
    }

    private var unfinished: String { path + ".unfinished" }

    private func flush(_ path: String) throws(Fault) {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw Self.systemFault }
        defer { close(descriptor) }
        guard fsync(descriptor) == 0 else { throw Self.systemFault }
    }

    private static var systemFault: Fault { Fault(reason: String(cString: strerror(errno))) }
}
