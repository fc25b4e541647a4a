import Rehearsal
import WebServer

/// Parts on paper, with what a room has written on them.
struct RoomPrintRoutes {
    let hub: RoomHub
    /// Prints a part of a score with remarks.
    let print: @Sendable (Rehearsal.Score.ID, _ part: Int, [Remark]) async -> WebAnswer

    var routes: [WebRoute] {
        [WebRoute(.get, "/api/rooms/:room/parts/:part/pdf", .signedIn, answer: part)]
    }

    /// With `own=1` the asker's private remarks too.
    @Sendable private func part(_ request: WebRequest) async -> WebAnswer {
        await RoomAsking.answer(request) { person throws(RoomFault) in
            try hub.allow(RoomAsking.readingCost, by: person)
            let room = try await hub.room(RoomAsking.room(request))
            guard let part = Int(request.parameters["part"] ?? "") else { throw .noPart(-1) }
            let remarks = try await room.remarks(
                for: hub.member(person, of: room), withOwn: request.query["own"] == "1")
            return await print(room.scoreID, part, remarks)
        }
    }
}
