import Catalogue
import Hosting
import Podium
import Rehearsal
import Synchronization
import WebServer

/// One rehearsal room, which puts all events into one order and writes each to disk before it is sent.
///
/// An event is decided in memory at once and written in one batch with the events that arrive meanwhile. When the
/// batch is on disk, its events go to all stands, and then the senders get their receipts.
actor RoomActor {
    /// The server's facilities that a room uses.
    struct RoomDependencies: Sendable {
        var store: RehearsalRoomStore
        /// Holds the remarks, which belong to scores.
        var catalogue: CatalogueStore
        var remarkSpace: RemarkSpace
        /// Tells readers of a score that its remarks have changed through a room.
        var remarksChanged: @Sendable (Rehearsal.Score.ID) -> Void = { _ in }
        /// Returns the measures and sections of the programme's pieces, which may change while the server runs.
        var readPieceMaps: @Sendable () -> ProgrammePieceMaps
        /// The show's clock, by which pages are turned.
        var showClock: @Sendable () -> ShowTime
        /// The calendar clock, which gives events their times.
        var wallClock: @Sendable () -> CalendarTime
        /// Sends a command to the show's follower when a conductor points at a bar. `folder` names the piece for
        /// which the command is valid.
        var sendPinpointCommand: @Sendable (PodiumCommand, _ folder: String, _ by: String) -> Void
        /// True if the user works on the concert. Only in rooms of such owners may a conductor's stand move the show's
        /// follower.
        var worksOnConcert: @Sendable (Rehearsal.User.ID) async -> Bool
        /// True if this server is the active one. A standby server does not change rooms.
        var isActiveServer: @Sendable () -> Bool = { true }
        /// Returns the address of the pages of the other server of a pair; nil without one.
        var findOtherServer: @Sendable () -> String? = { nil }
        var writeFaultReporter = RoomWriteFaultReporter()
        /// Finds a score that joins a programme; nil if there is none.
        var findScore: @Sendable (Rehearsal.Score.ID) async -> Rehearsal.Score? = { _ in nil }
    }

    /// An action that is carried out when the event that caused it is on disk.
    enum AfterWriteAction {
        case deliver(SequencedEvent)
        case sendPinpointCommand(PodiumCommand, movement: Int, by: String)
        case revokeAccess([Rehearsal.User.ID], RoomRefusal)
    }

    nonisolated let id: RehearsalRoom.ID
    /// The layer of the room's public remarks in scores.
    nonisolated let remarkLayerID: ScoreLayer.ID
    /// The scores of the room's programme, for those who need no more of the room.
    nonisolated let programmeScores: Mutex<ProgrammeScores>
    /// True if the room has connected stands or a running session. Other rooms receive no positions.
    nonisolated let hasStandsOrSession = Mutex(false)
    let dependencies: RoomDependencies
    var state: RoomState
    /// The newest editions of the programme's scores, also of one that has been removed from the library.
    var scores: [Rehearsal.Score.ID: Rehearsal.Score] = [:]
    var stands: [StandKey: Stand] = [:]
    var standSetups = StandSetups()

    // Queue of events and settings to be written to disk.
    var entriesToWrite: [RehearsalRoomRecord] = []
    var afterWriteActions: [AfterWriteAction] = []
    var writeWaiters: [CheckedContinuation<WriteResult, Never>] = []
    var isWriting = false
    /// True if the room in memory may differ from the room on disk, so that it must be read again.
    var needsReload = false
    /// Number of failed writes that forced the room to be read again.
    var roomWriteFailureCount = 0
    /// Time of the last failed write; nil if there was none.
    var lastWriteFailureAt: ShowTime?
    var isRemoved = false
    /// True if another program has rewritten the room on disk and this copy is out of use; see ``endBeforeReload()``.
    var isReplaced = false
    /// Sequence number of the newest event that was sent to stands.
    var deliveredSequence: Int
    /// Time since which a session has been running without a connected stand; nil if none does.
    var withoutStandsSince: ShowTime?
    var eventsSinceSnapshot = 0
    var lastEventAt = ContinuousClock.now
    var isWritingSnapshot = false
    var passkeyChangeCount = 0
    /// The number of acts on remarks since the room was loaded.
    var remarkActCount = 0
    /// True if the room's remarks and those of its scores may differ.
    var isCarryDue = true

    // The music's position, and the timer for page turns.
    var performancePosition: PerformancePosition?
    /// The newest position of the show, in whatever piece it is.
    var showPosition: PerformancePosition?
    /// For each of tonight's pieces the scores that have it, as the library told last; the room plays one of each.
    var eveningScores: [[Rehearsal.Score.ID]] = []
    var hasTakenEvening = false
    /// True once the session of the evening that is on has begun by itself.
    var hasBegunEvening = false
    /// The entry that stands left for the next one before its end, because that follows attacca.
    var leftAttacca: ProgrammeEntry.ID?
    var liveUpdate: LivePositionUpdate?
    var liveUpdateSentAt = ShowTime(milliseconds: .min)
    var liveUpdateLoggedAt = ShowTime(milliseconds: .min)
    var lastLoggedLiveUpdate: LivePositionUpdate?
    var pageTurnTimerFiresAt: ShowTime?
    /// The plans that stands share while many are laid out at once; nil otherwise.
    var sharedPlans: [SharedPlanKey: PageTurnPlan]?
    var pageTurnTimer: Task<Void, Never>?

    /// The batch that is being collected; nil outside `batchingMessages`.
    var outgoingBatch: OutgoingBatch?

    /// The encoded snapshot for stands that hold nothing yet. All stands that connect at the same time share it.
    var encodedSnapshot: (seen: EventCursor, frame: Task<EncodedStreamMessage, Never>)?

    init(_ state: RoomState, scores: [Rehearsal.Score], dependencies: RoomDependencies) {
        id = state.content.room.id
        remarkLayerID = Self.remarkLayerID(of: state.content.room.id)
        programmeScores = Mutex(ProgrammeScores(state.content.programme))
        self.state = state
        deliveredSequence = state.sequence
        self.dependencies = dependencies
        for score in scores {
            self.scores[score.id] = score
            self.state.renew(pageCounts: score.pageCountsByPart, of: score.id)
        }
        hasStandsOrSession.withLock { $0 = state.content.session?.isRunning ?? false }
    }

    /// The calendar time for the next event. It never goes back, even if the machine's clock is set back.
    var nextEventTime: CalendarTime {
        lastIssuedTime = max(lastIssuedTime, dependencies.wallClock())
        return lastIssuedTime
    }
    private var lastIssuedTime = CalendarTime.zero

    // MARK: Messages from stands

    /// Processes the messages of a stand and returns when they are written. What members wrote or decided is then also
    /// safe from a power cut; other stands are told of it before that.
    /// - Returns: a receipt for each event, and a refusal for each message that was refused, in order.
    func processMessages(
        _ arrivals: [ReceivedStandMessage], from key: StandKey, by member: ActingUser
    ) async throws(Refusal) -> [RoomMessage] {
        try await reloadIfNeeded()
        if arrivals.contains(where: \.isEvent) { try checkNoRecentWriteFailure() }
        // Anybody may own a room; only an owner who works on the concert may move the show's follower.
        let pinpoints = arrivals.contains(where: \.isPinpoint)
        await meetAddedScores(of: arrivals, by: member)
        if arrivals.contains(where: \.takesEvening) { await meetEveningScores() }
        let mayCommand = pinpoints ? await dependencies.worksOnConcert(state.content.room.owner) : false
        var answers: [RoomMessage] = []
        for arrival in arrivals {
            switch arrival {
            case .malformed(let id, let sentence):
                answers.append(.refused(id, RoomRefusal(.invalid, sentence)))
            case .message(.event(let event)):
                answers.append(try await answer(event, by: member, mayCommand: mayCommand))
            case .message(.turnedPage(let page, let score)):
                do throws(RoomRefusal) {
                    try turnPageByHand(page, in: score, key, member)
                } catch {
                    answers.append(.refused(nil, error))
                }
            case .message(.followAgain):
                do throws(RoomRefusal) {
                    try checkVisibility(member)
                    for each in [key] + pairedStands(of: key) { returnToMusicPage(each) }
                    scheduleNextPageTurn()
                } catch {
                    answers.append(.refused(nil, error))
                }
            case .message(.latencyEcho(let id)):
                stands[key]?.stream.send(EncodedStreamMessage(RoomJSON.encode(RoomMessage.latencyEcho(id))))
            case .message(.requestMissedEvents):
                let sentence =
                    "A stand names the newest event it has seen when it opens its stream; see docs/rooms-api.md."
                answers.append(.refused(nil, RoomRefusal(.invalid, sentence)))
            }
        }
        guard await waitUntilRoomEventsWritten() else { throw .roomUnavailable }
        // Also an event that comes again, because its sender had no answer.
        if arrivals.contains(where: \.mustSurvivePowerCut) { try await flushToDisk() }
        return answers
    }

    private func answer(
        _ event: RoomEvent, by member: ActingUser, mayCommand: Bool
    ) async throws(Refusal) -> RoomMessage {
        let verdict = try await writeInScore(event, by: member)
        switch verdict {
        case .refused(let refusal): return .refused(event.id, refusal)
        case .acceptedBesideRoom: return .receipt(event.id, sequence: state.sequence)
        case .notAsked, .accepted:
            do throws(RoomRefusal) { return try decideEvent(event, by: member, mayCommand: mayCommand) } catch
            {
                guard case .accepted = verdict else { return .refused(event.id, error) }
                // The room has changed while the score wrote: it takes the remark as soon as it can.
                isCarryDue = true
                return .receipt(event.id, sequence: state.sequence)
            }
        }
    }

    /// Decides one event and queues it for writing, with the actions that follow from it.
    /// - Parameter mayCommand: true if a conductor who points at a bar also moves the show's follower.
    func decideEvent(
        _ event: RoomEvent, by member: ActingUser, mayCommand: Bool = false
    ) throws(RoomRefusal) -> RoomMessage {
        var answer = RoomMessage.receipt(event.id, sequence: state.sequence)
        for effect in try state.process(noteShowPiece(in: event), by: member, at: nextEventTime) {
            switch effect {
            case .deliver(let taken):
                answer = .receipt(taken.id, sequence: taken.sequence)
                queueEvent(taken)
            case .receipt(let id, let sequence): answer = .receipt(id, sequence: sequence)
            case .podiumCommand(let command, let movement):
                guard mayCommand else { continue }
                afterWriteActions.append(.sendPinpointCommand(command, movement: movement, by: member.name))
            case .disconnect(let users, let refusal): afterWriteActions.append(.revokeAccess(users, refusal))
            }
        }
        return answer
    }

    func queueEvent(_ event: SequencedEvent) {
        entriesToWrite.append(.event(sequence: event.sequence, json: RoomJSON.encode(event)))
        switch event.act {
        case .beginSession(let session, _):
            entriesToWrite.append(
                .sessionBegan(
                    id: session.id.description, atMilliseconds: event.acceptedAt.milliseconds,
                    sequence: event.sequence))
        case .endSession:
            if let session = state.content.session {
                entriesToWrite.append(
                    .sessionEnded(id: session.id.description, atMilliseconds: event.acceptedAt.milliseconds))
            }
        case .addScore, .dropScore, .openScore, .takeEvening:
            programmeScores.withLock { $0 = ProgrammeScores(state.content.programme) }
        default: break
        }
        afterWriteActions.append(.deliver(event))
        eventsSinceSnapshot += 1
        lastEventAt = .now
    }

    /// Records that the player has turned the page by hand, and turns the player's paired stands too.
    private func turnPageByHand(
        _ page: Int, in named: Rehearsal.Score.ID?, _ key: StandKey, _ member: ActingUser
    ) throws(RoomRefusal) {
        try checkVisibility(member)
        // The page of a score that was open a moment ago turns nothing.
        guard named == nil || named == openScoreID else { return }
        let part = stands[key]?.shownPart?.part ?? state.resumePoint(of: key.user)?.part
        // Empty pages that a librarian inserted have numbers behind those of the file.
        guard let part, let shown = score?.parts[safe: part], (0..<shown.pageNumberLimit).contains(page)
        else {
            throw RoomRefusal(
                .noPage, "There is no page of index \(page) on this stand; load the score again.")
        }
        recordShownPage(page, ofPart: part, by: key.user)
        handleTurnEvent(key, .turnedByPlayer(page: page))
        for neighbour in pairedStands(of: key) {
            handleTurnEvent(neighbour, .turnedByPlayer(page: page))
            sendPage(neighbour)
        }
        scheduleNextPageTurn()
    }

    /// The other stands that show the same sheet. They belong to the same player and show the same part.
    private func pairedStands(of key: StandKey) -> [StandKey] {
        guard standSetups[key]?.pair != nil, let part = stands[key]?.shownPart?.part else { return [] }
        return stands.keys.filter {
            $0 != key && $0.user == key.user && standSetups[$0]?.pair != nil
                && stands[$0]?.shownPart?.part == part
        }
    }

    /// Checks that a member may see the room.
    /// - Throws: the refusal if the member may not.
    func checkVisibility(_ member: ActingUser) throws(RoomRefusal) {
        _ = try state.catchUp(from: state.newestEventCursor, for: member)
    }

    /// Records the page that a user is on, so that the stand can return to it after a crash.
    func recordShownPage(_ page: Int, ofPart part: Int, by user: Rehearsal.User.ID) {
        let score = state.named(openScoreID)
        let at = state.recordShownPage(
            ShownPage(user: user, score: score, part: part, page: page, at: nextEventTime))
        entriesToWrite.append(
            .openPage(
                user: user.description, score: score?.description, part: part, page: page,
                atMilliseconds: at?.milliseconds))
        startWriting()
    }

    // MARK: The owner's changes that are not events

    /// Replaces the room's passkey.
    /// - Parameter hash: hash of the new passkey; nil if the room needs none from now on.
    func replacePasskey(by hash: String?, by member: ActingUser) async throws(Refusal) {
        try await reloadIfNeeded()
        do throws(RoomRefusal) {
            try state.replacePasskey(by: hash, by: member)
        } catch {
            throw .refused(error)
        }
        passkeyChangeCount += 1
        entriesToWrite.append(.state(sequence: state.sequence, json: RoomJSON.encode(state)))
        guard await waitUntilAllWritten() else { throw .roomUnavailable }
        try await flushToDisk()
    }

    var passkeyHash: String? { state.content.room.passkeyHash }

    /// True if the user leads the room, its session runs, and its owner works on the concert.
    func isLedInRehearsal(by user: Rehearsal.User.ID) async -> Bool {
        guard let member = state.content.membership(of: user), member.status == .joined, member.role.mayLead,
            state.content.session?.isRunning == true
        else { return false }
        return await dependencies.worksOnConcert(state.content.room.owner)
    }

    func isOwner(_ user: Rehearsal.User.ID) -> Bool { state.content.room.owner == user }

    func isPublished(by owner: Rehearsal.User.ID) -> Bool { isOwner(owner) && state.content.room.isPublished }

    /// Closes all streams. The stands reconnect, here or at the active server, and get the events that they lack.
    func disconnectStands() {
        for stand in stands.values { stand.stream.close() }
    }

    /// Ends this copy of the room, because the room on disk was rewritten. Its stands reconnect to the new copy.
    func endBeforeReload() async {
        isReplaced = true
        disconnectStands()
        pageTurnTimer?.cancel()
        hasStandsOrSession.withLock { $0 = false }
        // Events that were decided already are written before the room is read again.
        _ = await waitUntilAllWritten()
    }

    /// Tells all stands that the owner has closed the room, and disconnects them.
    func announceRemoval() {
        isRemoved = true
        let gone = RoomRefusal(.notAMember, "The owner has closed this room; go back to the list of rooms.")
        let frame = EncodedStreamMessage(RoomJSON.encode(RoomMessage.refused(nil, gone)))
        PersonalStream.send(frame, to: stands.values.map(\.stream))
        for stand in stands.values { stand.stream.close() }
        pageTurnTimer?.cancel()
        dependencies.writeFaultReporter.reportWriteSuccess(in: id)
        hasStandsOrSession.withLock { $0 = false }
    }
}

extension Array {
    package subscript(safe index: Int) -> Element? { indices.contains(index) ? self[index] : nil }
}
