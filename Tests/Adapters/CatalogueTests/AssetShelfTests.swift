import Foundation
import Testing

@testable import Catalogue

@Suite struct AssetShelfTests {
    let folder: CatalogueFolder
    let shelf: AssetStore

    init() throws {
        folder = try CatalogueFolder()
        shelf = try AssetStore(folder: folder.path + "/assets")
    }

    private let digest = String(repeating: "ab", count: 32)

    @Test func bytesAreFoundByTheirDigest() throws {
        try shelf.store([1, 2, 3], digest: digest)
        #expect(shelf.bytes(of: digest) == [1, 2, 3])
        #expect(try FileManager.default.contentsOfDirectory(atPath: shelf.uploadFolder).isEmpty)
    }

    @Test func nothingButADigestLeadsToAFile() throws {
        try Data("secret".utf8).write(to: URL(fileURLWithPath: folder.path + "/secret"))
        for text in ["../secret", "secret", "", "..", digest + "/..", digest.uppercased(), "arriving"] {
            #expect(shelf.path(of: text) == nil)
        }
        #expect(shelf.path(of: digest) == nil)
    }

    @Test func whatACrashLeftIsClearedAwayOnceItIsOld() throws {
        let path = shelf.uploadFolder + "/half"
        try Data([1]).write(to: URL(fileURLWithPath: path))
        _ = try AssetStore(folder: shelf.folder)
        #expect(FileManager.default.fileExists(atPath: path))
        try FileManager.default.setAttributes(
            [.modificationDate: Date(timeIntervalSinceNow: -7_200)], ofItemAtPath: path)
        _ = try AssetStore(folder: shelf.folder)
        #expect(!FileManager.default.fileExists(atPath: path))
    }
}
