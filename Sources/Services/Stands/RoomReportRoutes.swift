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

        var report: SessionReport
        var names: [String: String]
        var score: ReportedScore
    }

    @Sendable private func listSessions(_ request: WebRequest) async -> WebResponse {
        await RoomRequestHandling.answerRoomRequest(request) { person throws(RoomError) in
            let room = try await roomHub.findRoom(RoomRequestHandling.parseRoomID(request))
            _ = try await room.members(for: roomHub.makeActingUser(person, of: room))
            let listed = try await mappingStoreErrors { store throws(CatalogueError) in
                try await store.sessions(ofRoom: room.id.description)
            }.map { ListedSession(id: $0.id, began: $0.beganMilliseconds, ended: $0.endedMilliseconds) }
            return .json(RoomJSON.encode(listed))
        }
    }

    @Sendable private func reportSession(_ request: WebRequest) async -> WebResponse {
        await RoomRequestHandling.answerRoomRequest(request) { person throws(RoomError) in
            try roomHub.chargeRateLimit(RoomRequestHandling.reportOrPrintCost, by: person)
            let room = try await roomHub.findRoom(RoomRequestHandling.parseRoomID(request))
            let members = try await room.members(for: roomHub.makeActingUser(person, of: room))
            guard let score = await roomHub.scoreLookup.findScore(room.scoreID) else { throw .noScore }
            let part = Int(request.queryParameters["part"] ?? "0") ?? -1
            guard score.parts.indices.contains(part) else { throw .noPart(part) }
            guard let wanted = RehearsalSession.ID(request.queryParameters["session"] ?? "") else {
                throw .noSession
            }
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
            let pieces = roomHub.pieceMaps
            let end =
                all[index].endedMilliseconds ?? next?.beganMilliseconds
                ?? Int64(Date.now.timeIntervalSince1970 * 1_000)
            let report = await Task.detached(priority: .utility) {
                SessionReport(
                    of: wanted,
                    events: events.compactMap { try? RoomJSON.decode(SequencedEvent.self, from: $0) }
                        // Private layers stay out of the report, even out of its counts.
                        .filter { !$0.isPrivate },
                    words: words.compactMap { stored in
                        (try? RoomJSON.decode(LivePositionUpdate.self, from: stored.json)).map {
                            LoggedLivePositionUpdate(
                                at: CalendarTime(milliseconds: stored.atMilliseconds), word: $0)
                        }
                    }, score: score, part: part, measures: pieces.measureMaps(of: score),
                    sections: pieces.sections(of: score), end: CalendarTime(milliseconds: end))
            }.value
            return .json(
                RoomJSON.encode(
                    SessionReportAnswer(
                        report: report,
                        names: Dictionary(
                            members.map { ($0.user.description, $0.name) }, uniquingKeysWith: { $1 }),
                        score: SessionReportAnswer.ReportedScore(
                            id: score.id, title: score.title, composer: score.composer,
                            movements: score.movements.map(\.name), parts: score.parts.map(\.name)))))
        }
    }

    private func mappingStoreErrors<Value: Sendable>(
        _ work: (RehearsalRoomStore) async throws(CatalogueError) -> Value
    ) async throws(RoomError) -> Value {
        do throws(CatalogueError) { return try await work(roomHub.store) } catch { throw .storeFailed(error) }
    }
}
