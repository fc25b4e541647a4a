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
    /// - Parameter matches: whether a text is wanted. It is called outside of the rooms, which turn pages meanwhile.
    package func findTexts(
        for person: RehearsalRoomUser, _ matches: @escaping @Sendable (String) -> Bool
    ) async -> [FoundRoomText] {
        guard let rooms = try? await allRooms() else { return [] }
        var found: [FoundRoomText] = []
        for room in rooms where await room.isJoined(by: person.id) {
            guard let member = try? await makeActingUser(person, of: room) else { continue }
            let texts = await room.collectTexts(for: member)
            found += await Task.detached(priority: .utility) {
                texts.filter { found in
                    if case .text(let text) = found.remark.shape { matches(text.text) } else { false }
                }
            }.value
        }
        return found
    }
}

extension RoomActor {
    func isJoined(by user: Rehearsal.User.ID) -> Bool {
        state.content.membership(of: user)?.status == .joined
    }

    /// The texts on all scores of the programme that this member may open.
    /// - Complexity: O(remarks), in one pass.
    func collectTexts(for member: ActingUser) -> [FoundRoomText] {
        guard (try? requireVisibility(member)) != nil else { return [] }
        let open = state.content.programme.scores.filter(member.mayOpen)
        let seen = state.content.contentVisible(to: member.user)
        return [seen.remarks.elements, seen.ownRemarks.elements].joined().compactMap { remark in
            let score = remark.score ?? seen.room.score
            guard case .text = remark.shape, open.contains(score) else { return nil }
            return FoundRoomText(room: id, roomName: seen.room.name, score: score, remark: remark)
        }
    }
}
