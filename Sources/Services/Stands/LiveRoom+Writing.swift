import Catalogue
import Podium
import Rehearsal
import WebServer

/// Order of writing and sending: an event goes to disk first, then to all stands; then its sender gets the receipt.
extension LiveRoom {
    /// Number of events after which the whole room is written, so that a restart has few events to replay.
    private static let eventsBetweenStates = 500
    private static let idleBeforeState: Duration = .seconds(20)

    /// Milliseconds after a failed write during which new events are refused: each failure costs reading the whole
    /// room.
    private static let restAfterFailure: Int64 = 1_000

    /// - Throws: if a write failed within the last second.
    func checkDisk() throws(RoomFault) {
        guard let brokeAt,
            around.clock().milliseconds(since: brokeAt) < Self.restAfterFailure
        else { return }
        throw .unreadable
    }

    /// Result of writing queued room events to disk.
    enum Written {
        case all
        /// Positions, pages and settings of stands were not written; the room's events were.
        case allButPassingThings
        /// An event of the room was not written; none of the batch was sent to stands.
        case nothing
    }

    /// Waits until everything that was queued before the call is on disk and sent.
    /// - Returns: false if part of it could not be written.
    func isWritten() async -> Bool { await written() == .all }

    /// As `isWritten`, but a page or setting that could not be written does not count as a failure.
    func isRoomWritten() async -> Bool { await written() != .nothing }

    private func written() async -> Written {
        guard isWriting || !entries.isEmpty else { return isBroken ? .nothing : .all }
        return await withCheckedContinuation { continuation in
            waiting.append(continuation)
            write()
        }
    }

    /// Starts writing the queue unless a write is under way.
    func write() {
        guard !isWriting else { return }
        isWriting = true
        Task { await writeAll() }
    }

    private func writeAll() async {
        while !entries.isEmpty || !waiting.isEmpty {
            let (batch, then, who) = (entries, consequences, waiting)
            (entries, consequences, waiting) = ([], [], [])
            do {
                if !batch.isEmpty { try await around.store.write(batch, room: id.description) }
                if !batch.isEmpty { around.trouble.isOver(in: id) }
                carryOut(then)
                for one in who { one.resume(returning: .all) }
            } catch {
                around.trouble.began(in: id, error)
                guard batch.contains(where: \.isOfTheRoom) else {
                    // Page turns continue; only the stands' pages would be forgotten if the server crashed now.
                    carryOut(then)
                    for one in who { one.resume(returning: .allButPassingThings) }
                    continue
                }
                isBroken = true
                breaks += 1
                brokeAt = around.clock()
                // Entries queued since build on those that are lost, so they fail too.
                let lost = who + waiting
                (entries, consequences, waiting) = ([], [], [])
                await goOnFromTheDisk()
                for one in lost { one.resume(returning: .nothing) }
            }
        }
        isWriting = false
        if eventsSinceState >= Self.eventsBetweenStates { keepState() }
    }

    /// Restores the room from disk after a failed write. Stands stay connected: they hold exactly the events that are
    /// on disk.
    private func goOnFromTheDisk() async {
        do throws(RoomFault) { try await beWhole() } catch { sendStandsAway() }
    }

    /// Reads the room from disk again if a write has failed since the last reading.
    func beWhole() async throws(RoomFault) {
        if isRemoved { throw .noRoom }
        // This copy of the room has been replaced; the caller looks the room up again.
        if isRetired { throw .notReigning }
        guard isBroken else { return }
        let stored: StoredRoom?
        do throws(CatalogueError) {
            stored = try await around.store.room(id.description)
        } catch {
            throw .notStored(error)
        }
        // Another call may have reloaded the room while this one waited.
        guard isBroken else { return }
        guard let stored else { throw .noRoom }
        do { state = try RoomState(stored) } catch { throw .unreadable }
        for (key, stand) in stands {
            guard let lying = stand.lying else { continue }
            state.note(
                ShownPage(user: key.user, part: lying.part, page: max(lying.turner.state.view.page, 0)))
        }
        // A write that reported failure did reach the disk: stands reconnect and get the events that they lack.
        if state.sequence > delivered { sendStandsAway() }
        delivered = max(delivered, state.sequence)
        state.continueNumbering(below: delivered + 1)
        if let score { state.renew(pageCounts: score.pageCounts) }
        whole = nil
        isBroken = false
    }

    private func carryOut(_ consequences: [Consequence]) {
        for consequence in consequences {
            switch consequence {
            case .deliver(let event): deliver(event)
            case .command(let command, let movement, let name):
                guard let folder = score?.movements[safe: movement]?.piece, place?.folder == folder,
                    place?.takesPinpoints == true
                else { continue }
                around.command(command, folder, name)
            case .close(let users, let refusal): shutOut(Set(users), refusal)
            }
        }
        if !consequences.isEmpty { schedule() }
    }

    private func deliver(_ event: SequencedEvent) {
        delivered = event.sequence
        let seeing = stands.values.filter {
            $0.isInside && $0.from < event.sequence && state.maySee(event, by: $0.member)
        }
        telling {
            if !seeing.isEmpty {
                let frame = StreamFrame(RoomJSON.bytes(RoomMessage.event(event)))
                tell(.event, frame, seeing.lazy.map(\.stream))
            }
            switch event.act {
            case .turn(let turn): turnAll(to: turn)
            case .pinpoint(let pinpoint): show(pinpoint)
            default: break
            }
        }
        switch event.act {
        case .publish(true), .readmit, .joined, .handOver: admitWhoWaits()
        case .entered(let participation): layOut(participation)
        case .begin, .endSession:
            isActive.withLock { $0 = isConcerned }
            layOutAgain()
        default: break
        }
    }

    var isConcerned: Bool { !stands.isEmpty || state.content.session?.isRunning == true }

    private func shutOut(_ users: Set<Rehearsal.User.ID>, _ refusal: RoomRefusal) {
        for (key, stand) in stands where users.contains(key.user) && stand.isInside {
            shutOut(key, refusal)
        }
    }

    func shutOut(_ key: StandKey, _ refusal: RoomRefusal) {
        stands[key]?.isInside = false
        stands[key]?.lying = nil
        stands[key]?.stream.send(StreamFrame(RoomJSON.bytes(RoomMessage.refused(nil, refusal))))
    }

    /// Closes the streams of stands that may see the room only now. They reconnect at once and get the whole room.
    private func admitWhoWaits() {
        for stand in stands.values where !stand.isInside && (try? checkVisibility(stand.member)) != nil {
            stand.stream.close()
        }
    }

    // MARK: Forgotten sessions

    /// Milliseconds without a connected stand after which a running session counts as forgotten and is ended.
    private static let longestEmpty: Int64 = 6 * 3_600_000

    private func endForgottenSession() {
        guard let session = state.content.session, session.isRunning, stands.isEmpty, !isBroken else {
            emptySince = nil
            return
        }
        let now = around.clock()
        guard let since = emptySince else { return emptySince = now }
        guard now.milliseconds(since: since) >= Self.longestEmpty else { return }
        emptySince = nil
        let owner = state.content.room.owner
        let name = state.content.membership(of: owner)?.name ?? ""
        // Ends the session in the owner's name; if the room refuses that, the session continues.
        _ = try? take(
            RoomEvent(id: .new(), act: .endSession),
            by: ActingUser(user: owner, name: name, hasScoreGrant: true))
        write()
    }

    // MARK: Snapshots

    /// Called every two seconds: ends a forgotten session, and writes a snapshot of the room after a while without
    /// events.
    func tidy() {
        endForgottenSession()
        guard eventsSinceState > 0, .now - lastEventAt > Self.idleBeforeState else { return }
        keepState()
    }

    /// Writes a snapshot of the room. It is encoded outside the actor so that nobody waits for it.
    private func keepState() {
        guard !isKeepingState, !isBroken else { return }
        isKeepingState = true
        eventsSinceState = 0
        let (copy, changes) = (state, passkeyChanges)
        Task.detached(priority: .utility) { [weak self] in
            let json = RoomJSON.bytes(copy)
            await self?.keep(json, sequence: copy.sequence, passkeyChanges: changes)
        }
    }

    private func keep(_ json: [UInt8], sequence: Int, passkeyChanges changes: Int) {
        isKeepingState = false
        guard changes == passkeyChanges, !isBroken else { return }
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
