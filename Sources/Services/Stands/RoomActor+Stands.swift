import Catalogue
import Hosting
import Rehearsal
import WebServer

/// Connecting and disconnecting stands, and the messages with which each stand begins.
extension RoomActor {
    /// A stream that the web server has not begun to write after this time is closed: its browser has gone.
    private static let longestOpening: Duration = .seconds(15)

    /// Connects a stand: sends the events that it missed, or the whole room, and from then on every event.
    /// - Parameters:
    ///   - seen: the newest event that the stand holds; nil if it holds nothing.
    ///   - settings: this user's stored settings for this score, if there are any.
    func open(
        _ key: StandKey, _ person: RoomPerson, _ member: ActingUser, seen: EventCursor?,
        score: Rehearsal.Score?,
        settings: StandSettings?, stream: PersonalStream
    ) async throws(RoomError) {
        try await reloadIfNeeded()
        adoptEdition(score)
        stands[key]?.stream.close()
        var stand = Stand(
            person: person, member: member, stream: stream, openedAt: .now, heldSequence: state.sequence,
            isAdmitted: true)
        let writeFailuresBefore = writeFailures
        let missed: CatchUp
        do throws(RoomRefusal) {
            missed = try state.resume(from: seen, for: member)
        } catch {
            stand.isAdmitted = false
            stands[key] = stand
            isActive.withLock { $0 = true }
            stream.begin([StreamFrame(RoomJSON.bytes(RoomMessage.refused(nil, error)))])
            return
        }
        stands[key] = stand
        isActive.withLock { $0 = true }
        layOutPart(key, settings)
        // The stand is in `stands` before this wait, so no event is missed: the stream queues what is sent meanwhile
        // after its first messages.
        let first = await frames(missed, for: member)
        guard await waitUntilRoomWritten(), writeFailures == writeFailuresBefore else {
            stream.close()
            throw .unreadable
        }
        if let word { stream.replace(Stand.Slot.live, frame(word)) }
        stream.begin(first)
        scheduleNextTurn()
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
                return [await Self.encoding(snapshot).value]
            }
            if let encodedSnapshot, encodedSnapshot.seen == snapshot.seen {
                return [await encodedSnapshot.frame.value]
            }
            let making = Self.encoding(snapshot)
            encodedSnapshot = (snapshot.seen, making)
            return [await making.value]
        }
    }

    /// Encodes the snapshot outside the room's actor: a room may be large, and page turns must not wait for it.
    private static func encoding(_ snapshot: RoomSnapshot) -> Task<StreamFrame, Never> {
        Task.detached { StreamFrame(RoomJSON.bytes(RoomMessage.snapshot(snapshot))) }
    }

    /// Takes over a new edition of the score, or the first one, and lays out all stands again.
    /// - Parameter new: nil if the score has been removed; the stands then keep the edition they show.
    func adoptEdition(_ new: Rehearsal.Score?) {
        guard let new, new != score else { return }
        score = new
        state.renew(pageCounts: new.pageCounts)
        encodedSnapshot = nil
        replanPageTurns()
        if let word, let place { turnAllStands(by: word, at: place.at) }
        scheduleNextTurn()
    }

    /// Removes a stand whose connection has ended, unless the same stand has connected again in the meantime.
    func disconnect(_ key: StandKey, _ stream: PersonalStream) {
        guard stands[key]?.stream === stream else { return }
        stands[key] = nil
        isActive.withLock { $0 = needsPosition }
    }

    /// Sets the part, page and settings of a stand. They are kept for the stand's next connection too.
    func setUp(_ key: StandKey, _ setup: StandSetup, by member: ActingUser) async throws(RoomError) {
        try await reloadIfNeeded()
        try check(member)
        guard let part = score?.parts[safe: setup.part] else { throw .noPart(setup.part) }
        var setup = setup
        setup.settings = setup.settings.bounded
        setups[key] = setup
        let shownPart = stands[key]?.shownPart
        let hasNewerPage = shownPart?.part == setup.part && shownPart?.hasBeenTurned == true
        entries.append(
            .settings(
                user: key.user.description, score: scoreID.description, json: RoomJSON.bytes(setup.settings)))
        if hasNewerPage {
            write()
        } else {
            recordPage(min(max(setup.page, 0), part.pages.count - 1), ofPart: setup.part, by: key.user)
        }
        showPart(setup.part, page: setup.page, setup.settings, on: key)
        scheduleNextTurn()
        guard await waitUntilWritten() else { throw .unreadable }
    }

    /// - Throws: if this member may not see the room.
    func check(_ member: ActingUser) throws(RoomError) {
        do throws(RoomRefusal) { try checkVisibility(member) } catch { throw .refused(error) }
    }

    /// Sends the heartbeat (every two seconds) and closes streams that no browser has fetched.
    func sendHeartbeat(_ frame: StreamFrame) {
        PersonalStream.replace(Stand.Slot.beat, frame, of: stands.values.lazy.map(\.stream))
        for stand in stands.values where !stand.stream.isServed {
            if .now - stand.openedAt > Self.longestOpening { stand.stream.close() }
        }
    }

    /// The users of all connected stands; their rights to the score are checked at intervals.
    var users: [RoomPerson] { Array(Set(stands.values.map(\.person))) }

    /// Updates whether a user has a right to the score; opens or closes the room for the user's stands accordingly.
    func setScoreGrant(_ holds: Bool, of user: Rehearsal.User.ID) {
        for (key, stand) in stands where key.user == user && stand.member.hasScoreGrant != holds {
            stands[key]?.member.hasScoreGrant = holds
            var member = stand.member
            member.hasScoreGrant = holds
            do throws(RoomRefusal) {
                try checkVisibility(member)
                if !stand.isAdmitted { stand.stream.close() }
            } catch {
                revokeAccess(key, error)
            }
        }
    }

    // MARK: Queries

    /// Ids of the users who have a stand connected now and admitted to the room. A participation is no proof of that:
    /// it lasts until its member leaves, even while the stand is switched off.
    /// - Throws: if this member may not see the room.
    func connectedUsers(for member: ActingUser) throws(RoomError) -> [Rehearsal.User.ID] {
        try check(member)
        return Set(stands.filter(\.value.isAdmitted).map(\.key.user)).sorted {
            $0.description < $1.description
        }
    }

    /// True if a pinpoint moves the show's follower now: the show is in rehearsal mode with a piece of this room's
    /// score, and the room's owner works on the concert.
    var canMoveFollower: Bool {
        get async {
            guard place?.pinpointsMoveFollower == true else { return false }
            return await dependencies.worksOnConcert(state.content.room.owner)
        }
    }

    /// The entry of this room in one user's list of rooms.
    /// - Parameter stand: the stand that asks, if it has identified itself.
    func homeEntry(
        for user: Rehearsal.User.ID, holds: Bool, asking stand: ObjectID<Stand>? = nil
    ) -> RoomHomeEntry {
        guard holds else { return RoomHomeEntry() }
        let bundle = Rehearsal.ScoreGrant(id: .init(high: 0, low: 0), user: user, score: scoreID)
        return RoomHomeEntry(
            lists: RoomLists(of: user, rooms: [state], bundles: [bundle]),
            whereabouts: whereabouts(of: user, asking: stand), word: word)
    }

    /// The page to which the user returns. Its time is nil if another stand may have set it: another connected device
    /// of the same user, or any device if nobody signs in.
    private func whereabouts(of user: Rehearsal.User.ID, asking stand: ObjectID<Stand>?) -> StandResumePoint?
    {
        var there = state.whereabouts(of: user)
        let hasOther = stands.keys.contains { $0.user == user && $0.stand != stand }
        if user == RoomPerson.idWithoutSignIn || hasOther { there?.at = nil }
        return there
    }

    /// - Throws: if this member may not see the room.
    func members(for member: ActingUser) throws(RoomError) -> [Membership] {
        do throws(RoomRefusal) { try checkVisibility(member) } catch { throw .refused(error) }
        return state.content.members.elements
    }

    /// The remarks to print for a member: public ones, and the member's own ones on request.
    /// - Throws: if this member may not see the room.
    func remarks(for member: ActingUser, withOwn: Bool) throws(RoomError) -> [Remark] {
        do throws(RoomRefusal) { try checkVisibility(member) } catch { throw .refused(error) }
        let seen = state.content.visible(to: member.user)
        return seen.remarks.elements + (withOwn ? seen.ownRemarks.elements : [])
    }
}

/// One room's contribution to the home page of a stand: the user's lists, the page to return to, and the live
/// position.
struct RoomHomeEntry: Sendable {
    var lists: RoomLists?
    var whereabouts: StandResumePoint?
    var word: LiveUpdate?
}
