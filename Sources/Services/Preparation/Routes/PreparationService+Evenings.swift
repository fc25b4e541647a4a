import Hosting
import WebServer

/// The addresses by which a piece begins with an evening that the server recorded. The sound is then heard by all who
/// prepare pieces, so they are for those who may do both: prepare, and hear recordings.
extension PreparationService {
    var eveningRoutes: [WebRoute] {
        let roles = Self.roles.intersection(evenings.listeningRoles)
        let access = RouteAccess.roles(roles)
        return [
            WebRoute(.get, "/api/prepare/rights", Self.access) { request in
                .json(PreparationRights(evenings: request.person.map { roles.contains($0.role) } ?? false))
            },
            WebRoute(.get, "/api/prepare/evenings/now", access) { _ in await presentPlaceResponse() },
            WebRoute(.get, "/api/prepare/evenings", access) { _ in await eveningsResponse() },
            WebRoute(.post, "/api/prepare/pieces/:piece/evenings", access) { try await takeEvening($0) },
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

    private func presentPlaceResponse() async -> WebResponse {
        let evenings = evenings
        return .json(await Task.detached(priority: .utility) { PresentPlaceJSON(of: evenings) }.value)
    }

    @Sendable private func takeEvening(_ request: WebRequest) async throws(Refusal) -> WebResponse {
        let piece = try await record(of: request).id
        let range = try Self.decode(EveningRange.self, request)
        let job = try await queue.submit(.takeEvening(range), of: piece)
        say(
            "\(Self.author(request)) takes \(EveningSentences.clock(range.from))–"
                + "\(EveningSentences.clock(range.to)) of the recording “\(range.evening)” for a piece.\n")
        return .json(["job": job])
    }
}

/// The rights of the page's user besides preparing.
private struct PreparationRights: Encodable {
    /// True for those who may begin a piece with a recording of this server.
    var evenings: Bool
}

/// The place of the present moment in the recording that is being made.
struct PresentPlaceJSON: Encodable {
    @OrNull var evening: String?
    var title: String
    /// Seconds from the evening's first sound to the newest one; null while no sound is recorded.
    @OrNull var seconds: Double?
    /// Says whether the sound is recorded, and if not, why.
    var sentence: String

    /// Reads the disk.
    init(of evenings: any RecordedEvenings) {
        let now = evenings.presentRecording
        let evening = now.name.flatMap { evenings.evening(named: $0) }
        (title, sentence) = (evening?.title ?? "", now.sentence)
        self.evening = now.name
        seconds = now.partNumber.flatMap { number in
            evening.flatMap {
                EveningSound(name: $0.name, parts: $0.parts)
                    .secondsSinceFirstSound(inPart: number, at: now.partSeconds)
            }
        }.map(roundedToThousandths)
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
