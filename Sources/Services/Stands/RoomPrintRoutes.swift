import Hosting
import Rehearsal
import WebServer

/// Prints a part of a score as PDF with the room's remarks.
struct RoomPrintRoutes {
    /// Each user may print one part at a time, so that nobody blocks all others.
    static let shares = ResourceQuota.Shares(total: 64, perAccount: 1)

    let hub: RoomHub
    let printingQuota = QuotaPlaces(Self.shares)
    /// Prints a part of a score with the given remarks.
    let print: @Sendable (Rehearsal.Score.ID, _ part: Int, [Remark]) async -> WebResponse

    var routes: [WebRoute] {
        [WebRoute(.get, "/api/rooms/:room/parts/:part/pdf", .signedIn, answer: part)]
    }

    /// Prints a part; includes the user's private remarks if the query has `own=1`.
    @Sendable private func part(_ request: WebRequest) async -> WebResponse {
        await RoomRequests.answer(request) { person throws(RoomError) in
            try hub.chargeRateLimit(RoomRequests.readingCost, by: person)
            let room = try await hub.room(RoomRequests.room(request))
            guard let part = Int(request.parameters["part"] ?? "") else { throw .noPart(-1) }
            let remarks = try await room.remarks(
                for: hub.member(person, of: room), withOwn: request.query["own"] == "1")
            guard person.id != RoomPerson.idWithoutSignIn else {
                return await print(room.scoreID, part, remarks)
            }
            guard let place = try? printingQuota.take(ResourceQuota.Holder(account: person.id.description))
            else {
                return .refused(
                    409, "busy", "Another part is being printed for you; wait until it is finished.")
            }
            defer { place.giveBack() }
            return await print(room.scoreID, part, remarks)
        }
    }
}
