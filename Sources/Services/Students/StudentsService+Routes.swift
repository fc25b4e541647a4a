import Basics
import Catalogue
import Foundation
import Hosting
import WebServer

/// The addresses of practising. Whoever is signed in may practise; a session belongs to its account and to the device
/// that has its secret.
extension StudentsService {
    package var routes: [WebRoute] {
        let own = [
            WebRoute(.get, "/api/practice/pieces", .signedIn) { await listResponse($0) },
            WebRoute(.get, "/api/practice/pieces/:piece", .signedIn) { request in
                try await pieceResponse(request)
            },
            WebRoute(.get, "/api/practice/pieces/:piece/pages/:page", .signedIn) { request in
                await pageResponse(request)
            },
            // Only takes that are kept need the disk; they ask for room themselves.
            WebRoute(.post, "/api/practice/sessions", .signedIn) { request in try await beginResponse(request)
            }
            .withoutDiskSpace,
            WebRoute(
                .post, "/api/practice/sessions/:session/blocks", .signedIn,
                bodyLimitBytes: SoundBatch.mostBytes
            ) { request in try await hearResponse(request) }.withoutDiskSpace,
            WebRoute(.post, "/api/practice/sessions/:session/place", .signedIn) { request in
                try await placeResponse(request)
            }.withoutDiskSpace,
            WebRoute(.delete, "/api/practice/sessions/:session", .signedIn) { request in
                try await endResponse(request)
            },
        ]
        return (own + partnerRoutes + takeRoutes + microphoneRoutes).explaining(Self.explain)
    }

    // MARK: Pieces

    /// The id of the account that asks; the routes admit nobody else.
    static func account(_ request: WebRequest) -> String { request.person?.id ?? "" }

    private struct PieceListJSON: Encodable {
        struct Piece: Encodable {
            var folder: String
            var name: String
            var seconds: Double
            var bars: Int
        }

        var pieces: [Piece]
        /// The sessions that run, and how many may.
        var sessions: Int
        var mostSessions: Int
    }

    private func listResponse(_ request: WebRequest) async -> WebResponse {
        let (pieces, account) = (pieces, Self.account(request))
        let list = await Task.detached(priority: .utility) { pieces.summaries(for: account) }.value
        return .json(
            PieceListJSON(
                pieces: list.map {
                    .init(
                        folder: $0.folder, name: $0.name.text,
                        seconds: roundedToThousandths($0.durationSeconds), bars: $0.measureCount)
                }, sessions: register.count, mostSessions: register.limits.total))
    }

    private func pieceResponse(_ request: WebRequest) async throws -> WebResponse {
        let (pieces, recordings) = (pieces, recordings)
        let (folder, account) = (request.pathParameters["piece"] ?? "", Self.account(request))
        return try await Task.detached(priority: .utility) { () -> WebResponse in
            let shared = try pieces.load(folder, for: account)
            return .json(
                PracticePieceJSON(
                    folder: folder, model: shared.programme.pieceModels[0], recordings: recordings,
                    data: pieces.data))
        }.value
    }

    private func pageResponse(_ request: WebRequest) async -> WebResponse {
        let (pieces, recordings) = (pieces, recordings)
        let (folder, number) = (request.pathParameters["piece"] ?? "", request.pathParameters["page"] ?? "")
        let account = Self.account(request)
        let page = await Task.detached(priority: .utility) { () -> (svg: [UInt8], isCompressed: Bool)? in
            guard let number = Int(number), let shared = try? pieces.load(folder, for: account) else {
                return nil
            }
            let bars = shared.programme.pieceModels[0].measures.marks.count
            return PracticePages(piece: folder, recordings: recordings, bars: bars)?.page(number)
        }.value
        guard let page else { return .refused(404, "missing", "This page no longer exists.") }
        let answer = WebResponse(contentType: "image/svg+xml", body: page.svg)
            .withHeader("Content-Security-Policy", "default-src 'none'; style-src 'unsafe-inline'; sandbox")
            .forOnePerson
        return page.isCompressed ? answer.withHeader("Content-Encoding", "gzip") : answer
    }

    /// What errors mean to people who practise.
    @Sendable static func explain(_ error: any Error) -> Refusal? {
        switch error {
        case let error as CatalogueError: Refusal(503, "not-stored", error.sentenceWithoutPath)
        case let fault as SoundBatch.Fault: Refusal(422, "bad-sound", fault.sentence)
        case PracticePieces.Fault.missing:
            Refusal(404, "missing", "This piece is not prepared on this server. Choose another one.")
        case PracticePieces.Fault.tooMany:
            Refusal(
                503, "full",
                "\(PracticePieces.mostLoaded) different pieces are being practised, the most at once. Choose one "
                    + "of them, or try again later.")
        case PracticePieces.Fault.unreadable(let sentence):
            Refusal(422, "unreadable", WebResponse.removeMachinePaths(sentence))
        case ResourceQuota.Refusal.full:
            Refusal(
                503, "full", "All places for practising are taken. Try again when somebody has finished.")
        case ResourceQuota.Refusal.addressHasItsShare(let most):
            Refusal(
                503, "full",
                "\(most) people practise from your network address, the most one may have. Try again when "
                    + "somebody has finished.")
        case ResourceQuota.Refusal.accountHasItsShare(let most):
            Refusal(
                409, "too-many",
                "\(most) devices practise with your account, the most there may be. End one of them first.")
        default: nil
        }
    }

    // MARK: Sessions

    private struct BeginRequest: Decodable {
        var piece: String
        var rate: Double
        /// True if the take is kept.
        var keep: Bool?
        /// The browser's processing of the sound: true means on; a missing setting is unknown.
        var settings: ProcessingSettings?
    }

    private struct SessionJSON: Encodable {
        var id: String
        var secret: String
    }

    /// The rates of microphones, in hertz.
    static let rates = 8_000.0...192_000.0

    private func beginResponse(_ request: WebRequest) async throws -> WebResponse {
        let order = try JSONBody.decode(BeginRequest.self, from: request.body)
        guard Self.rates.contains(order.rate) else {
            return .refused(
                422, "bad-rate", "A microphone has 8000 to 192000 samples a second, not \(order.rate).")
        }
        let lease = try register.takePlace(PracticeRegister.holder(request))
        let (pieces, account) = (pieces, Self.account(request))
        let shared = try await Task.detached(priority: .utility) {
            try pieces.load(order.piece, for: account)
        }.value
        let kept: PracticeSession.TakeOrder?
        do { kept = try await beginTake(order, of: shared, request) } catch let fault as TakeFault {
            return .refused(507, "not-kept", fault.sentence + " You can practise without keeping it.")
        }
        let entry = register.add(
            piece: order.piece, shared: shared, rate: SampleRate(hertz: order.rate),
            owner: Self.owner(request), lease: lease, keeping: kept)
        return .json(SessionJSON(id: entry.id, secret: entry.secret.text))
    }

    private func beginTake(
        _ order: BeginRequest, of shared: PracticePieces.SharedProgramme, _ request: WebRequest
    ) async throws -> PracticeSession.TakeOrder? {
        guard order.keep == true else { return nil }
        let (models, recordings) = (pieces.models, recordings)
        let take = Take(
            piece: order.piece, pieceName: shared.programme.title,
            tab: TabPieceOwners(recordings: recordings).tab(of: order.piece),
            startedAt: Int64(Date().timeIntervalSince1970 * 1_000), processing: order.settings?.words ?? [:])
        let (takes, owner) = (takes, Self.owner(request))
        let (name, folder) = try await Task.detached(priority: .utility) {
            try takes.begin(take, owner: owner) { folder throws(TakeFault) in
                try TakePiece(folder: folder).keep(take.piece, models: models, recordings: recordings)
            }
        }.value
        var kept = take
        kept.pieceKeptAt = take.startedAt
        return PracticeSession.TakeOrder(name: name, folder: folder, take: kept, reserve: takes.reserve)
    }

    private func hearResponse(_ request: WebRequest) async throws -> WebResponse {
        let batch = try SoundBatch(request.body)
        guard let entry = entry(request, secret: batch.secret) else { return Self.endedResponse }
        do throws(BlockSequencer.Fault) {
            let position = try await entry.session.hear(batch.blocks)
            if Double(position.heard) > PracticeRegister.longestSeconds * entry.rate.hertz {
                register.remove(entry.id)
                _ = await entry.session.finish()
            }
            return .json(position)
        } catch {
            return .refused(
                422, "too-far", "More than a minute of sound is missing before these blocks. Start again.")
        }
    }

    private struct PlaceRequest: Decodable {
        var secret: String
        /// The played bar, counted from 0.
        var played: Int
    }

    private func placeResponse(_ request: WebRequest) async throws -> WebResponse {
        let order = try JSONBody.decode(PlaceRequest.self, from: request.body)
        guard let entry = entry(request, secret: order.secret) else { return Self.endedResponse }
        guard entry.shared.programme.pieceModels[0].measures.marks.indices.contains(order.played) else {
            return .refused(422, "no-bar", "The piece has no such bar.")
        }
        return .json(await entry.session.begin(at: order.played))
    }

    private struct EndRequest: Decodable {
        var secret: String
    }

    private func endResponse(_ request: WebRequest) async throws -> WebResponse {
        let order = try JSONBody.decode(EndRequest.self, from: request.body)
        guard let entry = entry(request, secret: order.secret) else { return Self.endedResponse }
        register.remove(entry.id)
        return .json(await entry.session.finish())
    }

    private func entry(_ request: WebRequest, secret: String) -> PracticeRegister.Entry? {
        register.entry(
            request.pathParameters["session"] ?? "", secret: secret, owner: Self.owner(request))
    }

    static func owner(_ request: WebRequest) -> String { request.person?.id ?? "" }

    private static let endedResponse = WebResponse.refused(
        404, "ended",
        "This session is over, because no sound came for a while or the server was started again. Start again."
    )
}
