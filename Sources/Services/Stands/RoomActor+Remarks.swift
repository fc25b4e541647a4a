import Catalogue
import Hosting
import Platform
import Rehearsal
import WebServer

/// Public remarks are rows of their scores in the catalogue. A room keeps a copy of them for its stands.
///
/// An act in the room is written into the score before the room takes it; an act in the score is told to the room
/// afterwards. If one of the two is missing, as after a crash, ``carryRemarks()`` makes them equal: remarks that the score
/// does not know come from the room, and otherwise the score counts.
extension RoomActor {
    /// The id of a room's layer in scores. Nobody can choose a room's id so that it becomes that of another layer.
    static func remarkLayerID(of room: RehearsalRoom.ID) -> ScoreLayer.ID {
        let bytes = Digest(of: Array("baton room layer \(room)".utf8)).bytes
        func number(_ range: Range<Int>) -> UInt64 { bytes[range].reduce(0) { $0 << 8 | UInt64($1) } }
        return .derived(high: number(0..<8), low: number(8..<16))
    }

    private var remarkLayer: ScoreLayer {
        .everybody(in: state.content.room, id: remarkLayerID, session: state.content.session?.id)
    }

    /// True if the user is in the room, and the room has had the score.
    /// - Parameter score: nil for any.
    func isJoined(by user: Rehearsal.User.ID, havingHad score: Rehearsal.Score.ID?) -> Bool {
        state.content.membership(of: user)?.status == .joined
            && (score.map { state.knownScores.contains($0) } ?? true)
    }

    /// The room's layer, for a member who may see the room; nil otherwise.
    func remarkLayer(for member: ActingUser) -> ScoreLayer? {
        (try? checkVisibility(member)) == nil ? nil : remarkLayer
    }

    // MARK: From the room into the score

    /// The answer of a score to an act in the room.
    enum ScoreVerdict {
        /// The act is on no remark, or changes none.
        case notAsked
        /// The score has the remark of the room's layer as the act leaves it.
        case accepted
        /// The score has accepted an act on the member's own layer, which does not concern the room.
        case acceptedBesideRoom
        case refused(RoomRefusal)
    }

    /// Writes what a member does to a remark into its score.
    func writeInScore(_ event: RoomEvent, by member: ActingUser) async throws(Refusal) -> ScoreVerdict {
        let request: RoomState.ScoreRequest?
        do throws(RoomRefusal) {
            request = try state.scoreRequest(for: event, by: member, layer: remarkLayerID)
        } catch {
            return .refused(error)
        }
        guard let request else { return .notAsked }
        if let refusal = try await refusalForSpace(of: request.event, by: member) { return .refused(refusal) }
        var refusal = RoomRefusal.noRemark
        for score in request.score.map({ [$0] }) ?? state.knownScores.filter(member.mayOpen).sorted() {
            guard let found = await dependencies.findScore(score) else {
                refusal = .scoreNotGiven
                continue
            }
            let writer = ScoreWriter(
                user: member.user, roomLayers: [remarkLayer], isLibrarian: false,
                pageCounts: found.pageCountsByPart)
            let outcome: ScoreEventOutcome
            do throws(CatalogueError) {
                outcome = try await dependencies.catalogue.applyScoreEvents(
                    [request.event], in: score, by: writer)
            } catch {
                throw .storeFailed(error)
            }
            dependencies.remarksChanged(score)
            if case .refused(_, let reason) = outcome.answers.first {
                refusal = reason
                continue
            }
            remarkActCount += 1
            // A remark on the room's layer that the room has lost.
            if !request.isOfRoom, !outcome.roomActs.isEmpty { isCarryDue = true }
            return request.isOfRoom ? .accepted : .acceptedBesideRoom
        }
        return .refused(refusal)
    }

    /// Takes the space of a remark; erasing is possible also without.
    private func refusalForSpace(
        of event: ScoreEvent, by member: ActingUser
    ) async throws(Refusal) -> RoomRefusal? {
        if case .eraseRemark = event.act { return nil }
        let bytes = RoomJSON.encode(event).count
        do throws(CatalogueError) {
            let shortage = try await dependencies.remarkSpace.take(
                bytes, for: member.user, mayUseReserve: false)
            return shortage.map { RoomRefusal.noSpace($0) }
        } catch {
            throw .storeFailed(error)
        }
    }

    // MARK: From the score into the room

    /// Tells the stands what a user has written into a score for everybody in the room.
    func tell(_ acts: [AcceptedAct], of score: Rehearsal.Score.ID, by user: Rehearsal.User.ID) async {
        do throws(Refusal) { try await reloadIfNeeded() } catch { return isCarryDue = true }
        remarkActCount += 1
        for act in acts {
            if let event = state.record(act, in: score, by: user, at: nextEventTime) { queueEvent(event) }
        }
        if await !waitUntilRoomEventsWritten() { isCarryDue = true }
    }

    /// Makes the room's public remarks and those of its scores equal, and moves private remarks of older versions to
    /// their authors' own layers. A score that the library does not have is left for later.
    func carryRemarks() async throws(CatalogueError) {
        guard isCarryDue, dependencies.isActiveServer() else { return }
        // Whatever makes it due again meanwhile must not be forgotten.
        isCarryDue = false
        var isCarried = false
        defer { if !isCarried { isCarryDue = true } }
        let layer = remarkLayer
        let reader = ScoreReader(state.content.room.owner, roomLayers: [layer])
        for score in state.knownScores.sorted() {
            guard await dependencies.findScore(score) != nil else { continue }
            var rows: [Remark]
            var actCount: Int
            repeat {
                actCount = remarkActCount
                try await dependencies.catalogue.carryRemarks(
                    state.remarksToCarry(of: score, layer: layer.id), to: score)
                rows =
                    try await dependencies.catalogue.remarks(onLayer: layer.id, of: score, seenBy: reader)
                    ?? []
            } while actCount != remarkActCount
            for event in state.adopt(rows, of: score, at: nextEventTime) { queueEvent(event) }
            guard state.forgetFormerOwnRemarks(of: score) else { continue }
            entriesToWrite.append(.state(sequence: state.sequence, json: RoomJSON.encode(state)))
        }
        isCarried = await waitUntilRoomEventsWritten()
    }
}

extension RoomHub {
    /// The layers of the rooms that a user sees and that have had a score.
    /// - Parameter score: nil for those of all scores.
    /// - Returns: nil if the rooms cannot be read now.
    func remarkLayers(of person: RehearsalRoomUser, in score: Rehearsal.Score.ID?) async -> [ScoreLayer]? {
        guard let rooms = try? await allRooms() else { return nil }
        var layers: [ScoreLayer] = []
        for room in rooms where await room.isJoined(by: person.id, havingHad: score) {
            let isGranted = score.map(room.programmeScores.withLock { $0.all }.contains) ?? false
            let member =
                isGranted
                ? ActingUser(user: person.id, name: person.name, hasScoreGrant: true)
                : try? await makeActingUser(person, of: room)
            if let member, let layer = await room.remarkLayer(for: member) { layers.append(layer) }
        }
        return layers.sorted { $0.id < $1.id }
    }

    /// Tells rooms what a user has written on their layers in a score.
    func tell(
        _ acts: [(layer: ScoreLayer.ID, act: AcceptedAct)], in score: Rehearsal.Score.ID,
        by user: Rehearsal.User.ID
    ) async {
        let byLayer = Dictionary(grouping: acts, by: \.layer)
        for room in rooms.withLock({ Array($0.values) }) {
            guard let acts = byLayer[room.remarkLayerID] else { continue }
            await room.tell(acts.map(\.act), of: score, by: user)
        }
    }

    /// Makes the remarks of all rooms and their scores equal, where that is due.
    func carryRemarks() async throws(CatalogueError) {
        for room in rooms.withLock({ Array($0.values) }) { try await room.carryRemarks() }
    }
}

extension RoomRefusal {
    fileprivate static func noSpace(_ shortage: RemarkSpace.Shortage) -> RoomRefusal {
        switch shortage {
        case .ofAccount:
            RoomRefusal(.full, "You have as many remarks as one account may have; erase some.")
        case .ofServer:
            RoomRefusal(.full, "The server's space for remarks is full; ask an administrator.")
        }
    }
}
