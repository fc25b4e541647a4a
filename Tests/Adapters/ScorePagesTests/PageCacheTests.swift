import Foundation
import Testing

@testable import ScorePages

@Suite struct PageCacheTests {
    private let digest = String(repeating: "ab", count: 32)

    private func key(_ page: Int) -> PageImageKey { PageImageKey(digest: digest, page: page, size: .small) }

    private func image(_ bytes: Int) -> PageImage {
        PageImage(bytes: [UInt8](repeating: 7, count: bytes), format: .png)
    }

    @Test func theLeastRecentlyUsedMakesRoom() throws {
        let folder = try TestFolder()
        var cache = PageImageCache(folder: URL(fileURLWithPath: folder.path), limitBytes: 1_000)
        for page in 0..<3 { cache.storeImage(image(300), as: key(page)) }
        #expect(cache.readImage(key(0)) != nil)
        cache.storeImage(image(300), as: key(3))
        #expect(cache.contains(key(0)) && cache.contains(key(3)))
        #expect(!cache.contains(key(1)))
        #expect(cache.totalBytes <= 1_000)
    }

    @Test func theBoundHoldsOverManyPages() throws {
        let folder = try TestFolder()
        var cache = PageImageCache(folder: URL(fileURLWithPath: folder.path), limitBytes: 10_000)
        for page in 0..<200 {
            cache.storeImage(image(100 + page), as: key(page))
            #expect(cache.totalBytes <= 10_000)
        }
        let files = try FileManager.default.contentsOfDirectory(atPath: folder.path + "/" + digest)
        let sizes = try files.map {
            try Data(contentsOf: URL(fileURLWithPath: folder.path + "/" + digest + "/" + $0)).count
        }
        #expect(sizes.reduce(0, +) == cache.totalBytes)
    }

    @Test func whereTheDiskHasNoRoomToGiveNothingIsKept() throws {
        let folder = try TestFolder()
        var cache = PageImageCache(
            folder: URL(fileURLWithPath: folder.path), limitBytes: 10_000, hasDiskRoom: { $0 <= 300 })
        cache.storeImage(image(300), as: key(0))
        cache.storeImage(image(301), as: key(1))
        #expect(cache.contains(key(0)) && !cache.contains(key(1)))
        #expect(cache.totalBytes == 300)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path + "/" + digest).count == 1)
    }

    @Test func whatWasLeftIsTakenUpAndStrangersLeftAlone() throws {
        let folder = try TestFolder()
        var first = PageImageCache(folder: URL(fileURLWithPath: folder.path), limitBytes: 10_000)
        first.storeImage(image(300), as: key(5))
        _ = try folder.file("notes.txt", [1, 2, 3])
        _ = try folder.file(digest + "/5-small.exe", [1])
        var second = PageImageCache(folder: URL(fileURLWithPath: folder.path), limitBytes: 10_000)
        #expect(second.readImage(key(5)) == image(300))
        #expect(second.totalBytes == 300)
        second.removeImages(digest: digest)
        #expect(second.totalBytes == 0)
        #expect(FileManager.default.fileExists(atPath: folder.path + "/notes.txt"))
        #expect(FileManager.default.fileExists(atPath: folder.path + "/" + digest + "/5-small.exe"))
    }

    @Test func aFileCutShortBehindOurBackIsNotServed() throws {
        let folder = try TestFolder()
        var cache = PageImageCache(folder: URL(fileURLWithPath: folder.path), limitBytes: 10_000)
        cache.storeImage(image(300), as: key(1))
        _ = try folder.file(digest + "/1-small.png", [1, 2])
        #expect(cache.readImage(key(1)) == nil)
        #expect(!cache.contains(key(1)))
    }
}
