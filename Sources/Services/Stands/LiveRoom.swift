import Catalogue
import Podium
import Rehearsal
import Synchronization
import WebServer

/// One room as the hub runs it: one order for all events; each is on the disk before it is sent.
///
/// What arrives is decided in memory at once and written together with whatever else arrived meanwhile; when that is
/// on the disk it goes to all stands, and then its sender is answered. Nothing is announced before it is on disk.
actor LiveRoom {
    /// What a room needs of the server around it.
    struct Surroundings: Sendable {
        var store: RoomStore
        var pieces: PlayedPieces
        /// Of the show, for turning pages.
        var clock: @Sendable () -> ShowTime
        /// Of the calendar, for events.
        var wall: @Sendable () -> RoomTime
        /// Takes what a pinpoint tells the follower of a piece, by its folder.
        var command: @Sendable (PodiumCommand, _ folder: String, _ by: String) -> Void
        /// Works on the concert: the owner of a room that may tell the show's follower where the music is.
        var isStaff: @Sendable (Rehearsal.User.ID) async -> Bool
        /// This server has the show; another one's rooms are not touched here.
        var reigns: @Sendable () -> Bool = { true }
        var trouble = RoomTrouble()
    }

    /// What happens when something is on the disk.
    enum Consequence {
        case deliver(SequencedEvent)
        case command(PodiumCommand, movement: Int, by: String)
        case close([Rehearsal.User.ID], RoomRefusal)
    }

    nonisolated let id: Room.ID
    nonisolated let scoreID: Rehearsal.Score.ID
    /// It has stands, or a session runs: the music concerns it.
    nonisolated let isActive = Mutex(false)
    let around: Surroundings
    var state: RoomState
    var score: Rehearsal.Score?
    var stands: [StandKey: Stand] = [:]
    var setups = StandSetups()

    // Writing; see LiveRoom+Writing.
    var entries: [RoomEntry] = []
    var consequences: [Consequence] = []
    var waiting: [CheckedContinuation<Written, Never>] = []
    var isWriting = false
    /// What is in memory is not what is on the disk, and must be read again.
    var isBroken = false
    /// How often memory had to be read again because a write failed.
    var breaks = 0
    /// When that last happened; nil if it never did.
    var brokeAt: ShowTime?
    var isRemoved = false
    /// Another program has written it; see ``retire()``.
    var isRetired = false
    /// Sequence of the newest event that stands were told.
    var delivered: Int
    /// Since when a session runs without a stand.
    var emptySince: ShowTime?
    var eventsSinceState = 0
    var lastEventAt = ContinuousClock.now
    var isKeepingState = false
    var passkeyChanges = 0

    // Turning; see LiveRoom+Turning.
    var place: LivePlace?
    var word: LiveUpdate?
    var wordSentAt = ShowTime(milliseconds: .min)
    var wordKeptAt = ShowTime(milliseconds: .min)
    var wordKept: LiveUpdate?
    var tickAt: ShowTime?
    var tick: Task<Void, Never>?

    /// What is being said, where several things leave together; see LiveRoom+Telling.
    var news: News?

    /// The room for stands that hold nothing, made once for all who come at the same time.
    var whole: (seen: EventCursor, frame: Task<StreamFrame, Never>)?

    init(_ state: RoomState, score: Rehearsal.Score?, around: Surroundings) {
        id = state.content.room.id
        scoreID = state.content.room.score
        self.state = state
        delivered = state.sequence
        self.score = score
        self.around = around
        if let score { self.state.renew(pageCounts: score.pageCounts) }
        isActive.withLock { $0 = state.content.session?.isRunning ?? false }
    }

    /// Never falls, whatever is done to the machine's clock.
    var now: RoomTime {
        lastTime = max(lastTime, around.wall())
        return lastTime
    }
    private var lastTime = RoomTime.zero

    // MARK: What stands send

    /// Takes what a stand sent and answers when it is on the disk.
    /// - Returns: a receipt or a refusal for each event, in order.
    func take(
        _ arrivals: [StandArrival], from key: StandKey, by member: ActingUser
    ) async throws(RoomFault) -> [RoomMessage] {
        try await beWhole()
        if arrivals.contains(where: \.isEvent) { try checkDisk() }
        // Whoever makes a room does not steer the concert by it.
        let pinpoints = arrivals.contains(where: \.isPinpoint)
        let mayCommand = pinpoints ? await around.isStaff(state.content.room.owner) : false
        var answers: [RoomMessage] = []
        for arrival in arrivals {
            switch arrival {
            case .malformed(let id, let sentence):
                answers.append(.refused(id, RoomRefusal(.invalid, sentence)))
            case .message(.event(let event)):
                do throws(RoomRefusal) {
                    answers.append(try take(event, by: member, mayCommand: mayCommand))
                } catch {
                    answers.append(.refused(event.id, error))
                }
            case .message(.own(let page)):
                do throws(RoomRefusal) {
                    try own(page, key, member)
                } catch {
                    answers.append(.refused(nil, error))
                }
            case .message(.fallIn):
                do throws(RoomRefusal) {
                    try checkVisibility(member)
                    for each in [key] + neighbours(of: key) { fallIn(each) }
                    schedule()
                } catch {
                    answers.append(.refused(nil, error))
                }
            case .message(.echo(let id)):
                stands[key]?.stream.send(StreamFrame(RoomJSON.bytes(RoomMessage.echo(id))))
            case .message(.hello):
                let sentence =
                    "A stand says what it has seen when it opens its stream; see docs/rooms-api.md."
                answers.append(.refused(nil, RoomRefusal(.invalid, sentence)))
            }
        }
        guard await isRoomWritten() else { throw .unreadable }
        return answers
    }

    /// Decides one event, and leaves what follows from it to the writing.
    /// - Parameter mayCommand: a pinpoint tells the follower too where the music is.
    func take(
        _ event: RoomEvent, by member: ActingUser, mayCommand: Bool = false
    ) throws(RoomRefusal) -> RoomMessage {
        var answer = RoomMessage.receipt(event.id, sequence: state.sequence)
        for effect in try state.take(event, by: member, at: now) {
            switch effect {
            case .deliver(let taken):
                answer = .receipt(taken.id, sequence: taken.sequence)
                keep(taken)
            case .receipt(let id, let sequence): answer = .receipt(id, sequence: sequence)
            case .command(let command, let movement):
                guard mayCommand else { continue }
                consequences.append(.command(command, movement: movement, by: member.name))
            case .close(let users, let refusal): consequences.append(.close(users, refusal))
            }
        }
        return answer
    }

    private func keep(_ event: SequencedEvent) {
        entries.append(.event(sequence: event.sequence, json: RoomJSON.bytes(event)))
        switch event.act {
        case .begin(let session, _):
            entries.append(
                .sessionBegan(
                    id: session.id.description, atMilliseconds: event.at.milliseconds,
                    sequence: event.sequence))
        case .endSession:
            if let session = state.content.session {
                entries.append(
                    .sessionEnded(id: session.id.description, atMilliseconds: event.at.milliseconds))
            }
        default: break
        }
        consequences.append(.deliver(event))
        eventsSinceState += 1
        lastEventAt = .now
    }

    /// The player's own hand has turned the stand.
    private func own(_ page: Int, _ key: StandKey, _ member: ActingUser) throws(RoomRefusal) {
        try checkVisibility(member)
        let part = stands[key]?.lying?.part ?? state.content.participation(of: key.user)?.part
        guard let part, let pages = score?.parts[safe: part]?.pages, pages.indices.contains(page) else {
            throw RoomRefusal(
                .noPage, "There is no page of index \(page) on this stand; load the score again.")
        }
        note(page, ofPart: part, by: key.user)
        turn(key, .own(page: page))
        for neighbour in neighbours(of: key) {
            turn(neighbour, .own(page: page))
            tellPage(neighbour)
        }
        schedule()
    }

    /// The other stands of one sheet: of the same player, with the same part.
    private func neighbours(of key: StandKey) -> [StandKey] {
        guard setups[key]?.pair != nil, let part = stands[key]?.lying?.part else { return [] }
        return stands.keys.filter {
            $0 != key && $0.user == key.user && setups[$0]?.pair != nil && stands[$0]?.lying?.part == part
        }
    }

    /// - Throws: where this member may not see the room.
    func checkVisibility(_ member: ActingUser) throws(RoomRefusal) {
        _ = try state.resume(from: state.newest(for: member), for: member)
    }

    /// Keeps which page a user is on, for their return after a crash.
    func note(_ page: Int, ofPart part: Int, by user: Rehearsal.User.ID) {
        let at = state.note(ShownPage(user: user, part: part, page: page, at: now))
        entries.append(
            .spot(user: user.description, part: part, page: page, atMilliseconds: at?.milliseconds))
        write()
    }

    // MARK: What the owner does beside events

    /// - Parameter hash: nil where nobody needs a passkey any more.
    func replacePasskey(by hash: String?, by member: ActingUser) async throws(RoomFault) {
        try await beWhole()
        do throws(RoomRefusal) {
            try state.replacePasskey(by: hash, by: member)
        } catch {
            throw .refused(error)
        }
        passkeyChanges += 1
        entries.append(.state(sequence: state.sequence, json: RoomJSON.bytes(state)))
        guard await isWritten() else { throw .unreadable }
    }

    var passkeyHash: String? { state.content.room.passkeyHash }

    func isOwner(_ user: Rehearsal.User.ID) -> Bool { state.content.room.owner == user }

    /// They come back and say what they have seen, here or at the server that has the show.
    func sendStandsAway() {
        for stand in stands.values { stand.stream.close() }
    }

    /// Ends this room in memory, since what is on the disk will be read as another: its stands come back to that one.
    func retire() async {
        isRetired = true
        sendStandsAway()
        tick?.cancel()
        isActive.withLock { $0 = false }
        // What was decided before comes to the disk before it is read.
        _ = await isWritten()
    }

    /// Tells all stands that the room is gone.
    func remove() {
        isRemoved = true
        let gone = RoomRefusal(.notAMember, "The owner has closed this room; go back to the list of rooms.")
        let frame = StreamFrame(RoomJSON.bytes(RoomMessage.refused(nil, gone)))
        PersonalStream.send(frame, to: stands.values.map(\.stream))
        for stand in stands.values { stand.stream.close() }
        tick?.cancel()
        around.trouble.isOver(in: id)
        isActive.withLock { $0 = false }
    }
}

extension Array {
    package subscript(safe index: Int) -> Element? { indices.contains(index) ? self[index] : nil }
}
