import Catalogue
import Foundation
import Hosting
import Rehearsal
import WebServer

/// Lists a room's sessions and reports on one of them, for the room's members.
struct RoomReportRoutes {
    let roomHub: RoomHub

    var routes: [WebRoute] {
        [
            WebRoute(.get, "/api/rooms/:room/sessions", .signedIn, answer: listSessions),
            WebRoute(.get, "/api/rooms/:room/report", .signedIn, answer: reportSession),
        ]
    }

    private struct ListedSession: Encodable {
        private enum CodingKeys: CodingKey { case id, began, ended }

        var id: String
        var began: Int64
        @OrNull var ended: Int64?
    }

    private struct SessionReportAnswer: Encodable {
        struct ReportedScore: Encodable {
            var id: Rehearsal.Score.ID
            var title: String
            var composer: String
            var movements: [String]
            var parts: [String]
        }

        /// A score that was open in the session, in the order of the evening.
        struct ReportedPiece: Encodable {
            private enum CodingKeys: CodingKey {
                case score, title, composer, openSeconds, playedSeconds, lostSeconds, retakes, tempo
            }

            var score: Rehearsal.Score.ID
            var title: String
            var composer: String
            var openSeconds: Double
            var playedSeconds: Double
            var lostSeconds: Double
            var retakes: Int
            @OrNull var tempo: Double?
        }

        var report: SessionReport
        var names: [String: String]
        var score: ReportedScore
        var pieces: [ReportedPiece]
        /// The names of the parts of all these scores, by the id of the score.
        var parts: [String: [String]]
    }

    @Sendable private func listSessions(_ request: WebRequest) async -> WebResponse {
        await RoomRequestHandling.answerRoomRequest(request) { person throws(Refusal) in
            let room = try await roomHub.findRoom(RoomRequestHandling.parseRoomID(request))
            _ = try await room.members(for: roomHub.makeActingUser(person, of: room))
            let listed = try await mappingStoreErrors { store throws(CatalogueError) in
                try await store.sessions(ofRoom: room.id.description)
            }.map { ListedSession(id: $0.id, began: $0.beganMilliseconds, ended: $0.endedMilliseconds) }
            return .json(RoomJSON.encode(listed))
        }
    }

    @Sendable private func reportSession(_ request: WebRequest) async -> WebResponse {
        await RoomRequestHandling.answerRoomRequest(request) { person throws(Refusal) in
            try roomHub.chargeRateLimit(RoomRequestHandling.reportOrPrintCost, by: person)
            let room = try await roomHub.findRoom(RoomRequestHandling.parseRoomID(request))
            let member = try await roomHub.makeActingUser(person, of: room)
            let members = try await room.members(for: member)
            let part = Int(request.queryParameters["part"] ?? "0") ?? -1
            let log = try await readSessionLog(of: room, session: request.queryParameters["session"] ?? "")
            let scores = try await playedScores(in: log, of: room, by: person)
            let named = request.queryParameters["score"].flatMap { Rehearsal.Score.ID($0) }
            guard let score = named.map({ id in scores.first { $0.id == id } }) ?? scores.first else {
                throw .noScore
            }
            guard score.parts.indices.contains(part) else { throw .noPart(part) }
            let pieces = roomHub.pieceMaps
            let reports = await Task.detached(priority: .utility) {
                scores.map { each in
                    log.report(of: each, part: each.id == score.id ? part : 0, pieces)
                }
            }.value
            guard let index = scores.firstIndex(where: { $0.id == score.id }) else { throw .noScore }
            return .json(
                RoomJSON.encode(
                    SessionReportAnswer(
                        report: reports[index],
                        names: Dictionary(
                            members.map { ($0.user.description, $0.name) }, uniquingKeysWith: { $1 }),
                        score: SessionReportAnswer.ReportedScore(
                            id: score.id, title: score.title, composer: score.composer,
                            movements: score.movements.map(\.name), parts: score.parts.map(\.name)),
                        pieces: Self.reportedPieces(scores, reports, log),
                        parts: Dictionary(
                            scores.map { ($0.id.description, $0.parts.map(\.name)) }, uniquingKeysWith: { $1 }
                        ))))
        }
    }

    /// Reads a session's events and positions. A session that has not ended lasts until the next one, or until now.
    private func readSessionLog(of room: RoomActor, session: String) async throws(Refusal) -> SessionLog {
        guard let wanted = RehearsalSession.ID(session) else { throw .noSession }
        let id = room.id.description
        let all = try await mappingStoreErrors { store throws(CatalogueError) in
            try await store.sessions(ofRoom: id)
        }
        guard let index = all.firstIndex(where: { $0.id == wanted.description }) else { throw .noSession }
        let next = all[safe: index + 1]
        let (events, words) = try await mappingStoreErrors { store throws(CatalogueError) in
            (
                try await store.events(
                    ofRoom: id, from: all[index].beginningEventSequence,
                    before: next?.beginningEventSequence),
                try await store.scorePositions(ofRoom: id, session: wanted.description)
            )
        }
        let end =
            all[index].endedMilliseconds ?? next?.beganMilliseconds
            ?? Int64(Date.now.timeIntervalSince1970 * 1_000)
        return await SessionLog(
            session: wanted, events: events, words: words, roomScore: room.state.content.room.score,
            end: CalendarTime(milliseconds: end))
    }

    /// The scores of the session's programme that a person may open. Whoever was not given a score of the evening gets
    /// the report of the others.
    private func playedScores(
        in log: SessionLog, of room: RoomActor, by person: RehearsalRoomUser
    ) async throws(Refusal) -> [Rehearsal.Score] {
        let rights = try await roomHub.makeActingUser(person, of: room, alsoFor: Set(log.programme.scores))
        var played: [Rehearsal.Score] = []
        for id in log.programme.scores where rights.mayOpen(id) {
            if let score = await roomHub.scoreLookup.findScore(id) { played.append(score) }
        }
        return played
    }

    private static func reportedPieces(
        _ scores: [Rehearsal.Score], _ reports: [SessionReport], _ log: SessionLog
    ) -> [SessionReportAnswer.ReportedPiece] {
        zip(scores, reports).map { each, report in
            SessionReportAnswer.ReportedPiece(
                score: each.id, title: each.title, composer: each.composer,
                openSeconds: log.programme.openSeconds(each.id),
                playedSeconds: report.playedSeconds, lostSeconds: report.lostSeconds,
                retakes: report.retakes.count, tempo: report.tempo)
        }
    }

    /// The log of one session, decoded.
    private struct SessionLog: Sendable {
        var session: RehearsalSession.ID
        var events: [SequencedEvent]
        var words: [LoggedLivePositionUpdate]
        var programme: ProgrammeReport
        var end: CalendarTime

        init(
            session: RehearsalSession.ID, events: [[UInt8]], words: [StoredScorePosition],
            roomScore: Rehearsal.Score.ID, end: CalendarTime
        ) async {
            (self.session, self.end) = (session, end)
            (self.events, self.words) = await Task.detached(priority: .utility) {
                (
                    events.compactMap { try? RoomJSON.decode(SequencedEvent.self, from: $0) }
                        // Private layers stay out of the report, even out of its counts.
                        .filter { !$0.isPrivate },
                    words.compactMap { stored in
                        (try? RoomJSON.decode(LivePositionUpdate.self, from: stored.json)).map {
                            LoggedLivePositionUpdate(
                                at: CalendarTime(milliseconds: stored.atMilliseconds), word: $0)
                        }
                    }
                )
            }.value
            programme = ProgrammeReport(of: session, events: self.events, roomScore: roomScore, end: end)
        }

        func report(of score: Rehearsal.Score, part: Int, _ pieces: ProgrammePieceMaps) -> SessionReport {
            SessionReport(
                of: session, events: programme.events(events, of: score.id),
                words: programme.positions(words, in: score.id), score: score, part: part,
                measures: pieces.measureMaps(of: score), sections: pieces.sections(of: score), end: end)
        }
    }

    private func mappingStoreErrors<Value: Sendable>(
        _ work: (RehearsalRoomStore) async throws(CatalogueError) -> Value
    ) async throws(Refusal) -> Value {
        do throws(CatalogueError) { return try await work(roomHub.store) } catch { throw .storeFailed(error) }
    }
}
