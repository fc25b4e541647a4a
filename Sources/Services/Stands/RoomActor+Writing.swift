import Catalogue
import Podium
import Rehearsal
import WebServer

/// Order of writing and sending: an event goes to disk first, then to all stands; then its sender gets the receipt.
extension RoomActor {
    /// Number of events after which the whole room is written, so that a restart has few events to replay.
    private static let eventsBetweenSnapshots = 500
    private static let idleBeforeSnapshot: Duration = .seconds(20)

    /// Milliseconds after a failed write during which new events are refused: each failure costs reading the whole
    /// room.
    private static let pauseAfterFailureMilliseconds: Int64 = 1_000

    /// - Throws: if a write failed within the last second.
    func checkDisk() throws(RoomError) {
        guard let lastWriteFailureAt,
            dependencies.clock().milliseconds(since: lastWriteFailureAt) < Self.pauseAfterFailureMilliseconds
        else { return }
        throw .unreadable
    }

    /// Result of writing queued room events to disk.
    enum WriteResult {
        case all
        /// Positions, pages and settings of stands were not written; the room's events were.
        case onlyTransientLost
        /// An event of the room was not written; none of the batch was sent to stands.
        case nothing
    }

    /// Waits until everything that was queued before the call is on disk and sent.
    /// - Returns: false if part of it could not be written.
    func waitUntilWritten() async -> Bool { await waitForWrites() == .all }

    /// As `waitUntilWritten`, but a page or setting that could not be written does not count as a failure.
    func waitUntilRoomWritten() async -> Bool { await waitForWrites() != .nothing }

    private func waitForWrites() async -> WriteResult {
        guard isWriting || !entries.isEmpty else { return needsReload ? .nothing : .all }
        return await withCheckedContinuation { continuation in
            writeWaiters.append(continuation)
            write()
        }
    }

    /// Starts writing the queue unless a write is under way.
    func write() {
        guard !isWriting else { return }
        isWriting = true
        Task { await drainPendingEntries() }
    }

    private func drainPendingEntries() async {
        while !entries.isEmpty || !writeWaiters.isEmpty {
            let (batch, then, who) = (entries, afterWriteActions, writeWaiters)
            (entries, afterWriteActions, writeWaiters) = ([], [], [])
            do {
                if !batch.isEmpty { try await dependencies.store.write(batch, room: id.description) }
                if !batch.isEmpty { dependencies.writeFaults.writeSucceeded(in: id) }
                perform(then)
                for one in who { one.resume(returning: .all) }
            } catch {
                dependencies.writeFaults.writeFailed(in: id, error)
                guard batch.contains(where: \.isOfTheRoom) else {
                    // Page turns continue; only the stands' pages would be forgotten if the server crashed now.
                    perform(then)
                    for one in who { one.resume(returning: .onlyTransientLost) }
                    continue
                }
                needsReload = true
                writeFailures += 1
                lastWriteFailureAt = dependencies.clock()
                // Entries queued since build on those that are lost, so they fail too.
                let lost = who + writeWaiters
                (entries, afterWriteActions, writeWaiters) = ([], [], [])
                await restoreFromDisk()
                for one in lost { one.resume(returning: .nothing) }
            }
        }
        isWriting = false
        if eventsSinceSnapshot >= Self.eventsBetweenSnapshots { writeSnapshot() }
    }

    /// Restores the room from disk after a failed write. Stands stay connected: they hold exactly the events that are
    /// on disk.
    private func restoreFromDisk() async {
        do throws(RoomError) { try await reloadIfNeeded() } catch { disconnectStands() }
    }

    /// Reads the room from disk again if a write has failed since the last reading.
    func reloadIfNeeded() async throws(RoomError) {
        if isRemoved { throw .noRoom }
        // This copy of the room has been replaced; the caller looks the room up again.
        if hasEnded { throw .notActiveServer }
        guard needsReload else { return }
        let stored: StoredRoom?
        do throws(CatalogueError) {
            stored = try await dependencies.store.room(id.description)
        } catch {
            throw .notStored(error)
        }
        // Another call may have reloaded the room while this one waited.
        guard needsReload else { return }
        guard let stored else { throw .noRoom }
        do { state = try RoomState(stored) } catch { throw .unreadable }
        for (key, stand) in stands {
            guard let shownPart = stand.shownPart else { continue }
            state.note(
                ShownPage(
                    user: key.user, part: shownPart.part, page: max(shownPart.turner.state.view.page, 0)))
        }
        // A write that reported failure did reach the disk: stands reconnect and get the events that they lack.
        if state.sequence > delivered { disconnectStands() }
        delivered = max(delivered, state.sequence)
        state.continueNumbering(below: delivered + 1)
        if let score { state.renew(pageCounts: score.pageCounts) }
        encodedSnapshot = nil
        needsReload = false
    }

    private func perform(_ afterWriteActions: [AfterWriteAction]) {
        for consequence in afterWriteActions {
            switch consequence {
            case .deliver(let event): deliver(event)
            case .command(let command, let movement, let name):
                guard let folder = score?.movements[safe: movement]?.piece, place?.folder == folder,
                    place?.pinpointsMoveFollower == true
                else { continue }
                dependencies.command(command, folder, name)
            case .close(let users, let refusal): revokeAccess(Set(users), refusal)
            }
        }
        if !afterWriteActions.isEmpty { scheduleNextTurn() }
    }

    private func deliver(_ event: SequencedEvent) {
        delivered = event.sequence
        let seeing = stands.values.filter {
            $0.isAdmitted && $0.heldSequence < event.sequence && state.maySee(event, by: $0.member)
        }
        batchingMessages {
            if !seeing.isEmpty {
                let frame = StreamFrame(RoomJSON.bytes(RoomMessage.event(event)))
                queueMessage(.event, frame, seeing.lazy.map(\.stream))
            }
            switch event.act {
            case .turn(let turn): turnAllStands(to: turn)
            case .pinpoint(let pinpoint): showPinpoint(pinpoint)
            default: break
            }
        }
        switch event.act {
        case .publish(true), .readmit, .joined, .handOver: reconnectAdmittedStands()
        case .entered(let participation): layOutPart(participation)
        case .begin, .endSession:
            isActive.withLock { $0 = needsPosition }
            replanPageTurns()
        default: break
        }
    }

    var needsPosition: Bool { !stands.isEmpty || state.content.session?.isRunning == true }

    private func revokeAccess(_ users: Set<Rehearsal.User.ID>, _ refusal: RoomRefusal) {
        for (key, stand) in stands where users.contains(key.user) && stand.isAdmitted {
            revokeAccess(key, refusal)
        }
    }

    func revokeAccess(_ key: StandKey, _ refusal: RoomRefusal) {
        stands[key]?.isAdmitted = false
        stands[key]?.shownPart = nil
        stands[key]?.stream.send(StreamFrame(RoomJSON.bytes(RoomMessage.refused(nil, refusal))))
    }

    /// Closes the streams of stands that may see the room only now. They reconnect at once and get the whole room.
    private func reconnectAdmittedStands() {
        for stand in stands.values where !stand.isAdmitted && (try? checkVisibility(stand.member)) != nil {
            stand.stream.close()
        }
    }

    // MARK: Forgotten sessions

    /// Milliseconds without a connected stand after which a running session counts as forgotten and is ended.
    private static let longestWithoutStandsMilliseconds: Int64 = 6 * 3_600_000

    private func endAbandonedSession() {
        guard let session = state.content.session, session.isRunning, stands.isEmpty, !needsReload else {
            withoutStandsSince = nil
            return
        }
        let now = dependencies.clock()
        guard let since = withoutStandsSince else { return withoutStandsSince = now }
        guard now.milliseconds(since: since) >= Self.longestWithoutStandsMilliseconds else { return }
        withoutStandsSince = nil
        let owner = state.content.room.owner
        let name = state.content.membership(of: owner)?.name ?? ""
        // Ends the session in the owner's name; if the room refuses that, the session continues.
        _ = try? decide(
            RoomEvent(id: .new(), act: .endSession),
            by: ActingUser(user: owner, name: name, hasScoreGrant: true))
        write()
    }

    // MARK: Snapshots

    /// Called every two seconds: ends a forgotten session, and writes a snapshot of the room after a while without
    /// events.
    func maintain() {
        endAbandonedSession()
        guard eventsSinceSnapshot > 0, .now - lastEventAt > Self.idleBeforeSnapshot else { return }
        writeSnapshot()
    }

    /// Writes a snapshot of the room. It is encoded outside the actor so that nobody waits for it.
    private func writeSnapshot() {
        guard !isWritingSnapshot, !needsReload else { return }
        isWritingSnapshot = true
        eventsSinceSnapshot = 0
        let (copy, changes) = (state, passkeyChanges)
        Task.detached(priority: .utility) { [weak self] in
            let json = RoomJSON.bytes(copy)
            await self?.queueSnapshot(json, sequence: copy.sequence, passkeyChanges: changes)
        }
    }

    private func queueSnapshot(_ json: [UInt8], sequence: Int, passkeyChanges changes: Int) {
        isWritingSnapshot = false
        guard changes == passkeyChanges, !needsReload else { return }
        entries.append(.state(sequence: sequence, json: json))
        write()
    }
}

extension RoomState {
    /// Restores a room from its stored snapshot and the events that were written after the snapshot.
    package init(_ stored: StoredRoom) throws {
        self = try RoomJSON.value(RoomState.self, from: stored.state)
        for json in stored.events { replay(try RoomJSON.value(SequencedEvent.self, from: json)) }
        for spot in stored.spots {
            guard let user = Rehearsal.User.ID(spot.user) else { continue }
            note(
                ShownPage(
                    user: user, part: spot.part, page: spot.page,
                    at: spot.atMilliseconds.map { RoomTime(milliseconds: $0) }))
        }
    }
}

extension RoomEntry {
    /// True for entries whose loss would make the room on disk differ from the room that stands hold.
    fileprivate var isOfTheRoom: Bool {
        switch self {
        case .event, .state, .sessionBegan, .sessionEnded: true
        case .word, .spot, .settings: false
        }
    }
}
