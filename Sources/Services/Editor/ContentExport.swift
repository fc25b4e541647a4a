import Catalogue
import Concert
import Content
import Foundation
import Score
import ScoreFiles

/// Writes a concert as files that `ContentFiles` reads again, and that phones' offline folders are.
package struct ContentExport {
    package let document: ContentDocument
    package let shelf: AssetStore

    package init(document: ContentDocument, shelf: AssetStore) {
        self.document = document
        self.shelf = shelf
    }

    /// Writes into a folder, which is made where it is missing; other files there stay.
    /// - Returns: the files written.
    package func write(to path: String) throws -> [String] {
        var written: [String] = []
        try each { bytes, name in
            let file = URL(fileURLWithPath: "\(path)/\(name)")
            try FileManager.default.createDirectory(
                at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
            try Data(bytes).write(to: file, options: .atomic)
            written.append(name)
        }
        return written
    }

    /// Gives each file with its name in the folder, one after another: never all of them in memory.
    package func each(_ put: ([UInt8], String) throws -> Void) throws {
        let concert = document.concert
        try put(SupplementFile.bytes(of: concert.heading), ContentFiles.heading)
        try put(ContentXMLWriter.pieceList(concert.pieces.map(\.name)), ContentFiles.pieceList)
        try put(GlossaryXMLWriter.glossary(concert.glossary), ContentFiles.glossary)
        if !document.messages.isEmpty {
            let encoder = JSONEncoder()
            encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
            try put(Array(encoder.encode(document.messages.map(KeptMessage.init))), ContentFiles.messages)
        }
        var inPieces: Set<AssetName> = []
        for piece in concert.pieces {
            inPieces.formUnion(piece.images)
            for file in offline(piece).files {
                try put(file.bytes, "\(piece.name.offlineFolder)/\(file.name)")
            }
        }
        for asset in document.assets where asset.place == .AppAssets || !inPieces.contains(asset.name) {
            guard let bytes = shelf.bytes(of: asset.digest) else { continue }
            try put(bytes, "\(asset.place.rawValue)/\(asset.name)")
        }
    }

    /// A piece as a phone keeps it.
    func offline(_ piece: PieceContent) -> OfflineFolder {
        let images = piece.images.compactMap { name -> OfflineFile? in
            guard let asset = document.asset(.images, name.text), let bytes = shelf.bytes(of: asset.digest)
            else {
                return nil
            }
            return OfflineFile(name: name.text, bytes: bytes)
        }
        return ContentFolder(piece: piece, images: images).files
    }
}
