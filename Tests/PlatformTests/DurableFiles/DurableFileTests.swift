import Foundation
import Platform
import Synchronization
import Testing

/// A file is whole at any moment, whoever else writes it.
@Suite struct DurableFileTests {
    private let folder = FileManager.default.temporaryDirectory.appending(
        path: "durable-\(UUID().uuidString)"
    ).path
    private var path: String { folder + "/list.json" }

    init() throws { try DurableFile.makeFolder(folder) }

    private func read() -> [UInt8]? { FileManager.default.contents(atPath: path).map(Array.init) }

    private func finished<Result>(_ body: () throws -> Result) rethrows -> Result {
        defer { try? FileManager.default.removeItem(atPath: folder) }
        return try body()
    }

    @Test func aFileIsReplacedAndNothingElseIsLeft() throws {
        try finished {
            try DurableFile.write([1, 2, 3], to: path)
            try DurableFile.write([4], to: path)
            #expect(read() == [4])
            #expect(try FileManager.default.contentsOfDirectory(atPath: folder) == ["list.json"])
        }
    }

    @Test(arguments: [(true, 0o600), (false, 0o644)]) func aPrivateFileIsItsOwnersAlone(
        isPrivate: Bool, mode: Int
    ) throws {
        try finished {
            // What an interrupted writer left may have been readable.
            FileManager.default.createFile(
                atPath: DurableFile.unfinishedPath(path), contents: Data([9, 9, 9, 9]),
                attributes: [.posixPermissions: 0o644])
            try DurableFile.write([1], to: path, isPrivate: isPrivate)
            #expect(read() == [1])
            let found = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
            #expect(found == mode)
        }
    }

    @Test func aWriterThatFailsLeavesTheOldFileAndSaysWhichAndWhy() throws {
        try finished {
            try DurableFile.write([1], to: path)
            try DurableFile.makeFolder(DurableFile.unfinishedPath(path))
            #expect(throws: FileWriteError(DurableFile.unfinishedPath(path), EISDIR)) {
                try DurableFile.write([2], to: path)
            }
            #expect(read() == [1])
            #expect(throws: FileWriteError(folder + "/none/list.json.unfinished", ENOENT)) {
                try DurableFile.write([2], to: folder + "/none/list.json")
            }
        }
    }

    @Test func manyWritersAtOnceNeverMixTheirBytes() throws {
        try finished {
            let mixed = Mutex(0)
            DispatchQueue.concurrentPerform(iterations: 40) { number in
                do {
                    try DurableFile.write(Array(repeating: UInt8(number), count: 30_000 + number), to: path)
                } catch {
                    mixed.withLock { $0 += 1 }
                }
                guard let bytes = read(), let first = bytes.first, bytes.count == 30_000 + Int(first),
                    bytes.allSatisfy({ $0 == first })
                else { return mixed.withLock { $0 += 1 } }
            }
            #expect(mixed.withLock { $0 } == 0)
        }
    }

    @Test func aFolderIsMadeWithThoseAboveIt() throws {
        try finished {
            try DurableFile.makeFolder(folder + "/a/b/c", isPrivate: true)
            try DurableFile.makeFolder(folder + "/a/b/c")
            try DurableFile.flush(folder + "/a/b/c")
            try DurableFile.write([1], to: path)
            #expect(throws: FileWriteError.self) { try DurableFile.makeFolder(path + "/within") }
        }
    }
}
