import Catalogue
import Hosting
import Rehearsal
import WebServer

/// Who is connected, and what each of them is told first.
extension LiveRoom {
    /// Nobody has begun to write a stream for so long: its browser has gone.
    private static let longestOpening: Duration = .seconds(15)

    /// Connects a stand: gives it what it missed, or the whole, and from then on everything.
    /// - Parameters:
    ///   - seen: nil for a stand that holds nothing.
    ///   - settings: of this user for this score, where they were said before.
    func open(
        _ key: StandKey, _ person: RoomPerson, _ member: ActingUser, seen: EventCursor?,
        score: Rehearsal.Score?,
        settings: StandSettings?, stream: PersonalStream
    ) async throws(RoomFault) {
        try await beWhole()
        renew(score)
        stands[key]?.stream.close()
        var stand = Stand(
            person: person, member: member, stream: stream, openedAt: .now, from: state.sequence,
            isInside: true)
        let breaksBefore = breaks
        let missed: CatchUp
        do throws(RoomRefusal) {
            missed = try state.resume(from: seen, for: member)
        } catch {
            stand.isInside = false
            stands[key] = stand
            isActive.withLock { $0 = true }
            stream.begin([StreamFrame(RoomJSON.bytes(RoomMessage.refused(nil, error)))])
            return
        }
        stands[key] = stand
        isActive.withLock { $0 = true }
        layOut(key, settings)
        // A stand that came first in the same moment is in `stands` already: nothing is missed meanwhile, for the
        // stream keeps what is sent behind what it begins with.
        let first = await frames(missed, for: member)
        guard await isRoomWritten(), breaks == breaksBefore else {
            stream.close()
            throw .unreadable
        }
        if let word { stream.replace(Stand.Slot.live, frame(word)) }
        stream.begin(first)
        schedule()
    }

    private func frames(_ missed: CatchUp, for member: ActingUser) async -> [StreamFrame] {
        switch missed {
        case .events(let events):
            guard !events.isEmpty else { return [] }
            return await Task.detached {
                events.map { StreamFrame(RoomJSON.bytes(RoomMessage.event($0))) }
            }.value
        case .whole(let snapshot):
            guard snapshot.seen.own == 0, !snapshot.isReset else {
                return [await Self.making(snapshot).value]
            }
            if let whole, whole.seen == snapshot.seen { return [await whole.frame.value] }
            let making = Self.making(snapshot)
            whole = (snapshot.seen, making)
            return [await making.value]
        }
    }

    /// Beside the room, which may be large: nobody's page turn waits for it.
    private static func making(_ snapshot: RoomSnapshot) -> Task<StreamFrame, Never> {
        Task.detached { StreamFrame(RoomJSON.bytes(RoomMessage.snapshot(snapshot))) }
    }

    /// Another edition of the score, or the first that is known.
    /// - Parameter new: nil where there is none any more; what is laid out stays then.
    func renew(_ new: Rehearsal.Score?) {
        guard let new, new != score else { return }
        score = new
        state.renew(pageCounts: new.pageCounts)
        whole = nil
        layOutAgain()
        if let word, let place { turnAll(by: word, at: place.at) }
        schedule()
    }

    /// A stand's connection has ended; another one of the same stand may be there already.
    func leave(_ key: StandKey, _ stream: PersonalStream) {
        guard stands[key]?.stream === stream else { return }
        stands[key] = nil
        isActive.withLock { $0 = isConcerned }
    }

    /// What lies on a stand; kept for its next connection too.
    func setUp(_ key: StandKey, _ setup: StandSetup, by member: ActingUser) async throws(RoomFault) {
        try await beWhole()
        try check(member)
        guard let part = score?.parts[safe: setup.part] else { throw .noPart(setup.part) }
        var setup = setup
        setup.settings = setup.settings.bounded
        setups[key] = setup
        let lying = stands[key]?.lying
        let hasNewerPage = lying?.part == setup.part && lying?.isTurned == true
        entries.append(
            .settings(
                user: key.user.description, score: scoreID.description, json: RoomJSON.bytes(setup.settings)))
        if hasNewerPage {
            write()
        } else {
            note(min(max(setup.page, 0), part.pages.count - 1), ofPart: setup.part, by: key.user)
        }
        lay(setup.part, page: setup.page, setup.settings, on: key)
        schedule()
        guard await isWritten() else { throw .unreadable }
    }

    /// - Throws: where this member may not see the room.
    func check(_ member: ActingUser) throws(RoomFault) {
        do throws(RoomRefusal) { try checkVisibility(member) } catch { throw .refused(error) }
    }

    /// For every two seconds: tells that the server lives, and closes what nobody reads.
    func beat(_ frame: StreamFrame) {
        PersonalStream.replace(Stand.Slot.beat, frame, of: stands.values.lazy.map(\.stream))
        for stand in stands.values where !stand.stream.isServed {
            if .now - stand.openedAt > Self.longestOpening { stand.stream.close() }
        }
    }

    /// Users whose right to the score is to be looked up again.
    var users: [RoomPerson] { Array(Set(stands.values.map(\.person))) }

    /// Whether a user holds the score, as it is now.
    func setHolding(_ holds: Bool, of user: Rehearsal.User.ID) {
        for (key, stand) in stands where key.user == user && stand.member.hasScoreGrant != holds {
            stands[key]?.member.hasScoreGrant = holds
            var member = stand.member
            member.hasScoreGrant = holds
            do throws(RoomRefusal) {
                try checkVisibility(member)
                if !stand.isInside { stand.stream.close() }
            } catch {
                shutOut(key, error)
            }
        }
    }

    // MARK: What is asked of a room

    /// Users with a stand that is connected now and inside, by id. A participation says less: it lasts until its
    /// member leaves, also while the stand is gone.
    /// - Throws: where this member may not see the room.
    func present(for member: ActingUser) throws(RoomFault) -> [Rehearsal.User.ID] {
        try check(member)
        return Set(stands.filter(\.value.isInside).map(\.key.user)).sorted { $0.description < $1.description }
    }

    /// A pinpoint sends the show's follower to its measure now: the show is in rehearsal with a piece of this room's
    /// score, and the room belongs to somebody who works on the concert.
    var steers: Bool {
        get async {
            guard place?.takesPinpoints == true else { return false }
            return await around.isStaff(state.content.room.owner)
        }
    }

    /// How a room stands in one user's lists.
    /// - Parameter stand: the one that asks, where it says so.
    func listing(
        for user: Rehearsal.User.ID, holds: Bool, asking stand: ObjectID<Stand>? = nil
    ) -> RoomListing {
        guard holds else { return RoomListing() }
        let bundle = Rehearsal.ScoreGrant(id: .init(high: 0, low: 0), user: user, score: scoreID)
        return RoomListing(
            lists: RoomLists(of: user, rooms: [state], bundles: [bundle]),
            whereabouts: whereabouts(of: user, asking: stand), word: word)
    }

    /// Without the time where its page may be another stand's: of another device of the same user that is connected,
    /// or of anybody where nobody signs in.
    private func whereabouts(of user: Rehearsal.User.ID, asking stand: ObjectID<Stand>?) -> StandResumePoint?
    {
        var there = state.whereabouts(of: user)
        let hasOther = stands.keys.contains { $0.user == user && $0.stand != stand }
        if user == RoomPerson.localID || hasOther { there?.at = nil }
        return there
    }

    /// - Throws: where this member may not see the room.
    func members(for member: ActingUser) throws(RoomFault) -> [Membership] {
        do throws(RoomRefusal) { try checkVisibility(member) } catch { throw .refused(error) }
        return state.content.members.elements
    }

    /// What stands on paper for a member: public remarks, and the member's own where they are wanted.
    /// - Throws: where this member may not see the room.
    func remarks(for member: ActingUser, withOwn: Bool) throws(RoomFault) -> [Remark] {
        do throws(RoomRefusal) { try checkVisibility(member) } catch { throw .refused(error) }
        let seen = state.content.visible(to: member.user)
        return seen.remarks.elements + (withOwn ? seen.ownRemarks.elements : [])
    }
}

/// What one room has to say to a user who comes home.
struct RoomListing: Sendable {
    var lists: RoomLists?
    var whereabouts: StandResumePoint?
    var word: LiveUpdate?
}
