import Foundation

/// A file's bytes without a copy of them in memory.
enum MappedFile {
    /// The largest file that is read, in bytes.
    static let mostBytes = 1 << 30

    static func withBytes<Value>(
        of path: String, _ body: (UnsafeRawBufferPointer) throws -> Value
    ) throws -> Value {
        let data: Data
        do {
            data = try Data(contentsOf: URL(fileURLWithPath: path), options: .mappedIfSafe)
        } catch {
            let reason =
                FileManager.default.fileExists(atPath: path) ? "it may not be read" : "there is no such file"
            throw DiaryFileFault.unreadable(file: path, reason: reason)
        }
        guard data.count <= mostBytes else {
            throw DiaryFileFault.unreadable(file: path, reason: "it has more than 1 GB")
        }
        return try data.withUnsafeBytes(body)
    }
}
