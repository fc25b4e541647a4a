import Catalogue
import Foundation
import Hosting
import WebServer

/// The addresses of takes. Whoever is signed in has only the account's own.
extension StudentsService {
    var takeRoutes: [WebRoute] {
        [
            WebRoute(.get, "/api/practice/takes", .signedIn) { request in await takesResponse(request) },
            WebRoute(.get, "/api/practice/takes/:take/sound", .signedIn) { request in
                await soundResponse(request)
            },
            WebRoute(.get, "/api/practice/takes/:take/report", .signedIn) { request in
                await reportResponse(request)
            },
            WebRoute(.delete, "/api/practice/takes/:take", .signedIn) { request in
                await deletionResponse(request)
            },
        ]
    }

    private struct TakeJSON: Encodable {
        var name: String
        var piece: String
        var pieceName: String
        @OrNull var tab: String?
        var startedAt: Int64
        @OrNull var seconds: Double?
        var lostSeconds: Double
        var processing: [String: String]
        @OrNull var trouble: String?
        var bytes: Int

        init(_ entry: TakeStore.Entry) {
            let take = entry.take
            (name, piece, pieceName, bytes) = (entry.name, take.piece, take.pieceName, entry.bytes)
            (startedAt, processing) = (take.startedAt, take.processing)
            _tab = OrNull(wrappedValue: take.tab)
            (_seconds, _trouble) = (
                OrNull(wrappedValue: take.seconds.map(roundedToThousandths)),
                OrNull(wrappedValue: take.trouble)
            )
            lostSeconds = roundedToThousandths(take.lostSeconds)
        }
    }

    private func takesResponse(_ request: WebRequest) async -> WebResponse {
        let (takes, owner) = (takes, Self.owner(request))
        let list = await Task.detached(priority: .utility) { takes.list(of: owner).map(TakeJSON.init) }.value
        return .json(["takes": list])
    }

    private func found(_ request: WebRequest) async -> (take: Take, sound: String)? {
        let (takes, owner, name) = (takes, Self.owner(request), request.pathParameters["take"] ?? "")
        return await Task.detached(priority: .utility) { try? takes.take(name, of: owner) }.value
    }

    private func soundResponse(_ request: WebRequest) async -> WebResponse {
        guard let (take, sound) = await found(request) else { return Self.missingTake }
        guard take.seconds != nil else { return Self.unfinishedTake }
        return WebResponse.file(sound, contentType: "audio/flac", tag: "\(take.startedAt)")
            .withHeader("Cache-Control", "no-store")
    }

    private func reportResponse(_ request: WebRequest) async -> WebResponse {
        guard let (take, sound) = await found(request) else { return Self.missingTake }
        guard take.seconds != nil else { return Self.unfinishedTake }
        do throws(ResourceQuota.Refusal) {
            return .json(
                try await reporter.report(
                    on: take, sound: sound, key: sound, for: PracticeRegister.holder(request)))
        } catch {
            return .refused(
                503, "busy", "Another report is being made at this moment; try again in a few seconds."
            ).withHeader("Retry-After", "3")
        }
    }

    private func deletionResponse(_ request: WebRequest) async -> WebResponse {
        let (takes, owner, name) = (takes, Self.owner(request), request.pathParameters["take"] ?? "")
        // Noted first, so that a copy on the backup server goes too, also if this server ends now.
        if await found(request) != nil {
            do throws(CatalogueError) { try await erasures.note(name, of: owner) } catch {
                return .refused(507, "not-deleted", error.sentence)
            }
        }
        let fault = await Task.detached(priority: .utility) { () -> TakeFault? in
            do throws(TakeFault) {
                try takes.delete(name, of: owner)
                return nil
            } catch { return error }
        }.value
        switch fault {
        case nil: return .succeeded
        case .missing: return Self.missingTake
        case let fault?: return .refused(507, "not-deleted", fault.sentence)
        }
    }

    private static let unfinishedTake = WebResponse.refused(
        409, "unfinished", "This take has not ended; its sound and its report are there when it has.")
    private static let missingTake = WebResponse.refused(404, "missing", TakeFault.missing.sentence)
}
