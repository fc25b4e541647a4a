import Catalogue
import Concert
import Content
import Foundation
import Score
import ScoreFiles

/// Writes a concert as the folder of files that `ContentFiles` reads. Its piece folders equal the offline folders of
/// phones.
package struct ContentExport {
    package let document: CatalogueConcert
    package let shelf: AssetStore

    package init(document: CatalogueConcert, shelf: AssetStore) {
        self.document = document
        self.shelf = shelf
    }

    /// Writes all files into a folder. The folder is created if it is missing; other files in it stay.
    /// - Returns: the names of the files written.
    package func write(to path: String) throws -> [String] {
        var written: [String] = []
        try forEachFile { bytes, name in
            let file = URL(fileURLWithPath: "\(path)/\(name)")
            try FileManager.default.createDirectory(
                at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
            try Data(bytes).write(to: file, options: .atomic)
            written.append(name)
        }
        return written
    }

    /// Passes each file and its name in the folder to `put`, one after another, so that only one is in memory.
    package func forEachFile(_ put: ([UInt8], String) throws -> Void) throws {
        let concert = document.concert
        try put(SupplementFile.bytes(of: concert.heading), ContentFiles.heading)
        try put(ContentXMLWriter.pieceList(concert.pieces.map(\.name)), ContentFiles.pieceList)
        try put(GlossaryXMLWriter.glossary(concert.glossary), ContentFiles.glossary)
        if !document.messages.isEmpty {
            let encoder = JSONEncoder()
            encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
            try put(Array(encoder.encode(document.messages.map(StoredMessage.init))), ContentFiles.messages)
        }
        var inPieces: Set<AssetName> = []
        for piece in concert.pieces {
            inPieces.formUnion(piece.images)
            for file in offlineFiles(piece).files {
                try put(file.bytes, "\(piece.name.offlineFolder)/\(file.name)")
            }
        }
        for asset in document.assets where asset.place == .AppAssets || !inPieces.contains(asset.name) {
            guard let bytes = shelf.bytes(of: asset.digest) else { continue }
            try put(bytes, "\(asset.place.rawValue)/\(asset.name)")
        }
    }

    /// A piece as the offline folder that a phone keeps.
    func offlineFiles(_ piece: PieceContent) -> OfflineFolder {
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
