import Foundation

/// A temporary folder for one run of a program. The folder and all its contents are removed when the value is
/// destroyed.
public struct ScratchFolder: ~Copyable {
    public let url: URL

    /// Makes the folder among the system's temporary files.
    /// - Parameters:
    ///   - prefix: the beginning of the folder's name.
    ///   - fault: makes the error to throw if the folder cannot be made, from the folder's path and the system's
    ///     reason.
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

    public func fileURL(_ name: String) -> URL { url.appendingPathComponent(name) }
}
