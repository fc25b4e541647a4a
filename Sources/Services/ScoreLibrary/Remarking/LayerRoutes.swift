import Catalogue
import Hosting
import Rehearsal
import WebServer

/// The routes by which librarians and leaders of sections make layers for sections, and by which layers are removed.
struct LayerRoutes {
    private static let mostBodyBytes = 65_536

    let desk: RemarkDesk

    var routes: [WebRoute] {
        let layer = "/api/scores/:score/layers/:layer"
        return [
            WebRoute(.put, layer, .signedIn, bodyLimitBytes: Self.mostBodyBytes, answer: putLayer),
            WebRoute(.delete, layer, .signedIn, answer: removeLayer),
            WebRoute(
                .post, layer + "/spread", .signedIn, bodyLimitBytes: Self.mostBodyBytes, answer: spreadLayer),
        ]
    }

    private func layerID(_ request: WebRequest) throws(Refusal) -> ScoreLayer.ID {
        guard let id = ScoreLayer.ID(request.pathParameters["layer"] ?? "") else {
            throw .refused(.noScoreLayer)
        }
        return id
    }

    private struct LayerRequest: Decodable {
        var name: String
        var parts: [Int]?
        var writers: [String]?
    }

    @Sendable private func putLayer(_ request: WebRequest) async -> WebResponse {
        await desk.answer(request) { reader throws(Refusal) in
            try desk.checkIsActive()
            try desk.charge(RemarkAllowance.costOfSet, reader)
            let score = try await desk.score(of: request, for: reader)
            let id = try layerID(request)
            let new = try desk.decode(LayerRequest.self, request)
            for part in new.parts ?? [] where !score.parts.indices.contains(part) {
                throw .malformed("There is no part of index \(part) in this score; load the score again.")
            }
            var writers: [Rehearsal.User.ID] = []
            let players = Set(
                try await desk.stored { () throws(CatalogueError) in
                    try await desk.catalogue.players(of: score.id, includesLibrarians: true)
                }.map(\.id))
            for writer in new.writers ?? [] {
                guard let id = Rehearsal.User.ID(writer),
                    players.contains(id.description) || id == RehearsalRoomUser.idWithoutSignIn
                else {
                    throw .refused(
                        RoomRefusal(
                            .noMember, "One of the writers does not have this score; give it to them first."))
                }
                writers.append(id)
            }
            let layer: ScoreLayer
            do throws(RehearsalFault) {
                layer = try ScoreLayer(
                    id: id, kind: .section, owner: reader.id, name: new.name, parts: new.parts ?? [],
                    writers: writers)
            } catch { throw .malformed(error.sentence) }
            _ = try await desk.decided { () throws(CatalogueError) in
                try await desk.catalogue.putSectionLayer(
                    layer, in: score.id, by: reader.id, isLibrarian: reader.isLibrarian)
            }
            desk.readers.announce(score.id)
            return .json(["layer": layer.id.description])
        }
    }

    @Sendable private func removeLayer(_ request: WebRequest) async -> WebResponse {
        await desk.answer(request) { reader throws(Refusal) in
            try desk.checkIsActive()
            try desk.charge(RemarkAllowance.costOfSet, reader)
            let score = try await desk.score(of: request, for: reader)
            let id = try layerID(request)
            let removed = try await desk.decided { () throws(CatalogueError) in
                try await desk.catalogue.removeScoreLayer(
                    id, of: score.id, by: reader.id, isLibrarian: reader.isLibrarian)
            }
            desk.readers.announce(score.id, to: removed.kind == .section ? nil : [reader.id])
            return .succeeded
        }
    }

    private struct SpreadRequest: Decodable { var parts: [Int] }

    private struct SpreadAnswer: Encodable {
        struct Unplaced: Encodable {
            var remark: Remark.ID
            var part: Int
            var sentence: String
        }

        var placed: Int
        var keptChanged: Int
        var unplaced: [Unplaced]
        /// The number of all remarks without a place; `unplaced` lists the first 200.
        var unplacedCount: Int
    }

    @Sendable private func spreadLayer(_ request: WebRequest) async -> WebResponse {
        await desk.answer(request) { reader throws(Refusal) in
            try desk.checkIsActive()
            try desk.charge(RemarkAllowance.costOfSet * 4, reader)
            let score = try await desk.score(of: request, for: reader)
            let id = try layerID(request)
            let parts = try desk.decode(SpreadRequest.self, request).parts
            guard !parts.isEmpty, parts.allSatisfy(score.parts.indices.contains) else {
                throw .malformed("Say the parts to copy into, such as {\"parts\":[1,2]}, by their indices.")
            }
            let outcome = try await desk.decided { () throws(CatalogueError) in
                try await desk.catalogue.spreadLayer(
                    id, of: score, toParts: parts, by: reader.id, isLibrarian: reader.isLibrarian)
            }
            desk.readers.announce(score.id)
            return .json(
                SpreadAnswer(
                    placed: outcome.placed, keptChanged: outcome.keptChanged,
                    unplaced: outcome.unplaced.prefix(200).map {
                        SpreadAnswer.Unplaced(remark: $0.remark.id, part: $0.part, sentence: $0.sentence)
                    }, unplacedCount: outcome.unplaced.count))
        }
    }
}
