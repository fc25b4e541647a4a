import Hosting
import WebServer

/// The addresses by which a piece begins with an evening that the server recorded. The sound is then heard by all who
/// prepare pieces, so they are for those who may do both: prepare, and hear recordings.
extension PreparationService {
    var eveningRoutes: [WebRoute] {
        let access = RouteAccess.roles(Self.roles.intersection(evenings.listeningRoles))
        return [
            WebRoute(.get, "/api/prepare/evenings", access) { _ in await eveningsResponse() },
            WebRoute(.post, "/api/prepare/pieces/:piece/evenings", access) {
                await Self.respond(takeEvening, $0)
            },
        ]
    }

    private func eveningsResponse() async -> WebResponse {
        let evenings = evenings
        return .json(
            await Task.detached(priority: .utility) {
                EveningsJSON(
                    now: evenings.presentRecording, evenings: evenings.listEvenings().map(EveningJSON.init))
            }.value)
    }

    @Sendable private func takeEvening(_ request: WebRequest) async throws(DraftFault) -> WebResponse {
        let piece = try await record(of: request).id
        let range = try Self.decode(EveningRange.self, request)
        let job = try await queue.submit(.takeEvening(range), of: piece)
        say(
            "\(Self.author(request)) takes \(EveningSentences.clock(range.from))–"
                + "\(EveningSentences.clock(range.to)) of the recording “\(range.evening)” for a piece.\n")
        return .json(["job": job])
    }
}

/// The evenings as the page gets them.
private struct EveningsJSON: Encodable {
    var now: PresentRecording
    var evenings: [EveningJSON]
}

struct EveningJSON: Encodable {
    struct Part: Encodable {
        var number: Int
        /// Seconds since the evening's first sound.
        var from: Double
        var seconds: Double
    }

    var name: String
    var title: String
    var pieces: [String]
    var isRunning: Bool
    /// Milliseconds since 1970 at the first sound.
    var startedAt: Int64
    /// The seconds from the first sound to the last, gaps included.
    var seconds: Double
    /// The files with sound, in order; they are heard at `/api/recordings`.
    var parts: [Part]

    init(_ evening: RecordedEvening) {
        let sound = EveningSound(name: evening.name, parts: evening.parts)
        (name, title, pieces) = (evening.name, evening.title, evening.pieces)
        isRunning = evening.isRunning
        startedAt = sound.parts.first?.startedAt ?? 0
        seconds = roundedToThousandths(sound.length)
        parts = sound.stretches.compactMap { stretch in
            sound.place(of: stretch.lowerBound).map {
                Part(
                    number: $0.part, from: roundedToThousandths(stretch.lowerBound - sound.firstSecond),
                    seconds: roundedToThousandths(stretch.upperBound - stretch.lowerBound))
            }
        }
    }
}
