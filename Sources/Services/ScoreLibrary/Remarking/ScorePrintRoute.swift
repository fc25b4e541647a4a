import Catalogue
import Hosting
import Rehearsal
import WebServer

/// The route that prints a part with the remarks of chosen layers, without a room.
struct ScorePrintRoute {
    let desk: RemarkDesk
    let printing: PartPrinting

    var routes: [WebRoute] {
        [WebRoute(.get, "/api/scores/:score/parts/:part/pdf", .signedIn, answer: printPart)]
    }

    @Sendable private func printPart(_ request: WebRequest) async -> WebResponse {
        await desk.answer(request) { reader throws(Refusal) in
            try desk.charge(RemarkAllowance.costOfSet, reader)
            let score = try await desk.score(of: request, for: reader)
            guard let part = Int(request.pathParameters["part"] ?? ""), score.parts.indices.contains(part)
            else {
                throw .malformed("There is no such part in this score; load the score again.")
            }
            let remarks = try await remarks(
                onLayers: request.queryParameters["layers"], of: score, for: reader)
            return await printing.printPart(
                part, of: score.id, in: PrintedForm(query: request.queryParameters), with: remarks,
                for: reader)
        }
    }

    /// The remarks of the layers that a request names.
    /// - Parameter named: ids of layers, separated by commas; empty for none, nil for those that the user has not
    ///   hidden.
    private func remarks(
        onLayers named: String?, of score: Rehearsal.Score, for reader: RehearsalRoomUser
    ) async throws(Refusal) -> [Remark] {
        let seen = try await desk.scoreReader(reader, of: score.id)
        let shown = try await desk.stored { () throws(CatalogueError) in
            try await desk.catalogue.shownLayers(of: score.id, to: seen)
        }
        var wanted: [ScoreLayer.ID] = shown
        if let named {
            wanted = []
            for text in named.split(separator: ",") {
                guard let id = ScoreLayer.ID(String(text)) else { throw .refused(.noScoreLayer) }
                if !wanted.contains(id) { wanted.append(id) }
            }
        }
        let most = Self.mostLayers + seen.roomLayers.count
        guard wanted.count <= most else { throw .malformed("Name at most \(most) layers.") }
        var remarks: [Remark] = []
        for layer in wanted {
            let found = try await desk.stored { () throws(CatalogueError) in
                try await desk.catalogue.remarks(onLayer: layer, of: score.id, seenBy: seen)
            }
            guard let found else { throw .refused(.noScoreLayer) }
            remarks += found
        }
        return remarks
    }

    /// All that one user may see in a score besides layers of rooms: the own one, those of sections, those taken.
    private static let mostLayers =
        1 + ScoreRemarkLimits.mostSectionLayers + ScoreRemarkLimits.mostGivenLayers
}
