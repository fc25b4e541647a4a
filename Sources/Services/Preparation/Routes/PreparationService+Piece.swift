import Catalogue
import Content
import Foundation
import Podium
import ReferenceStore
import Rehearsal
import WebServer

/// The parts of a piece that are kept elsewhere in the server: scores, slides, sections, titles and cues.
package struct PieceNeighbours: Sendable {
    /// Puts a score file into the library, for the piece of a folder with a name.
    /// - Returns: false if the library has a score of the piece, or cannot show such a file.
    package typealias ScoreKeeper =
        @Sendable (_ path: String, _ folder: String, _ name: String) async throws -> Bool

    let catalogue: CatalogueStore
    let readPiece: @Sendable (String) async -> ShowPiece?
    let keepScore: ScoreKeeper

    /// - Parameter readPiece: reads a prepared piece as the show would: with its sections, titles and cues.
    package init(
        catalogue: CatalogueStore, readPiece: @escaping @Sendable (String) async -> ShowPiece?,
        keepScore: @escaping ScoreKeeper
    ) {
        (self.catalogue, self.readPiece, self.keepScore) = (catalogue, readPiece, keepScore)
    }
}

/// The address of a prepared piece with everything that the server has of it.
extension PreparationService {
    private struct PieceJSON: Encodable {
        struct Section: Encodable {
            var label: String
            /// The bar at which it begins, as people write it.
            var bar: String
        }

        struct Score: Encodable {
            var id: String
            var title: String
            var parts: Int
            /// The number of parts whose bars are marked, so that stands turn their pages.
            var markedParts: Int
        }

        /// The slides of the piece in one concert.
        struct Slides: Encodable {
            var concert: Int64
            var title: String
            /// The piece's node in the concert.
            var node: String
            var count: Int
            /// True for the concert that listeners find.
            var isServed: Bool
        }

        var model: ListedModel
        /// The names of the reference recordings.
        var references: [String]
        var sections: [Section]
        var titles: Int
        var cues: Int
        var scores: [Score]
        var slides: [Slides]
    }

    func pieceResponse(_ folder: String) async throws -> WebResponse {
        guard let neighbours, let model = await listModels().first(where: { $0.folder == folder }) else {
            throw Self.noSuchModel
        }
        let piece = await neighbours.readPiece(folder)
        return .json(
            PieceJSON(
                model: model,
                references: (try? ModelFolder(path: models).contents(of: folder))?.references ?? [],
                sections: (piece?.sections ?? []).map {
                    PieceJSON.Section(
                        label: $0.label, bar: piece?.measureReference(at: $0.start).description ?? "")
                },
                titles: piece?.titles.count ?? 0, cues: piece?.cues.cues.count ?? 0,
                scores: try await scores(of: folder, in: neighbours.catalogue),
                slides: try await slides(of: folder, in: neighbours.catalogue)))
    }

    private func scores(of folder: String, in catalogue: CatalogueStore) async throws -> [PieceJSON.Score] {
        try await catalogue.scores().compactMap { stored in
            guard
                let score = try? JSONDecoder().decode(
                    Rehearsal.Score.self, from: Data(stored.contentJSON.utf8)),
                score.movements.contains(where: { $0.piece == folder })
            else { return nil }
            return PieceJSON.Score(
                id: stored.id, title: score.title, parts: score.parts.count,
                markedParts: score.parts.count { !$0.places.isEmpty })
        }
    }

    private func slides(of folder: String, in catalogue: CatalogueStore) async throws -> [PieceJSON.Slides] {
        let served = try await catalogue.publicConcertRevision()?.concert
        var found: [PieceJSON.Slides] = []
        for listed in try await catalogue.concerts() {
            let content = CatalogueConcert(try await catalogue.concertContent(of: listed.id))
            for (piece, nodes) in zip(content.concert.pieces, content.pieceNodes)
            where nodes.recordingsFolder == folder {
                found.append(
                    PieceJSON.Slides(
                        concert: listed.id, title: listed.title, node: nodes.id.rawValue,
                        count: piece.tracks.map(\.slides.count).max() ?? 0, isServed: listed.id == served))
            }
        }
        return found
    }
}
