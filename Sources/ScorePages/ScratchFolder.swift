import Foundation

/// A folder of its own for one run of a program, removed with everything in it when the work is over.
struct ScratchFolder: ~Copyable {
    let url: URL

    init() throws(ScorePagesError) {
        url = FileManager.default.temporaryDirectory
            .appendingPathComponent("baton-pages-\(UUID().uuidString)", isDirectory: true)
        do {
            try FileManager.default.createDirectory(
                at: url, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        } catch {
            throw .cannotWrite(path: url.path, reason: error.localizedDescription)
        }
    }

    deinit { try? FileManager.default.removeItem(at: url) }

    func file(_ name: String) -> URL { url.appendingPathComponent(name) }
}
