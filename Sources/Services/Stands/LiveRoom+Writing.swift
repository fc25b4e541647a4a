import Catalogue
import Podium
import Rehearsal
import WebServer

/// First the disk, then everybody, then the answer.
extension LiveRoom {
    /// Events after which the whole room is written, so that a start has few to go through.
    private static let eventsBetweenStates = 500
    private static let idleBeforeState: Duration = .seconds(20)

    /// Milliseconds in which nothing is tried again: each failure costs reading the room.
    private static let restAfterFailure: Int64 = 1_000

    /// - Throws: where the disk took nothing just now.
    func checkDisk() throws(RoomFault) {
        guard let brokeAt, around.clock().milliseconds(since: brokeAt) < Self.restAfterFailure else { return }
        throw .unreadable
    }

    /// How a write went.
    enum Written {
        case all
        /// Words, pages and settings of stands are not on the disk; the room is.
        case allButPassingThings
        /// Something that happened in the room is not on the disk; nothing of it was delivered.
        case nothing
    }

    /// Waits until everything up to now is on the disk and was delivered.
    /// - Returns: false where some of it could not be written.
    func isWritten() async -> Bool { await written() == .all }

    /// The same, for who does not mind that a page is forgotten.
    func isRoomWritten() async -> Bool { await written() != .nothing }

    private func written() async -> Written {
        guard isWriting || !entries.isEmpty else { return isBroken ? .nothing : .all }
        return await withCheckedContinuation { continuation in
            waiting.append(continuation)
            write()
        }
    }

    /// Begins to write what waits, unless that is being done.
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
                    // Pages go on turning; only where they are is forgotten should the server die now.
                    carryOut(then)
                    for one in who { one.resume(returning: .allButPassingThings) }
                    continue
                }
                isBroken = true
                breaks += 1
                brokeAt = around.clock()
                // What was made since stands on what is lost.
                let lost = who + waiting
                (entries, consequences, waiting) = ([], [], [])
                await goOnFromTheDisk()
                for one in lost { one.resume(returning: .nothing) }
            }
        }
        isWriting = false
        if eventsSinceState >= Self.eventsBetweenStates { keepState() }
    }

    /// After a failed write: the stands hold what was delivered, which is what the disk holds, and stay.
    private func goOnFromTheDisk() async {
        do throws(RoomFault) { try await beWhole() } catch { sendStandsAway() }
    }

    /// Reads the room again where a write has failed.
    func beWhole() async throws(RoomFault) {
        if isRemoved { throw .noRoom }
        // Who asks once more finds the room that was read instead.
        if isRetired { throw .notReigning }
        guard isBroken else { return }
        let stored: StoredRoom?
        do throws(CatalogueError) {
            stored = try await around.store.room(id.description)
        } catch {
            throw .notStored(error)
        }
        // Somebody else may have been quicker.
        guard isBroken else { return }
        guard let stored else { throw .noRoom }
        do { state = try RoomState(stored) } catch { throw .unreadable }
        for (key, stand) in stands {
            guard let lying = stand.lying else { continue }
            state.note(
                ShownPage(user: key.user, part: lying.part, page: max(lying.turner.state.view.page, 0)))
        }
        // What failed is on the disk all the same: they come back and say what they have seen.
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

    /// Who may see the room now and could not before comes back at once and gets what it missed.
    private func admitWhoWaits() {
        for stand in stands.values where !stand.isInside && (try? checkVisibility(stand.member)) != nil {
            stand.stream.close()
        }
    }

    // MARK: Forgotten sessions

    /// A session without a stand for so long is ended by nobody any more.
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
        // As its owner would; where even that is refused it goes on.
        _ = try? take(
            RoomEvent(id: .new(), act: .endSession),
            by: ActingUser(user: owner, name: name, hasScoreGrant: true))
        write()
    }

    // MARK: The whole room

    /// For every now and then: writes the whole room where nothing has happened for a while.
    func tidy() {
        endForgottenSession()
        guard eventsSinceState > 0, .now - lastEventAt > Self.idleBeforeState else { return }
        keepState()
    }

    /// Writes the whole room, made ready beside so that nobody waits for it.
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
    /// As it lies on the disk: the state, and what was written behind it.
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
    /// Without it the room on the disk is another than the one that was delivered.
    fileprivate var isOfTheRoom: Bool {
        switch self {
        case .event, .state, .sessionBegan, .sessionEnded: true
        case .word, .spot, .settings: false
        }
    }
}
