import Basics
import Foundation

extension TempoCurve {
    static let maximumFileBytes = 2_000_000

    /// Reads a tempo curve from a file.
    /// - Throws: ``ExplainedError`` or ``ExplainedError``.
    public init(path: String) throws(ExplainedError) {
        let content: Data
        do {
            let handle = try FileHandle(forReadingFrom: URL(fileURLWithPath: path))
            content = try handle.read(upToCount: Self.maximumFileBytes) ?? Data()
        } catch {
            throw ExplainedError("\(path) cannot be read: there is no such file, or it may not be opened.")
        }
        do { try self.init(text: String(decoding: content, as: UTF8.self)) } catch {
            throw ExplainedError("The tempo curve \(path) cannot be used: \(error.sentence).")
        }
    }
}
