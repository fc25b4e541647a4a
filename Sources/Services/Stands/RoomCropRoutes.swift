import Foundation
import Hosting
import Rehearsal
import WebServer

/// Lets leaders of a room set the margins of its scores' parts, for all rooms and all stands.
///
/// Anybody may own a room and so lead it. Only in rooms of owners who work on the concert, whose conductors also move
/// the show's follower, do leaders decide for the whole orchestra.
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
        await RoomRequestHandling.answerRoomRequest(request) { person throws(Refusal) in
            try RoomRequestHandling.checkNamedUserIsSignedIn(request, person)
            try roomHub.checkIsActiveServer()
            try roomHub.chargeRateLimit(RoomRequestHandling.reportOrPrintCost, by: person)
            let room = try await roomHub.findRoom(RoomRequestHandling.parseRoomID(request))
            let member = try await roomHub.makeActingUser(person, of: room)
            let score = RoomRequestHandling.parseScore(request, room)
            try await room.requireMarginRight(person, member, to: score)
            guard (try? RoomJSON.decode(Edited.self, from: request.body))?.revision != nil else {
                return Self.withoutRevision
            }
            return await storeCrop(score, request.body)
        }
    }

    private struct Edited: Decodable {
        /// The revision of the score that the leader saw.
        var revision: String?
    }

    private static let withoutRevision = WebResponse.refused(
        409, "changed", "Send the score's present “revision” with the margins; load the score again.")
}

extension RoomActor {
    /// - Throws: a refusal unless the user leads the room and may see it.
    func requireLeader(_ member: ActingUser) throws(Refusal) {
        try requireVisibility(member)
        guard state.content.membership(of: member.user)?.role.mayLead == true else {
            throw .refused(
                RoomRefusal(
                    .notAllowed, "Only leaders of the room set margins for everybody; ask one of them."))
        }
    }

    /// True if the user may set the margins of a score for everybody.
    func maySetMargins(
        _ person: RehearsalRoomUser, _ member: ActingUser, of score: Rehearsal.Score.ID
    ) async -> Bool {
        do throws(Refusal) {
            try await requireMarginRight(person, member, to: score)
            return true
        } catch { return false }
    }

    /// - Throws: a refusal unless the user leads the room, was given the score, which is one of the room's programme,
    ///   and is a librarian or in a room of the concert.
    func requireMarginRight(
        _ person: RehearsalRoomUser, _ member: ActingUser, to score: Rehearsal.Score.ID
    ) async throws(Refusal) {
        try requireLeader(member)
        // Leaders decide about the room's own scores only.
        guard state.content.programme.scores.contains(score) else { throw .noScore }
        guard member.mayOpen(score) else { throw .refused(.scoreNotGiven) }
        if person.isLibrarian { return }
        guard await dependencies.worksOnConcert(state.content.room.owner) else {
            throw .refused(
                RoomRefusal(
                    .notAllowed,
                    "Margins count for everybody; they are set in a room of the concert. Ask the librarian."))
        }
    }
}
