import Catalogue
import Foundation
import Hosting
import Rehearsal
import Score
import WebServer

/// The statistics of a room, for its members: the tuning of a session by its recording, and what was rehearsed how
/// often over all sessions.
struct RoomStatisticsRoutes {
    let roomHub: RoomHub
    /// Nil on a server that keeps no recordings.
    let analyst: TuningAnalyst?
    let history: RoomHistories

    var routes: [WebRoute] {
        [
            WebRoute(.get, "/api/rooms/:room/tuning", .signedIn) { await self.sendTuning($0) },
            WebRoute(.post, "/api/rooms/:room/tuning", .signedIn, bodyLimitBytes: 1_024) {
                await self.beginTuning($0)
            },
            WebRoute(.delete, "/api/rooms/:room/tuning", .signedIn, bodyLimitBytes: 1_024) {
                await self.interruptTuning($0)
            },
            WebRoute(.get, "/api/rooms/:room/history", .signedIn) { await self.sendHistory($0) },
        ]
    }

    private static let noRecordings = TuningAnswer(
        state: .failed, sentence: "This server keeps no recordings, so the tuning cannot be judged.")

    /// The room of a request, if the person is a member.
    private func room(
        _ request: WebRequest, _ person: RehearsalRoomUser
    ) async throws(Refusal) -> RoomActor {
        let room = try await roomHub.findRoom(RoomRequestHandling.parseRoomID(request))
        _ = try await room.members(for: roomHub.makeActingUser(person, of: room))
        return room
    }

    /// The score of a request.
    /// - Throws: ``Refusal/noScore`` unless the room plays it and the person was given it.
    func allowedScore(
        _ request: WebRequest, of room: RoomActor, for person: RehearsalRoomUser
    ) async throws(Refusal) -> Rehearsal.Score.ID {
        let id = RoomRequestHandling.parseScore(request, room)
        guard room.programmeScores.withLock({ $0.all.contains(id) }),
            try await roomHub.makeActingUser(person, of: room, alsoFor: [id]).mayOpen(id)
        else { throw .noScore }
        return id
    }

    /// The session of a request, which must be one of the room.
    private func session(
        _ request: WebRequest, of room: RoomActor
    ) async throws(Refusal) -> StoredRehearsalSession {
        guard let wanted = RehearsalSession.ID(request.queryParameters["session"] ?? "") else {
            throw .noSession
        }
        let all = try await mappingStoreErrors { store throws(CatalogueError) in
            try await store.sessions(ofRoom: room.id.description)
        }
        guard let found = all.first(where: { $0.id == wanted.description }) else { throw .noSession }
        return found
    }

    // MARK: Tuning

    private func sendTuning(_ request: WebRequest) async -> WebResponse {
        await RoomRequestHandling.answerRoomRequest(request) { person throws(Refusal) in
            let key = try await tuningKey(request, person)
            return .json(RoomJSON.encode(await tuningAnswer(for: key)))
        }
    }

    private func tuningKey(
        _ request: WebRequest, _ person: RehearsalRoomUser
    ) async throws(Refusal) -> RehearsedScore {
        let room = try await room(request, person)
        return RehearsedScore(
            session: try await session(request, of: room).id,
            score: try await allowedScore(request, of: room, for: person))
    }

    private func tuningAnswer(for key: RehearsedScore) async -> TuningAnswer {
        guard let analyst else { return Self.noRecordings }
        return await Task.detached(priority: .utility) { analyst.answer(for: key) }.value
    }

    private func beginTuning(_ request: WebRequest) async -> WebResponse {
        await RoomRequestHandling.answerRoomRequest(request) { person throws(Refusal) in
            try roomHub.chargeRateLimit(RoomRequestHandling.reportOrPrintCost, by: person)
            let room = try await room(request, person)
            let session = try await session(request, of: room)
            let id = try await allowedScore(request, of: room, for: person)
            guard let analyst else { return .json(RoomJSON.encode(Self.noRecordings)) }
            guard let score = await roomHub.scoreLookup.findScore(id) else { throw .noScore }
            let words = try await words(of: session.id, in: id, room)
            let holder = ResourceQuota.Holder(
                address: request.visitorAddress, account: person.id.description,
                trustLevel: request.person.map { WebRole.operators.contains($0.role) } ?? false
                    ? .staff : .anybody)
            do throws(ResourceQuota.Refusal) {
                _ = try analyst.begin(
                    .init(session: session.id, score: score, began: session.beganMilliseconds, words: words),
                    for: holder)
            } catch {
                return .refused(
                    503, "busy", "Other recordings are being analysed at this moment; try again in a minute."
                ).withHeader("Retry-After", "60")
            }
            return .json(
                RoomJSON.encode(await tuningAnswer(for: RehearsedScore(session: session.id, score: id))))
        }
    }

    private func interruptTuning(_ request: WebRequest) async -> WebResponse {
        await RoomRequestHandling.answerRoomRequest(request) { person throws(Refusal) in
            let key = try await tuningKey(request, person)
            analyst?.interrupt(key)
            return .succeeded
        }
    }

    // MARK: History

    private func sendHistory(_ request: WebRequest) async -> WebResponse {
        await RoomRequestHandling.answerRoomRequest(request) { person throws(Refusal) in
            try roomHub.chargeRateLimit(RoomRequestHandling.reportOrPrintCost, by: person)
            let room = try await room(request, person)
            let wanted = try await allowedScore(request, of: room, for: person)
            guard let score = await roomHub.scoreLookup.findScore(wanted) else { throw .noScore }
            let sessions = try await mappingStoreErrors { store throws(CatalogueError) in
                try await store.sessions(ofRoom: room.id.description)
            }
            let maps = roomHub.pieceMaps
            let measures = await history.measures(of: score, in: maps, analyst?.sound.models)
            var summed: [RehearsalHistory.Session] = []
            for (index, session) in sessions.enumerated().suffix(RoomHistories.mostSessions) {
                guard let id = RehearsalSession.ID(session.id) else { continue }
                let end =
                    session.endedMilliseconds
                    ?? (index + 1 < sessions.count
                        ? sessions[index + 1].beganMilliseconds
                        : Int64(Date.now.timeIntervalSince1970 * 1_000))
                let isOver = session.endedMilliseconds != nil || index + 1 < sessions.count
                let key = RehearsedScore(session: session.id, score: wanted)
                var seconds = isOver ? await history.known(key, measures) : nil
                if seconds == nil {
                    let words = try await words(of: session.id, in: wanted, room)
                    let computed = await Task.detached(priority: .utility) {
                        RehearsalHistory.secondsByBar(
                            words, measures: measures, end: CalendarTime(milliseconds: end))
                    }.value
                    if isOver { await history.keep(computed, of: key, measures) }
                    seconds = computed
                }
                summed.append(
                    RehearsalHistory.Session(
                        id: id, began: CalendarTime(milliseconds: session.beganMilliseconds),
                        seconds: seconds ?? []))
            }
            let whole = RehearsalHistory(
                score: score, measures: measures, sections: maps.sections(of: score), sessions: summed)
            return .json(RoomJSON.encode(whole))
        }
    }

    /// The positions of a session in one score; those in the room's other scores are silence.
    func words(
        of session: String, in score: Rehearsal.Score.ID, _ room: RoomActor
    ) async throws(Refusal) -> [LoggedLivePositionUpdate] {
        guard let id = RehearsalSession.ID(session) else { return [] }
        let roomScore = await room.state.content.room.score
        let stored = try await mappingStoreErrors { store throws(CatalogueError) in
            try await store.scorePositions(ofRoom: room.id.description, session: session)
        }
        return await Task.detached(priority: .utility) {
            let all = stored.compactMap { stored in
                (try? RoomJSON.decode(LivePositionUpdate.self, from: stored.json)).map {
                    LoggedLivePositionUpdate(at: CalendarTime(milliseconds: stored.atMilliseconds), word: $0)
                }
            }
            return ProgrammeReport(of: id, events: [], roomScore: roomScore, end: .zero)
                .positions(all, in: score)
        }.value
    }

    private func mappingStoreErrors<Value: Sendable>(
        _ work: (RehearsalRoomStore) async throws(CatalogueError) -> Value
    ) async throws(Refusal) -> Value {
        do throws(CatalogueError) { return try await work(roomHub.store) } catch { throw .storeFailed(error) }
    }
}
