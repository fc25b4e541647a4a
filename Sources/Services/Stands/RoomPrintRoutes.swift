import Hosting
import Rehearsal
import WebServer

/// Prints a part of a score as PDF with the room's remarks.
struct RoomPrintRoutes {
    /// Each user may print one part at a time, so that nobody blocks the others.
    static let printingLimits = ResourceQuota.Limits(total: 64, perAccount: 1)

    let roomHub: RoomHub
    let printingQuota = SharedResourceQuota(Self.printingLimits)
    /// A user's own remarks of a score, beside those of a room.
    let ownRemarks: @Sendable (Rehearsal.User.ID, Rehearsal.Score.ID) async -> [Remark]
    /// Prints a part of a score with the given remarks.
    let printScorePart: @Sendable (Rehearsal.Score.ID, _ part: Int, [Remark]) async -> WebResponse

    var routes: [WebRoute] {
        [WebRoute(.get, "/api/rooms/:room/parts/:part/pdf", .signedIn, answer: printPart)]
    }

    /// Prints a part. The user's private remarks are included if the query has `own=1`.
    @Sendable private func printPart(_ request: WebRequest) async -> WebResponse {
        await RoomRequestHandling.answerRoomRequest(request) { person throws(RoomError) in
            try roomHub.chargeRateLimit(RoomRequestHandling.reportOrPrintCost, by: person)
            let room = try await roomHub.findRoom(RoomRequestHandling.parseRoomID(request))
            guard let part = Int(request.pathParameters["part"] ?? "") else { throw .noPart(-1) }
            let score = RoomRequestHandling.parseScore(request, room)
            let withOwn = request.queryParameters["own"] == "1"
            var remarks = try await room.remarksToPrint(
                for: roomHub.makeActingUser(person, of: room, alsoFor: [score]), in: score,
                withOwn: withOwn)
            if withOwn { remarks += await ownRemarks(person.id, score) }
            guard person.id != RehearsalRoomUser.idWithoutSignIn else {
                return await printScorePart(score, part, remarks)
            }
            guard
                let place = try? printingQuota.takePlace(ResourceQuota.Holder(account: person.id.description))
            else {
                return .refused(
                    409, "busy", "Another part is being printed for you; wait until it is finished.")
            }
            defer { place.giveBackPlace() }
            return await printScorePart(score, part, remarks)
        }
    }
}
