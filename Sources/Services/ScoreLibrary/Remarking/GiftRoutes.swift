import Catalogue
import Hosting
import Rehearsal
import WebServer

/// The routes by which sets of remarks are given to others, asked for, taken and refused.
struct GiftRoutes {
    private static let mostBodyBytes = 65_536

    let desk: RemarkDesk

    var routes: [WebRoute] {
        [
            WebRoute(
                .post, "/api/scores/:score/gifts", .signedIn, bodyLimitBytes: Self.mostBodyBytes, answer: give
            ),
            WebRoute(.get, "/api/gifts", .signedIn, answer: list),
            WebRoute(
                .post, "/api/gifts/:gift/answer", .signedIn, bodyLimitBytes: Self.mostBodyBytes, answer: reply
            ),
            WebRoute(.delete, "/api/gifts/:gift", .signedIn, answer: withdraw),
        ]
    }

    private struct GiftRequest: Decodable {
        var id: ObjectID<RemarkGift>
        var kind: RemarkGift.Kind
        var name: String
        /// The layer whose remarks are given; the own one if left out.
        var layer: ScoreLayer.ID?
        var to: [Rehearsal.User.ID]
    }

    @Sendable private func give(_ request: WebRequest) async -> WebResponse {
        await desk.answer(request) { reader throws(Refusal) in
            try desk.checkIsActive()
            try desk.charge(RemarkAllowance.costOfSet, reader)
            let score = try await desk.score(of: request, for: reader)
            let new = try desk.decode(GiftRequest.self, request)
            let recipients = try await checkedRecipients(new.to, of: score, from: reader)
            let layer: ScoreLayer
            do throws(RehearsalFault) {
                // The name is the name of the layer that it becomes.
                layer = try ScoreLayer(id: .new(), kind: .given, owner: reader.id, name: new.name)
            } catch { throw .malformed(error.sentence) }
            let remarks = new.kind == .ask ? [] : try await givenRemarks(new, of: score, by: reader)
            // Each copy that is taken needs its space when it is taken; see ``checkSpaceToTake``.
            try await desk.checkSpace(
                adding: try checkedByteCount(remarks), for: reader, role: request.person?.role)
            let gift = try await desk.decided { () throws(CatalogueError) in
                try await desk.catalogue.addGift(
                    new.id.description, new.kind, of: score.id, from: reader.id, named: reader.name,
                    name: layer.name,
                    remarks: remarks, to: recipients.map(\.description))
            }
            desk.readers.announce(score.id, to: Set(recipients))
            return .json(GiftAnswer(gift, isGiver: true, score))
        }
    }

    private func checkedRecipients(
        _ wanted: [Rehearsal.User.ID], of score: Rehearsal.Score, from reader: RehearsalRoomUser
    ) async throws(Refusal) -> [Rehearsal.User.ID] {
        let recipients = Set(wanted).subtracting([reader.id]).sorted()
        guard (1...ScoreRemarkLimits.mostRecipients).contains(recipients.count) else {
            throw .malformed("Name one to \(ScoreRemarkLimits.mostRecipients) other users.")
        }
        let players = Set(
            try await desk.stored { () throws(CatalogueError) in
                try await desk.catalogue.players(of: score.id, includesLibrarians: reader.isLibrarian)
            }.map(\.id))
        guard recipients.allSatisfy({ players.contains($0.description) }) else {
            throw .refused(
                RoomRefusal(.noMember, "One of these users does not have this score; a librarian gives it."))
        }
        return recipients
    }

    private func givenRemarks(
        _ gift: GiftRequest, of score: Rehearsal.Score, by reader: RehearsalRoomUser
    ) async throws(Refusal) -> [Remark] {
        let seen = try await desk.scoreReader(reader, of: score.id)
        let remarks = try await desk.stored { () throws(CatalogueError) in
            try await desk.catalogue.remarks(
                onLayer: gift.layer ?? ScoreLayer.ownID(of: reader.id), of: score.id, seenBy: seen)
        }
        guard let remarks else { throw .refused(.noScoreLayer) }
        guard !remarks.isEmpty else {
            throw .malformed("There are no remarks on this layer; write some first.")
        }
        guard remarks.count <= ScoreRemarkLimits.mostRemarksInSet else {
            throw .malformed(
                "This layer has \(remarks.count) remarks; a set holds \(ScoreRemarkLimits.mostRemarksInSet).")
        }
        return remarks
    }

    /// A set is one row of the catalogue, and is copied to the backup as one.
    private func checkedByteCount(_ remarks: [Remark]) throws(Refusal) -> Int {
        let bytes = JSONBody.encode(remarks).count
        guard bytes <= RemarkRoutes.mostBodyBytes else {
            throw .malformed("This set is too large; give fewer remarks.")
        }
        return bytes
    }

    @Sendable private func list(_ request: WebRequest) async -> WebResponse {
        await desk.answer(request) { reader throws(Refusal) in
            try desk.charge(1, reader)
            let (given, received) = try await desk.stored { () throws(CatalogueError) in
                try await desk.catalogue.gifts(of: reader.id)
            }
            // A gift that belongs to a score which this user has lost waits until the user has it again.
            var seen: [GiftAnswer] = []
            for gift in received {
                if let answer = try await answer(gift, false, reader) { seen.append(answer) }
            }
            var mine: [GiftAnswer] = []
            for gift in given { if let answer = try await answer(gift, true, reader) { mine.append(answer) } }
            return .json(["received": seen, "given": mine])
        }
    }

    private func answer(_ gift: RemarkGift, _ isGiver: Bool, _ reader: RehearsalRoomUser)
        async throws(Refusal)
        -> GiftAnswer?
    {
        guard let id = Rehearsal.Score.ID(gift.score) else { return nil }
        do throws(Refusal) {
            return GiftAnswer(gift, isGiver: isGiver, try await desk.score(id, for: reader))
        } catch {
            if case .noScore = error { return nil }
            throw error
        }
    }

    private struct Reply: Decodable { var takes: Bool }

    @Sendable private func reply(_ request: WebRequest) async -> WebResponse {
        await desk.answer(request) { reader throws(Refusal) in
            try desk.checkIsActive()
            try desk.charge(RemarkAllowance.costOfSet, reader)
            let reply = try desk.decode(Reply.self, request)
            let id = request.pathParameters["gift"] ?? ""
            let layer = ScoreLayer.ID.new()
            let (_, received) = try await desk.stored { () throws(CatalogueError) in
                try await desk.catalogue.gifts(of: reader.id)
            }
            // A right to the score is needed for the answer, not only for the gift.
            if let waiting = received.first(where: { $0.id == id }),
                let score = Rehearsal.Score.ID(waiting.score)
            {
                _ = try await desk.score(score, for: reader)
                if reply.takes { try await checkSpaceToTake(waiting, of: score, by: reader, request) }
            }
            let (gift, owner) = try await desk.decided { () throws(CatalogueError) in
                try await desk.catalogue.answerGift(
                    id, by: reader.id, named: reader.name, takes: reply.takes, layer: layer)
            }
            if let score = Rehearsal.Score.ID(gift.score) {
                desk.readers.announce(
                    score, to: Set([reader.id] + [Rehearsal.User.ID(gift.giver), owner].compactMap(\.self)))
            }
            return .json(["layer": owner == reader.id ? layer.description : nil])
        }
    }

    /// Checks that there is space for the copy that an answer makes.
    private func checkSpaceToTake(
        _ gift: RemarkGift, of score: Rehearsal.Score.ID, by reader: RehearsalRoomUser, _ request: WebRequest
    ) async throws(Refusal) {
        let role = request.person?.role
        switch gift.kind {
        case .give:
            let bytes = try await desk.stored { () throws(CatalogueError) in
                try await desk.catalogue.giftByteCount(gift.id)
            }
            try await desk.checkSpace(adding: bytes, for: reader, role: role)
        case .ask:
            let own = try await desk.stored { () throws(CatalogueError) in
                try await desk.catalogue.ownRemarks(of: reader.id, in: score)
            }
            try await desk.checkSpace(
                adding: try checkedByteCount(own), for: reader, role: role,
                owner: Rehearsal.User.ID(gift.giver))
        }
    }

    @Sendable private func withdraw(_ request: WebRequest) async -> WebResponse {
        await desk.answer(request) { reader throws(Refusal) in
            try desk.checkIsActive()
            try desk.charge(1, reader)
            let gift = try await desk.stored { () throws(CatalogueError) in
                try await desk.catalogue.withdrawGift(request.pathParameters["gift"] ?? "", by: reader.id)
            }
            guard let gift else { throw .refused(.noGift) }
            if let score = Rehearsal.Score.ID(gift.score) {
                desk.readers.announce(
                    score, to: Set(gift.recipients.compactMap { Rehearsal.User.ID($0.account) }))
            }
            return .succeeded
        }
    }
}

/// A gift as its giver, or one of its recipients, sees it. Recipients do not learn of one another.
struct GiftAnswer: Encodable {
    struct Recipient: Encodable {
        var user: String
        var name: String
        var state: RemarkGift.State
    }

    var id: String
    var kind: RemarkGift.Kind
    var name: String
    var score: Rehearsal.Score.ID
    var title: String
    var from: String
    var remarks: Int
    var at: Int64
    var recipients: [Recipient]?

    init(_ gift: RemarkGift, isGiver: Bool, _ score: Rehearsal.Score) {
        (id, kind, name, from) = (gift.id, gift.kind, gift.name, gift.giverName)
        (self.score, title, remarks, at) = (score.id, score.title, gift.remarkCount, gift.atMilliseconds)
        recipients =
            isGiver
            ? gift.recipients.map { Recipient(user: $0.account, name: $0.name, state: $0.state) } : nil
    }
}
