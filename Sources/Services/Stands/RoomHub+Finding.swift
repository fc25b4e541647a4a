import Hosting
import Rehearsal

/// A text on a public layer of a room.
package struct FoundRoomText: Sendable {
    package var room: RehearsalRoom.ID
    package var roomName: String
    package var score: Rehearsal.Score.ID
    package var remark: Remark
}

extension RoomHub {
    /// Finds texts on the public layers, and on the person's own layers, of the rooms that the person may see.
    /// - Parameter matches: whether a text is wanted.
    package func findTexts(
        for person: RehearsalRoomUser, _ matches: @escaping @Sendable (String) -> Bool
    ) async -> [FoundRoomText] {
        guard let rooms = try? await allRooms() else { return [] }
        var found: [FoundRoomText] = []
        for room in rooms {
            guard let member = try? await makeActingUser(person, of: room) else { continue }
            found += await room.findTexts(for: member, matches)
        }
        return found
    }
}

extension RoomActor {
    /// The remarks of all scores of the programme that this member may open.
    func findTexts(for member: ActingUser, _ matches: @Sendable (String) -> Bool) -> [FoundRoomText] {
        state.content.programme.scores.flatMap { score in
            ((try? remarksToPrint(for: member, in: score, withOwn: true)) ?? []).compactMap { remark in
                guard case .text(let text) = remark.shape, matches(text.text) else { return nil }
                return FoundRoomText(
                    room: id, roomName: state.content.room.name, score: score, remark: remark)
            }
        }
    }
}
