import Foundation

/// A folder of its own for one run of a program, removed with everything in it when the work is over.
public struct ScratchFolder: ~Copyable {
    public let url: URL

    /// - Parameters:
    ///   - prefix: what its name begins with among the system's temporary files.
    ///   - fault: what is thrown where it cannot be made, from its path and the system's reason.
    public init<Fault: Error>(
        prefix: String, or fault: (_ path: String, _ reason: String) -> Fault
    ) throws(Fault) {
        url = FileManager.default.temporaryDirectory
            .appendingPathComponent("\(prefix)-\(UUID().uuidString)", isDirectory: true)
        do {
            try FileManager.default.createDirectory(
                at: url, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        } catch {
            throw fault(url.path, error.localizedDescription)
        }
    }

    deinit { try? FileManager.default.removeItem(at: url) }

    public func file(_ name: String) -> URL { url.appendingPathComponent(name) }
}
