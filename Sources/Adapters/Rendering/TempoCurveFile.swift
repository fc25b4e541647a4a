import Foundation

extension TempoCurve {
    static let maximumFileBytes = 2_000_000

    /// Reads a tempo curve from a file.
    /// - Throws: ``RenderingError/cannotRead(path:reason:)`` or ``RenderingError/invalidTempoCurve(path:fault:)``.
    public init(path: String) throws(RenderingError) {
        let content: Data
        do {
            let handle = try FileHandle(forReadingFrom: URL(fileURLWithPath: path))
            content = try handle.read(upToCount: Self.maximumFileBytes) ?? Data()
        } catch {
            throw .cannotRead(path: path, reason: "there is no such file, or it may not be opened")
        }
        do { try self.init(text: String(decoding: content, as: UTF8.self)) } catch {
            throw .invalidTempoCurve(path: path, fault: error)
        }
    }
}
