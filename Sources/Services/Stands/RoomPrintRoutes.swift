import Hosting
import Rehearsal
import WebServer

/// Parts on paper, with what a room has written on them.
struct RoomPrintRoutes {
    /// One part at a time for everybody, so that nobody keeps all others waiting.
    static let shares = ResourceQuota.Shares(total: 64, perAccount: 1)

    let hub: RoomHub
    let printing = QuotaPlaces(Self.shares)
    /// Prints a part of a score with remarks.
    let print: @Sendable (Rehearsal.Score.ID, _ part: Int, [Remark]) async -> WebResponse

    var routes: [WebRoute] {
        [WebRoute(.get, "/api/rooms/:room/parts/:part/pdf", .signedIn, answer: part)]
    }

    /// With `own=1` the asker's private remarks too.
    @Sendable private func part(_ request: WebRequest) async -> WebResponse {
        await RoomAsking.answer(request) { person throws(RoomFault) in
            try hub.allow(RoomAsking.readingCost, by: person)
            let room = try await hub.room(RoomAsking.room(request))
            guard let part = Int(request.parameters["part"] ?? "") else { throw .noPart(-1) }
            let remarks = try await room.remarks(
                for: hub.member(person, of: room), withOwn: request.query["own"] == "1")
            guard person.id != RoomPerson.localID else { return await print(room.scoreID, part, remarks) }
            guard let place = try? printing.take(ResourceQuota.Holder(account: person.id.description)) else {
                return .refused(409, "busy", "Another part is being printed for you; wait until it is there.")
            }
            defer { place.giveBack() }
            return await print(room.scoreID, part, remarks)
        }
    }
}
