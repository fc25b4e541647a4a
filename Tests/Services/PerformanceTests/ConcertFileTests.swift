import Basics
import Foundation
import Testing

@testable import Hosting
@testable import Performance

@Suite struct ConcertFileTests {
    private func sentence(for path: String) -> String? {
        do {
            _ = try RequestedProgramme(path)
            return nil
        } catch { return (error as? ExplainedError)?.sentence }
    }

    @Test func anEmptyFileIsNoConcertRatherThanMissing() throws {
        let path = NSTemporaryDirectory() + "empty-\(UUID().uuidString).json"
        try Data().write(to: URL(fileURLWithPath: path))
        defer { try? FileManager.default.removeItem(atPath: path) }
        #expect(sentence(for: path)?.contains("is not a valid concert file; write") == true)
    }

    @Test func aFolderIsNamedAsOne() throws {
        let path = NSTemporaryDirectory() + "folder-\(UUID().uuidString).json"
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: path) }
        #expect(sentence(for: path)?.contains("perhaps a folder") == true)
    }

    @Test func aMissingFileIsMissing() {
        #expect(sentence(for: "/nowhere/at-all.json")?.contains("There is no concert file") == true)
    }
}
