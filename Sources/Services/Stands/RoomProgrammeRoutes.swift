import Catalogue
import Hosting
import Rehearsal
import WebServer

/// Tells the members of a room what its programme is, also of scores that they were not given.
struct RoomProgrammeRoutes {
    let roomHub: RoomHub

    var routes: [WebRoute] {
        [WebRoute(.get, "/api/rooms/:room/programme", .signedIn, answer: listProgramme)]
    }

    private struct ProgrammeAnswer: Encodable {
        struct Entry: Encodable {
            var id: ProgrammeEntry.ID
            var score: Rehearsal.Score.ID
            var attacca: Bool
            /// Empty if the score has been removed from the library.
            var title: String
            var composer: String
            /// False if no librarian has given this user the score.
            var isGiven: Bool
            /// False if the score has been removed from the library.
            var isThere: Bool
            var revision: String?
        }

        var open: ProgrammeEntry.ID
        var entries: [Entry]
    }

    @Sendable private func listProgramme(_ request: WebRequest) async -> WebResponse {
        await RoomRequestHandling.answerRoomRequest(request) { person throws(Refusal) in
            let room = try await roomHub.findRoom(RoomRequestHandling.parseRoomID(request))
            let member = try await roomHub.makeActingUser(person, of: room)
            try await room.requireVisibility(member)
            let programme = await room.state.content.programme
            var entries: [ProgrammeAnswer.Entry] = []
            for entry in programme.entries {
                let score = await roomHub.scoreLookup.findScore(entry.score)
                entries.append(
                    ProgrammeAnswer.Entry(
                        id: entry.id, score: entry.score, attacca: entry.isAttacca, title: score?.title ?? "",
                        composer: score?.composer ?? "", isGiven: member.mayOpen(entry.score),
                        isThere: score != nil,
                        revision: await roomHub.scoreLookup.pagesRevisionTag(of: entry.score)))
            }
            return .json(RoomJSON.encode(ProgrammeAnswer(open: programme.openID, entries: entries)))
        }
    }
}
