import Catalogue
import Foundation
import Hosting
import Rehearsal
import WebServer

/// The routes by which a stand reads and writes the remarks of a score, and learns of changes.
struct RemarkRoutes {
    /// The largest request, in bytes: two hundred remarks with long strokes, or a large set.
    static let mostBodyBytes = 4 << 20
    /// Reading is counted too: it costs a look at all remarks.
    private static let costOfReading = 2

    let desk: RemarkDesk

    func routes(_ streams: PersonalStreams) -> [WebRoute] {
        let remarks = "/api/scores/:score/remarks"
        return [
            WebRoute(.get, remarks, .signedIn, answer: readRemarks),
            WebRoute(.post, remarks, .signedIn, bodyLimitBytes: Self.mostBodyBytes, answer: receiveEvents),
            .personalStreams(remarks + "/stream", .signedIn, streams),
            WebRoute(.get, remarks + "/set", .signedIn, answer: exportSet),
            WebRoute(
                .post, remarks + "/set", .signedIn, bodyLimitBytes: Self.mostBodyBytes, answer: importSet),
            WebRoute(.get, "/api/scores/:score/players", .signedIn, answer: listPlayers),
        ]
    }

    // MARK: Reading

    @Sendable private func readRemarks(_ request: WebRequest) async -> WebResponse {
        await desk.answer(request) { reader throws(Refusal) in
            try desk.charge(Self.costOfReading, reader)
            let score = try await desk.score(of: request, for: reader)
            guard let since = Int64(request.queryParameters["since"] ?? "0"), since >= 0 else {
                throw .malformed("Say the revision that you have: since=0, or the one of the last answer.")
            }
            let seen = try await desk.scoreReader(reader, of: score.id)
            let page = try await desk.stored { () throws(CatalogueError) in
                try await desk.catalogue.scoreRemarks(of: score.id, seenBy: seen, after: since)
            }
            return .json(ScoreRemarkAnswer.encode(page, for: reader))
        }
    }

    func openStream(_ request: WebRequest) async -> PersonalStreams.OpenResult {
        do throws(Refusal) {
            let reader = try desk.reader(of: request)
            try desk.checkIsActive()
            try desk.charge(Self.costOfReading, reader)
            let score = try await desk.score(of: request, for: reader)
            return .stream(desk.readers.connect(reader, to: score.id))
        } catch {
            return .refused(error.response)
        }
    }

    /// The users to whom this user may give a set of this score.
    @Sendable private func listPlayers(_ request: WebRequest) async -> WebResponse {
        await desk.answer(request) { reader throws(Refusal) in
            try desk.charge(Self.costOfReading, reader)
            let score = try await desk.score(of: request, for: reader)
            let players = try await desk.stored { () throws(CatalogueError) in
                try await desk.catalogue.players(of: score.id, includesLibrarians: reader.isLibrarian)
            }
            return .json(["players": players])
        }
    }

    // MARK: Writing

    @Sendable private func receiveEvents(_ request: WebRequest) async -> WebResponse {
        await desk.answer(request) { reader throws(Refusal) in
            try desk.checkIsActive()
            try desk.charge(1, reader)
            let arrivals = try ReceivedScoreEvent.decodeBody(request.body)
            if arrivals.count > 1 { try desk.charge(arrivals.count - 1, reader) }
            let score = try await desk.score(of: request, for: reader)
            // Erasing is possible also without space.
            if arrivals.contains(where: { $0.event?.act.addsContent == true }) {
                try await desk.checkSpace(
                    adding: request.body.count, for: reader, role: request.person?.role)
            }
            let writer = ScoreWriter(
                user: reader.id, roomLayers: try await desk.scoreReader(reader, of: score.id).roomLayers,
                isLibrarian: reader.isLibrarian, pageCounts: score.pageCountsByPart)
            let outcome = try await desk.stored { () throws(CatalogueError) in
                try await desk.catalogue.applyScoreEvents(
                    arrivals.compactMap(\.event), in: score.id, by: writer)
            }
            desk.readers.announce(score.id, to: outcome.isSeenByOthers ? nil : [reader.id])
            if !outcome.roomActs.isEmpty { await desk.rooms.tell(outcome.roomActs, score.id, reader.id) }
            return .json(ScoreRemarkAnswer.encode(outcome.answers, to: arrivals))
        }
    }

    // MARK: Sets

    @Sendable private func exportSet(_ request: WebRequest) async -> WebResponse {
        await desk.answer(request) { reader throws(Refusal) in
            try desk.charge(RemarkAllowance.costOfSet, reader)
            let score = try await desk.score(of: request, for: reader)
            let id = try layerID(request, of: reader)
            let seen = try await desk.scoreReader(reader, of: score.id)
            let layer = try await desk.stored { () throws(CatalogueError) in
                try await desk.catalogue.scoreLayer(id, of: score.id, seenBy: seen)
            }
            let remarks = try await desk.stored { () throws(CatalogueError) in
                try await desk.catalogue.remarks(onLayer: id, of: score.id, seenBy: seen)
            }
            guard let layer, let remarks else { throw .refused(.noScoreLayer) }
            let by = layer.kind == .own ? reader.name : ""
            let set = RemarkSet(
                Array(remarks.prefix(ScoreRemarkLimits.mostRemarksInSet)), of: score, name: layer.name, by: by
            )
            // Without a name: that of the page's link counts, which names the score and the layer.
            return .json(JSONBody.encode(set)).withHeader("Content-Disposition", "attachment")
        }
    }

    private func layerID(_ request: WebRequest, of reader: RehearsalRoomUser) throws(Refusal)
        -> ScoreLayer.ID
    {
        guard let named = request.queryParameters["layer"] else { return ScoreLayer.ownID(of: reader.id) }
        guard let id = ScoreLayer.ID(named) else { throw .refused(.noScoreLayer) }
        return id
    }

    /// Takes a set in as a layer of its own that only this user sees: all of it, or nothing.
    @Sendable private func importSet(_ request: WebRequest) async -> WebResponse {
        await desk.answer(request) { reader throws(Refusal) in
            try desk.checkIsActive()
            try desk.charge(RemarkAllowance.costOfSet, reader)
            let score = try await desk.score(of: request, for: reader)
            let set = try Self.decodeSet(request.body)
            let faults = set.faults(in: score)
            guard faults.isEmpty else { throw .badSet(faults) }
            try await desk.checkSpace(adding: request.body.count, for: reader, role: request.person?.role)
            let layer: ScoreLayer
            do throws(RehearsalFault) {
                layer = try ScoreLayer(id: .new(), kind: .given, owner: reader.id, name: set.name)
            } catch { throw .badSet([error.sentence]) }
            let remarks = set.entries.map { $0.remark(id: .new(), on: layer.id, by: reader.id) }
            _ = try await desk.decided { () throws(CatalogueError) in
                try await desk.catalogue.addGivenLayer(layer, with: remarks, in: score.id)
            }
            desk.readers.announce(score.id, to: [reader.id])
            return .json(ImportedSet(layer: layer.id, name: layer.name, remarks: remarks.count))
        }
    }

    private struct ImportedSet: Encodable {
        var layer: ScoreLayer.ID
        var name: String
        var remarks: Int
    }

    /// Decodes a set; whatever is wrong is said with the number of the remark.
    static func decodeSet(_ body: [UInt8]) throws(Refusal) -> RemarkSet {
        guard JSONBody.nestingDepth(of: body) <= JSONBody.deepestNesting else {
            throw .malformed(
                "The JSON is nested deeper than \(JSONBody.deepestNesting) levels; this is no set.")
        }
        do { return try JSONDecoder().decode(RemarkSet.self, from: Data(body)) } catch {
            if let fault = error as? RemarkSetFault { throw .badSet([fault.sentence]) }
            if let fault = error as? RehearsalFault { throw .badSet([fault.sentence]) }
            throw .malformed("The file is damaged, or it is no set of remarks; export the set again.")
        }
    }
}
