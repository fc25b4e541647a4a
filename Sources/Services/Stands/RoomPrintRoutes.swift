import Hosting
import Rehearsal
import WebServer

/// Prints a part of a score as PDF with the room's remarks.
struct RoomPrintRoutes {
    let roomHub: RoomHub
    /// A user's own remarks of a score, beside those of a room.
    let ownRemarks: @Sendable (Rehearsal.User.ID, Rehearsal.Score.ID) async -> [Remark]
    let printing: PartPrinting

    var routes: [WebRoute] {
        [WebRoute(.get, "/api/rooms/:room/parts/:part/pdf", .signedIn, answer: printPart)]
    }

    /// Prints a part. The user's private remarks are included if the query has `own=1`.
    @Sendable private func printPart(_ request: WebRequest) async -> WebResponse {
        await RoomRequestHandling.answerRoomRequest(request) { person throws(Refusal) in
            try roomHub.chargeRateLimit(RoomRequestHandling.reportOrPrintCost, by: person)
            let room = try await roomHub.findRoom(RoomRequestHandling.parseRoomID(request))
            guard let part = Int(request.pathParameters["part"] ?? "") else { throw .noPart(-1) }
            let score = RoomRequestHandling.parseScore(request, room)
            var remarks = try await room.remarksToPrint(
                for: roomHub.makeActingUser(person, of: room, alsoFor: [score]), in: score)
            if request.queryParameters["own"] == "1" { remarks += await ownRemarks(person.id, score) }
            return await printing.printPart(
                part, of: score, in: PrintedForm(query: request.queryParameters), with: remarks, for: person)
        }
    }
}
