import Catalogue
import Concert
import Content
import Foundation
import Score
import ScoreFiles

/// Writes a concert as the folder of files that `ContentFiles` reads. Phones keep the same piece folders for offline
/// use.
package struct ContentExport {
    package let catalogueConcert: CatalogueConcert
    package let assetStore: AssetStore

    package init(catalogueConcert: CatalogueConcert, assetStore: AssetStore) {
        self.catalogueConcert = catalogueConcert
        self.assetStore = assetStore
    }

    /// The files that an export wrote, removed and kept in a folder, by their paths in that folder.
    package struct Outcome {
        package var written: [String] = []
        /// Files of an earlier export that are no more part of the concert.
        package var removed: [String] = []
        /// Files of an earlier export that are no more part of the concert, but were changed since.
        package var kept: [String] = []
    }

    /// Writes all files into a folder. The folder is created if it is missing. Files of an earlier export that are no
    /// more part of the concert are removed; all others stay.
    package func write(to path: String) throws -> Outcome {
        let earlier = ExportRecord(in: path)
        var (outcome, record) = (Outcome(), ExportRecord())
        try forEachFile { bytes, name in
            let file = URL(fileURLWithPath: "\(path)/\(name)")
            try FileManager.default.createDirectory(
                at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
            try Data(bytes).write(to: file, options: .atomic)
            record.add(name, bytes)
            outcome.written.append(name)
        }
        if let earlier {
            (outcome.removed, outcome.kept) = earlier.removeFiles(missingIn: record, from: path)
        }
        try record.write(to: path)
        return outcome
    }

    /// Passes each file's bytes and name to `put`, one file at a time to save memory.
    package func forEachFile(_ put: ([UInt8], String) throws -> Void) throws {
        let concert = catalogueConcert.concert
        try put(SupplementJSONCoder.concertDetailsBytes(of: concert.details), ContentFiles.detailsFileName)
        try put(ContentXMLWriter.writePieceList(concert.pieces.map(\.name)), ContentFiles.pieceListFileName)
        try put(GlossaryXMLWriter.writeGlossary(concert.glossary), ContentFiles.glossaryFileName)
        if !catalogueConcert.preparedMessages.isEmpty {
            let encoder = JSONEncoder()
            encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
            try put(
                Array(encoder.encode(catalogueConcert.preparedMessages.map(StoredMessage.init))),
                ContentFiles.messagesFileName)
        }
        var inPieces: Set<AssetName> = []
        for (piece, folder) in zip(
            concert.pieces, PieceFolderNames.distinctNames(of: concert.pieces.map(\.name)))
        {
            inPieces.formUnion(piece.slideImages)
            for file in makeOfflineFolder(piece).files {
                try put(file.content, "\(folder)/\(file.name)")
            }
        }
        for asset in catalogueConcert.assets
        where asset.folder != .images || !inPieces.contains(asset.name) {
            guard let bytes = assetStore.bytes(of: asset.digest) else { continue }
            try put(bytes, "\(asset.folder.rawValue)/\(asset.name)")
        }
    }

    /// Makes the folder of one piece that a phone keeps for offline use.
    func makeOfflineFolder(_ piece: PieceContent) -> OfflineFolder {
        let images = piece.slideImages.compactMap { name -> OfflineFile? in
            guard let asset = catalogueConcert.findAsset(.images, name.text),
                let bytes = assetStore.bytes(of: asset.digest)
            else {
                return nil
            }
            return OfflineFile(name: name.text, content: bytes)
        }
        return PieceContentFolder(piece: piece, images: images).filesToWrite
    }
}
