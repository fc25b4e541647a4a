import Catalogue
import Podium
import Rehearsal
import WebServer

/// Writes events to disk before it sends them: an event goes to disk, then to all stands; then its sender gets the
/// receipt.
extension RoomActor {
    /// Number of events after which the whole room is written, so that a restart has few events to replay.
    private static let eventsBetweenSnapshots = 500
    private static let idleBeforeSnapshot: Duration = .seconds(20)

    /// New events are refused for this number of milliseconds after a failed write, because after each failure the
    /// whole room is read from disk.
    private static let eventRefusalAfterWriteFailureMilliseconds: Int64 = 1_000

    /// Refuses new events for a second after a failed write.
    /// - Throws: if a write failed within the last second.
    func checkNoRecentWriteFailure() throws(Refusal) {
        guard let lastWriteFailureAt,
            dependencies.showClock().milliseconds(since: lastWriteFailureAt)
                < Self.eventRefusalAfterWriteFailureMilliseconds
        else { return }
        throw .roomUnavailable
    }

    /// Result of writing queued room events to disk.
    enum WriteResult {
        case allWritten
        /// Only positions, pages and settings of stands were lost; the room's events were written.
        case onlyTransientLost
        /// The room's events were not written, and none of the batch was sent to stands.
        case roomEventsLost
    }

    /// Waits until everything that was queued before the call is on disk and sent.
    /// - Returns: false if any of it could not be written.
    func waitUntilAllWritten() async -> Bool { await waitForWrites() == .allWritten }

    /// Waits like `waitUntilAllWritten`, but does not count the loss of a page or a setting as a failure.
    /// - Returns: false if an event of the room could not be written.
    func waitUntilRoomEventsWritten() async -> Bool { await waitForWrites() != .roomEventsLost }

    /// Waits until everything that was written before the call survives a power cut. Writes and turns continue meanwhile.
    func flushToDisk() async throws(Refusal) {
        do throws(CatalogueError) { try await dependencies.store.flush() } catch {
            dependencies.writeFaultReporter.reportWriteFailure(in: id, error)
            throw .roomUnavailable
        }
    }

    private func waitForWrites() async -> WriteResult {
        guard isWriting || !entriesToWrite.isEmpty else { return needsReload ? .roomEventsLost : .allWritten }
        return await withCheckedContinuation { continuation in
            writeWaiters.append(continuation)
            startWriting()
        }
    }

    /// Starts writing the queue to disk unless a write is under way.
    func startWriting() {
        guard !isWriting else { return }
        isWriting = true
        Task { await writeQueuedEntries() }
    }

    private func writeQueuedEntries() async {
        while !entriesToWrite.isEmpty || !writeWaiters.isEmpty {
            let (batch, then, who) = (entriesToWrite, afterWriteActions, writeWaiters)
            (entriesToWrite, afterWriteActions, writeWaiters) = ([], [], [])
            do {
                if !batch.isEmpty { try await dependencies.store.write(batch, room: id.description) }
                if !batch.isEmpty { dependencies.writeFaultReporter.reportWriteSuccess(in: id) }
                performAfterWriteActions(then)
                for one in who { one.resume(returning: .allWritten) }
            } catch {
                dependencies.writeFaultReporter.reportWriteFailure(in: id, error)
                guard batch.contains(where: \.isRoomContent) else {
                    // Page turns continue. A crash of the server now would lose only the pages that stands show.
                    performAfterWriteActions(then)
                    for one in who { one.resume(returning: .onlyTransientLost) }
                    continue
                }
                needsReload = true
                roomWriteFailureCount += 1
                lastWriteFailureAt = dependencies.showClock()
                // Entries that were queued meanwhile build on the lost ones, so they fail too.
                let lost = who + writeWaiters
                (entriesToWrite, afterWriteActions, writeWaiters) = ([], [], [])
                await restoreFromDisk()
                for one in lost { one.resume(returning: .roomEventsLost) }
            }
        }
        isWriting = false
        if eventsSinceSnapshot >= Self.eventsBetweenSnapshots { writeSnapshot() }
    }

    /// Restores the room from disk after a failed write. Stands stay connected, since they hold exactly the events on
    /// disk.
    private func restoreFromDisk() async {
        do throws(Refusal) { try await reloadIfNeeded() } catch { disconnectStands() }
    }

    /// Reads the room from disk again if a write has failed since it was last read.
    func reloadIfNeeded() async throws(Refusal) {
        if isRemoved { throw .noRoom }
        // This copy of the room has been replaced; the caller looks the room up again.
        if isReplaced { throw .notActiveServer(address: nil) }
        guard needsReload else { return }
        let stored: StoredRehearsalRoom?
        do throws(CatalogueError) {
            stored = try await dependencies.store.room(id.description)
        } catch {
            throw .storeFailed(error)
        }
        // Another call may have reloaded the room while this one waited.
        guard needsReload else { return }
        guard let stored else { throw .noRoom }
        do { state = try RoomState(stored) } catch { throw .roomUnavailable }
        for (key, stand) in stands {
            guard let shownPart = stand.shownPart else { continue }
            state.recordShownPage(
                ShownPage(
                    user: key.user, score: shownPart.score, part: shownPart.part,
                    page: max(shownPart.pageTurner.state.view.page, 0)))
        }
        // The write reached the disk although it reported failure: stands reconnect and get the events they lack.
        if state.sequence > deliveredSequence { disconnectStands() }
        deliveredSequence = max(deliveredSequence, state.sequence)
        state.continueNumbering(below: deliveredSequence + 1)
        for score in scores.values { state.renew(pageCounts: score.pageCountsByPart, of: score.id) }
        programmeScores.withLock { $0 = ProgrammeScores(state.content.programme) }
        encodedSnapshot = nil
        needsReload = false
    }

    private func performAfterWriteActions(_ afterWriteActions: [AfterWriteAction]) {
        for consequence in afterWriteActions {
            switch consequence {
            case .deliver(let event): deliverEvent(event)
            case .sendPinpointCommand(let command, let movement, let name):
                guard let folder = score?.movements[safe: movement]?.piece,
                    performancePosition?.pieceFolder == folder,
                    performancePosition?.pinpointsMoveFollower == true
                else { continue }
                dependencies.sendPinpointCommand(command, folder, name)
            case .revokeAccess(let users, let refusal): revokeAccess(Set(users), refusal)
            }
        }
        if !afterWriteActions.isEmpty { scheduleNextPageTurn() }
    }

    private func deliverEvent(_ event: SequencedEvent) {
        deliveredSequence = event.sequence
        let seeing = stands.values.filter {
            $0.isAdmitted && $0.sequenceAtConnection < event.sequence
                && state.maySee(event, by: $0.actingUser)
        }
        batchingMessages {
            if !seeing.isEmpty {
                let frame = EncodedStreamMessage(RoomJSON.encode(RoomMessage.acceptedEvent(event)))
                queueMessage(.event, frame, seeing.lazy.map(\.stream))
            }
            switch event.act {
            case .turnPagesForAll(let turn): turnAllStands(to: turn)
            case .pinpoint(let pinpoint): showPinpoint(pinpoint)
            case .addScore: turnAwayPagesOfOneScore()
            default: break
            }
        }
        switch event.act {
        case .setRoomPublished(true), .readmitMember, .joinedRoom, .handOverRoom:
            reconnectNewlyAdmittedStands()
        // After the event is on its way: laying out a part takes longer than saying which score is open.
        case .openScore: batchingMessages { layOutOpenScore() }
        case .enteredSession(let participation): layOutPartForUser(participation)
        case .beginSession, .endSession:
            hasStandsOrSession.withLock { $0 = needsPerformancePosition }
            replanPageTurns()
        default: break
        }
    }

    var needsPerformancePosition: Bool { !stands.isEmpty || state.content.session?.isRunning == true }

    private func revokeAccess(_ users: Set<Rehearsal.User.ID>, _ refusal: RoomRefusal) {
        for (key, stand) in stands where users.contains(key.user) && stand.isAdmitted {
            revokeAccess(key, refusal)
        }
    }

    func revokeAccess(_ key: StandKey, _ refusal: RoomRefusal) {
        stands[key]?.isAdmitted = false
        stands[key]?.shownPart = nil
        stands[key]?.stream.send(EncodedStreamMessage(RoomJSON.encode(RoomMessage.refused(nil, refusal))))
    }

    /// Closes the streams of stands that may see the room now but could not before. They reconnect at once and get the
    /// whole room.
    private func reconnectNewlyAdmittedStands() {
        for stand in stands.values where !stand.isAdmitted && (try? checkVisibility(stand.actingUser)) != nil
        {
            stand.stream.close()
        }
    }

    // MARK: Forgotten sessions

    /// A running session counts as forgotten, and is ended, after this number of milliseconds without a connected
    /// stand.
    private static let sessionAbandonedAfterMilliseconds: Int64 = 6 * 3_600_000

    private func endAbandonedSession() {
        guard let session = state.content.session, session.isRunning, stands.isEmpty, !needsReload else {
            withoutStandsSince = nil
            return
        }
        let now = dependencies.showClock()
        guard let since = withoutStandsSince else { return withoutStandsSince = now }
        guard now.milliseconds(since: since) >= Self.sessionAbandonedAfterMilliseconds else { return }
        withoutStandsSince = nil
        actForOwner(.endSession)
    }

    // MARK: Snapshots

    /// Ends a forgotten session, and writes a snapshot of the room after a while without events. Called every two
    /// seconds.
    func performPeriodicUpkeep() {
        endAbandonedSession()
        guard eventsSinceSnapshot > 0, .now - lastEventAt > Self.idleBeforeSnapshot else { return }
        writeSnapshot()
    }

    /// Writes a snapshot of the room. It is encoded outside the actor, so that nothing in the room waits.
    private func writeSnapshot() {
        guard !isWritingSnapshot, !needsReload else { return }
        isWritingSnapshot = true
        eventsSinceSnapshot = 0
        let (copy, changes) = (state, passkeyChangeCount)
        Task.detached(priority: .utility) { [weak self] in
            let json = RoomJSON.encode(copy)
            await self?.queueSnapshot(json, sequence: copy.sequence, passkeyChanges: changes)
        }
    }

    private func queueSnapshot(_ json: [UInt8], sequence: Int, passkeyChanges changes: Int) {
        isWritingSnapshot = false
        guard changes == passkeyChangeCount, !needsReload else { return }
        entriesToWrite.append(.state(sequence: sequence, json: json))
        startWriting()
    }
}

extension RoomState {
    /// Restores a room from its stored snapshot and the events that were written after the snapshot.
    package init(_ stored: StoredRehearsalRoom) throws {
        self = try RoomJSON.decode(RoomState.self, from: stored.stateJSON)
        for json in stored.eventsAfterState {
            applyAcceptedEvent(try RoomJSON.decode(SequencedEvent.self, from: json))
        }
        for spot in stored.openPages {
            guard let user = Rehearsal.User.ID(spot.user) else { continue }
            restoreShownPage(
                ShownPage(
                    user: user, score: spot.score.flatMap { Rehearsal.Score.ID($0) }, part: spot.part,
                    page: spot.page,
                    at: spot.atMilliseconds.map { CalendarTime(milliseconds: $0) }))
        }
    }
}

extension RehearsalRoomRecord {
    /// True for an entry without which the room on disk would differ from the room that stands hold.
    fileprivate var isRoomContent: Bool {
        switch self {
        case .event, .state, .sessionBegan, .sessionEnded: true
        case .scorePosition, .openPage, .pageTurningSettings: false
        }
    }
}
