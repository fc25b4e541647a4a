import Foundation
import Hosting
import Rehearsal
import WebServer

/// Lets leaders of a room set the margins of its score's parts, for all rooms and all stands.
struct RoomCropRoutes {
    /// Largest request body, in bytes.
    private static let mostCropBytes = 4_096

    let roomHub: RoomHub
    /// Stores the margins of a part: the score and the request's body; gives the response.
    let storeCrop: @Sendable (Rehearsal.Score.ID, [UInt8]) async -> WebResponse

    var routes: [WebRoute] {
        [
            WebRoute(
                .put, "/api/rooms/:room/crop", .signedIn, bodyLimitBytes: Self.mostCropBytes, answer: setCrop)
        ]
    }

    @Sendable private func setCrop(_ request: WebRequest) async -> WebResponse {
        await RoomRequestHandling.answerRoomRequest(request) { person throws(RoomError) in
            try RoomRequestHandling.checkNamedUserIsSignedIn(request, person)
            try roomHub.checkIsActiveServer()
            try roomHub.chargeRateLimit(RoomRequestHandling.reportOrPrintCost, by: person)
            let room = try await roomHub.findRoom(RoomRequestHandling.parseRoomID(request))
            let member = try await roomHub.makeActingUser(person, of: room)
            try await room.requireLeader(member)
            let score = RoomRequestHandling.parseScore(request, room)
            // Leaders decide about the room's own scores only.
            guard room.programmeScores.withLock({ $0.all.contains(score) }) else { throw .noScore }
            return await storeCrop(score, request.body)
        }
    }
}

extension RoomActor {
    /// - Throws: a refusal unless the user leads the room and may see it.
    func requireLeader(_ member: ActingUser) throws(RoomError) {
        try requireVisibility(member)
        guard state.content.membership(of: member.user)?.role.mayLead == true else {
            throw .refused(
                RoomRefusal(
                    .notAllowed, "Only leaders of the room set margins for everybody; ask one of them."))
        }
    }
}
