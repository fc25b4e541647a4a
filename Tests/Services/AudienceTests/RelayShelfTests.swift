import Basics
import Foundation
import Platform
import ScoreFiles
import Testing

@testable import Audience
@testable import Hosting

@Suite final class RelayShelfTests {
    private let folder = FileManager.default.temporaryDirectory.appending(path: "relay-\(UUID().uuidString)")
        .path

    deinit { try? FileManager.default.removeItem(atPath: folder) }

    private func file(_ path: String, _ bytes: [UInt8], type: String = "image/png") -> RelayManifest.File {
        RelayManifest.File(
            path: path, type: type, digest: Digest(of: bytes).description, byteCount: bytes.count)
    }

    @Test func manifestIsReadAsItWasWritten() {
        let written = RelayManifest(
            revision: "3.17", changed: ["Grieg, Peer Gynt: Hall"], files: [file("/images/a.png", [1])])
        #expect(RelayManifest(written.jsonPayload) == written)
        for end in 0..<written.jsonPayload.count {
            #expect(RelayManifest(Array(written.jsonPayload[..<end])) == nil)
        }
    }

    @Test func manifestThatLiesAboutPartsIsRefused() {
        var lying = file("/images/a.png", [1])
        lying.partCount = 1_000_000
        #expect(RelayManifest(RelayManifest(revision: "1.1", changed: [], files: [lying]).jsonPayload) == nil)
        lying = file("/images/a.png", [1])
        lying.slot = "a/../b"
        #expect(RelayManifest(RelayManifest(revision: "1.1", changed: [], files: [lying]).jsonPayload) == nil)
    }

    @Test func pictureIsServedOnceItIsHereAndGoneOnceItIsNotNamed() throws {
        let fileStore = try RelayFileStore(data: folder)
        let picture = file("/images/a.png", [0x89, 0x50])
        #expect(
            !fileStore.hasFile(picture)
                && fileStore.assetResponse("/images/a.png", in: .images, named: "a.png") == nil)
        try fileStore.storeFile([0x89, 0x50], as: picture)
        #expect(
            fileStore.hasFile(picture)
                && fileStore.assetResponse("/images/a.png", in: .images, named: "a.png")?.status == 200)
        fileStore.activateRevision(RelayManifest(revision: "1.2", changed: [], files: []))
        #expect(
            fileStore.assetResponse("/images/a.png", in: .images, named: "a.png") == nil
                && fileStore.contentRevision == "1.2")
    }

    @Test func aConcertThatIsNoLongerServedIsGone() throws {
        let fileStore = try RelayFileStore(data: folder)
        let list = Array("Bach, Air: I".utf8)
        try fileStore.storeFile(list, as: file(RelayManifest.pieceListPath, list, type: "text/plain"))
        #expect(fileStore.textDocument(RelayManifest.pieceListPath) != nil)
        fileStore.activateRevision(RelayManifest(revision: RelayManifest.noConcert, changed: [], files: []))
        #expect(fileStore.textDocument(RelayManifest.pieceListPath) == nil)
    }

    @Test func pictureFromAnEarlierTimeIsNotFetchedAgain() throws {
        let picture = file("/images/a.png", [1, 2, 3])
        try RelayFileStore(data: folder).storeFile([1, 2, 3], as: picture)
        #expect(try RelayFileStore(data: folder).hasFile(picture))
    }

    @Test func kindThatNoServerOfOursSendsIsNotServed() throws {
        let fileStore = try RelayFileStore(data: folder)
        try fileStore.storeFile([1], as: file("/images/a.html", [1], type: "text/html"))
        #expect(fileStore.assetResponse("/images/a.html", in: .images, named: "a.html") == nil)
    }

    @Test func piecesThatAreNoXMLAreRefusedAndTheOldOnesStay() throws {
        let fileStore = try RelayFileStore(data: folder)
        let empty = Array("<concert></concert>".utf8)
        try fileStore.storeFile(empty, as: file(RelayManifest.piecesXMLPath, empty, type: "application/xml"))
        #expect(throws: ContentFileError.self) {
            try fileStore.storeFile(
                [0xFF], as: self.file(RelayManifest.piecesXMLPath, [0xFF], type: "application/xml"))
        }
    }
}
