import Concert
import Foundation
import Score
import Testing

@testable import ScoreFiles

@Suite struct ContentFolderTests {
    @Test func aFolderIsReadBackTheSame() throws {
        try withFolder { path in
            let folder = PieceContentFolder(
                piece: try piece(),
                images: [
                    OfflineFile(name: "a.png", content: [1, 2]), OfflineFile(name: "extra.png", content: [3]),
                ])
            try folder.write(to: path)
            #expect(try PieceContentFolder.read(at: path) == folder)
            // Writing again what was read changes no byte.
            let before = try bytes(path)
            try PieceContentFolder.read(at: path).write(to: path)
            #expect(try bytes(path) == before)
            #expect(
                Set(before.keys) == [
                    "data.xml", "images.txt", "name.txt", "supplement.json", "a.png", "extra.png",
                ])
            #expect(before["images.txt"] == Array("a.png;extra.png".utf8))
        }
    }

    @Test func aPhonesOwnFolderNeedsNoSupplement() throws {
        try withFolder { path in
            try PieceContentFolder(piece: try piece(), images: [OfflineFile(name: "a.png", content: [1])])
                .write(
                    to: path)
            try FileManager.default.removeItem(atPath: "\(path)/supplement.json")
            try FileManager.default.removeItem(atPath: "\(path)/images.txt")
            try FileManager.default.removeItem(atPath: "\(path)/name.txt")
            let read = try PieceContentFolder.read(at: path)
            #expect(read.images.map(\.name) == ["a.png"])
            #expect(read.piece.tracks[0].language == nil)
            #expect(read.readingWarnings.count == 1)
        }
    }

    @Test func whatIsMissingOrAtOddsIsNoted() throws {
        try withFolder { path in
            try PieceContentFolder(piece: try piece()).write(to: path)
            try Data("Another name".utf8).write(to: URL(fileURLWithPath: "\(path)/name.txt"))
            let read = try PieceContentFolder.read(at: path)
            #expect(read.readingWarnings.count == 2)
            #expect(read.piece.name.text == "A, B: C")
        }
    }

    @Test func nothingOutsideTheFolderIsRead() throws {
        try withFolder { path in
            try PieceContentFolder(piece: try piece()).write(to: path)
            try FileManager.default.createSymbolicLink(
                atPath: "\(path)/a.png", withDestinationPath: "/etc/passwd")
            #expect(throws: ContentFileError.notRegularFile(path: "\(path)/a.png")) {
                try PieceContentFolder.read(at: path)
            }
            try FileManager.default.removeItem(atPath: "\(path)/a.png")
            for list in ["../secret.png", "/etc/passwd", "a.png;..\\b.png"] {
                try Data(list.utf8).write(to: URL(fileURLWithPath: "\(path)/images.txt"))
                #expect(throws: ContentFileError.self) { try PieceContentFolder.read(at: path) }
            }
            let many = (0...PieceContentFolder.maximumImageCount).map { "\($0).png" }.joined(separator: ";")
            try Data(many.utf8).write(to: URL(fileURLWithPath: "\(path)/images.txt"))
            #expect(
                throws: ContentFileError.tooManyImages(
                    path: "\(path)/images.txt", limit: PieceContentFolder.maximumImageCount)
            ) {
                try PieceContentFolder.read(at: path)
            }
        }
    }

    @Test func aFolderIsForOnePiece() throws {
        try withFolder { path in
            try Data(ContentXMLWriter.writeConcert([try piece(), try piece()])).write(
                to: URL(fileURLWithPath: "\(path)/data.xml"))
            #expect(throws: ContentFileError.notOnePiece(path: "\(path)/data.xml", count: 2)) {
                try PieceContentFolder.read(at: path)
            }
        }
        #expect(throws: ContentFileError.self) { try PieceContentFolder.read(at: "/nowhere/at/all") }
    }

    private func piece() throws -> PieceContent {
        let measures = marks([(1, 0), (2, 4)])
        let place = PlayedMeasureLookup(measures).makeAnchor(printed: 1, time: measures[0].onset)
        return PieceContent(
            name: try PieceName("A, B: C"), measures: measures,
            tracks: [
                Track(
                    name: "Die Musik", language: .german, subject: "music", level: .expert,
                    slides: [Slide(place: place, text: SlideText("Hören. $a.png, Bild"))])
            ],
            structure: EditedPieceStructure(
                sections: [
                    ContentSection(
                        label: "L", colour: .webColourName("red"), key: KeySignature("D minor"), place: place)
                ]))
    }

    private func bytes(_ path: String) throws -> [String: [UInt8]] {
        var files: [String: [UInt8]] = [:]
        for name in try FileManager.default.contentsOfDirectory(atPath: path) {
            files[name] = Array(try Data(contentsOf: URL(fileURLWithPath: "\(path)/\(name)")))
        }
        return files
    }

    private func withFolder(_ body: (String) throws -> Void) throws {
        let url = FileManager.default.temporaryDirectory.appendingPathComponent(
            "content-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: url) }
        try body(url.path)
    }
}
