import Catalogue
import Foundation
import Hosting
import Rehearsal
import WebServer

/// The route that finds texts of remarks and names of bookmarks over all scores of a user.
struct RemarkSearchRoute {
    static let mostFound = 60

    let desk: RemarkDesk

    var routes: [WebRoute] { [WebRoute(.get, "/api/remarks/find", .signedIn, answer: find)] }

    private struct Found: Encodable {
        var kind: String
        var score: Rehearsal.Score.ID
        var title: String
        var text: String
        var part: Int
        var partName: String
        var page: Int
        var id: String
        var measure: Int?
        /// The name of the section's layer or of the room; nil for one's own.
        var layer: String?
        var room: RehearsalRoom.ID?
    }

    @Sendable private func find(_ request: WebRequest) async -> WebResponse {
        await desk.answer(request) { reader throws(Refusal) in
            try desk.charge(RemarkAllowance.costOfSet, reader)
            let query = String((request.queryParameters["q"] ?? "").prefix(200))
            let scores = try await desk.stored { () throws(CatalogueError) in
                try await desk.shelf.listGrantedScores(of: reader.isLibrarian ? nil : reader.id)
            }
            let byID = Dictionary(
                scores.map { ($0.id.description, $0) }, uniquingKeysWith: { first, _ in first })
            let seen = try await desk.scoreReader(reader, of: nil)
            let found = try await desk.stored { () throws(CatalogueError) in
                try await desk.catalogue.findRemarks(
                    query, seenBy: seen, in: Set(byID.keys), most: Self.mostFound)
            }
            var answers: [Found] = []
            for one in found {
                guard let score = byID[one.score] else { continue }
                guard let layer = one.layer else {
                    if let place = decode(ScoreBookmark.self, one) {
                        answers.append(Self.found(place, score))
                    }
                    continue
                }
                guard let remark = decode(Remark.self, one) else { continue }
                let isOwn = layer == ScoreLayer.ownID(of: reader.id).description
                let named = isOwn ? nil : try await self.layer(layer, score, seen)
                answers.append(Self.found(remark, score, layer: named?.name, room: named?.room))
            }
            return .json(["found": answers])
        }
    }

    private func layer(_ layer: String, _ score: Rehearsal.Score, _ reader: ScoreReader)
        async throws(Refusal) -> ScoreLayer?
    {
        guard let id = ScoreLayer.ID(layer) else { return nil }
        return try await desk.stored { () throws(CatalogueError) in
            try await desk.catalogue.scoreLayer(id, of: score.id, seenBy: reader)
        }
    }

    private func decode<Value: Decodable>(_ type: Value.Type, _ found: FoundRemark) -> Value? {
        try? JSONDecoder().decode(type, from: Data(found.contentJSON.utf8))
    }

    private static func found(_ bookmark: ScoreBookmark, _ score: Rehearsal.Score) -> Found {
        Found(
            kind: "bookmark", score: score.id, title: score.title, text: bookmark.name, part: bookmark.part,
            partName: partName(bookmark.part, score), page: bookmark.page, id: bookmark.id.description,
            measure: bookmark.measure)
    }

    private static func found(
        _ remark: Remark, _ score: Rehearsal.Score, layer: String?, room: RehearsalRoom.ID? = nil
    ) -> Found {
        var text = ""
        if case .text(let written) = remark.shape { text = written.text }
        return Found(
            kind: "remark", score: score.id, title: score.title, text: text, part: remark.part,
            partName: partName(remark.part, score), page: remark.page, id: remark.id.description,
            measure: (try? RemarkTransfer(score).place(of: remark))?.measure, layer: layer, room: room)
    }

    private static func partName(_ part: Int, _ score: Rehearsal.Score) -> String {
        score.parts.indices.contains(part) ? score.parts[part].name : ""
    }
}
