import Basics
import Floor
import Hosting
import Podium
import PresentingProtocol
import ScorePages
import WebServer

/// The addresses of the page `/present`. A session's secret token is in the query, which no log has.
struct PresentRoutes {
    let show: ShowInbox
    let slides: SlideStore
    let drawings: DrawingBoard
    let presenters: PagePresenters
    /// The code with which guests join; nil if only people with an account may.
    let code: SpeakersCode?
    let limits: PresentingLimits
    let guesses: CodeGuesses

    init(
        show: ShowInbox, slides: SlideStore, drawings: DrawingBoard, presenters: PagePresenters,
        code: SpeakersCode?, limits: PresentingLimits, guesses: CodeGuesses = CodeGuesses()
    ) {
        (self.show, self.slides, self.drawings, self.presenters) = (show, slides, drawings, presenters)
        (self.code, self.limits, self.guesses) = (code, limits, guesses)
    }

    var routes: [WebRoute] {
        let streams = PersonalStreams(
            ResourceQuota.Limits(total: 2 * PagePresenters.mostSessions, reserve: 32, perAddress: 100),
            openStream: openStream)
        return [
            WebRoute(.post, "/api/present/join", .anybody, bodyLimitBytes: 2_048, answer: joinAsGuest),
            WebRoute(
                .post, "/api/present/join/account", .signedIn, bodyLimitBytes: 2_048, answer: joinWithAccount),
            .personalStreams("/api/present/stream", .anybody, streams),
            WebRoute(.post, "/api/present/act", .anybody, bodyLimitBytes: 2_048) {
                try await inSession($0, act)
            },
            WebRoute(.post, "/api/present/draw", .anybody, bodyLimitBytes: 16_384) {
                try await inSession($0, draw)
            },
            WebRoute(.post, "/api/present/uploads", .anybody, bodyLimitBytes: 2_048) {
                try await inSession($0, beginUpload)
            },
            WebRoute(
                .put, "/api/present/uploads/:upload", .anybody, bodyLimitBytes: SlidesUpload.pieceBytes
            ) { try await inSession($0, addPiece) },
            WebRoute(.get, "/api/present/pages/:document/:page", .anybody, answer: sendOwnPage),
            WebRoute(.get, "/api/present/videos", .anybody) { try await inSession($0, listVideos) },
            .stream("/api/floor/drawings", .anybody, drawings.eventHub).openToOtherServer
                .recognisingDevices(),
        ]
    }

    // MARK: Joining

    private struct Joining: Decodable {
        var name: String
        var code: String?
    }

    private struct Joined: Encodable {
        var token: String
    }

    @Sendable private func joinAsGuest(_ request: WebRequest) async throws -> WebResponse {
        guard let code else {
            return .refused(
                403, "no-guests",
                "This server takes speakers with an account only; sign in, or ask the moderator.")
        }
        let address = request.visitorAddress
        let joining = try JSONBody.decode(Joining.self, from: request.body)
        switch await guesses.verdict(isRight: code.isRight(joining.code ?? ""), from: address) {
        case true?: return join(joining.name, address)
        case false?:
            try? await Task.sleep(for: CodeGuesses.wait)
            return .refused(403, "wrong-code", "This is not the code; ask the moderator for it.")
        case nil:
            return .refused(
                429, "busy",
                "Many wrong codes come from your network, so yours has to wait for its turn. It is sent again by "
                    + "itself."
            ).withHeader("Retry-After", "2")
        }
    }

    @Sendable private func joinWithAccount(_ request: WebRequest) async throws -> WebResponse {
        return join(try JSONBody.decode(Joining.self, from: request.body).name, request.visitorAddress)
    }

    private func join(_ name: String, _ address: String) -> WebResponse {
        let name = NameRule.cleaned(name)
        guard Self.isName(name) else {
            return .refused(
                422, "bad-value",
                "A name has 1 to \(FloorState.longestName) bytes and no control characters; write another one."
            )
        }
        guard show.newestSnapshot.isActiveServer else { return Self.inactive }
        guard let token = presenters.begin(name: name, from: address) else {
            return .refused(503, "full", "There are as many speakers as there may be; ask the moderator.")
        }
        return .json(Joined(token: token))
    }

    static func isName(_ name: String) -> Bool {
        (1...FloorState.longestName).contains(name.utf8.count) && NameRule.isFit(name)
    }

    private static let inactive = WebResponse.refused(
        503, "not-reigning", "This server is the backup; open the page of the main one."
    ).withHeader("Retry-After", "1")

    private static let noSession = WebResponse.refused(
        401, "no-session", "The server does not know this session any more; join again.")

    private static let removed = WebResponse.refused(
        403, "removed", "The moderator has ended your session; join again if you want to speak.")

    private func session(_ request: WebRequest) -> PagePresenter? {
        request.queryParameters["token"].flatMap { presenters.session(of: $0, from: request.visitorAddress) }
    }

    private func openStream(_ request: WebRequest) async -> PersonalStreams.OpenResult {
        guard show.newestSnapshot.isActiveServer else { return .refused(Self.inactive) }
        if let token = request.queryParameters["token"], presenters.isRemoved(token) {
            return .refused(Self.removed)
        }
        guard let session = session(request) else { return .refused(Self.noSession) }
        let stream = PersonalStream(slots: PagePresenters.Slot.count) { session.remove($0) }
        if let refusal = await session.add(stream) {
            stream.close()
            return .refused(refusal)
        }
        stream.sendFirstMessages(presenters.firstMessages(for: session))
        return .stream(stream)
    }

    // MARK: Requests of a session

    private func inSession(
        _ request: WebRequest, _ answer: (WebRequest, PagePresenter) async throws -> WebResponse
    ) async throws -> WebResponse {
        guard let session = session(request) else { return Self.noSession }
        guard session.beginRequest() else {
            return .refused(429, "too-many", "Wait for the answers to what you have asked already.")
                .withHeader("Retry-After", "1")
        }
        defer { session.endRequest() }
        return try await answer(request, session)
    }

    private func act(_ request: WebRequest, _ session: PagePresenter) async throws -> WebResponse {
        let order = try JSONBody.decode(PresenterOrder.self, from: request.body)
        guard let action = order.presenterAction else {
            return .refused(
                422, "bad-action",
                "“\(order.action.prefix(40))” is no action of a speaker, or something it needs is missing.")
        }
        do { return try await session.entrance.act(action).refusalResponse } catch {
            return Self.notRegistered
        }
    }

    private static let notRegistered = WebResponse.refused(
        409, "no-presenter", "You are not connected at the moment; the page connects again by itself.")

    /// Takes the content of an annotation message: `?type=` and its bytes.
    private func draw(_ request: WebRequest, _ session: PagePresenter) async -> WebResponse {
        guard let type = request.queryParameters["type"].flatMap(UInt16.init),
            SlideDrawing(type: type, bytes: request.body) != nil
        else { return .refused(422, "bad-drawing", DrawingRefusal.notUnderstood.sentence) }
        do {
            return try await session.entrance.draw(type: type, bytes: request.body).refusalResponse
        } catch let refusal as DrawingRefusal {
            return .refused(409, refusal.code, refusal.sentence)
        } catch {
            return Self.notRegistered
        }
    }

    private struct NewUpload: Decodable {
        var bytes: Int
        /// The name of a video; left out for slides.
        var video: String?
    }

    private func beginUpload(_ request: WebRequest, _ session: PagePresenter) async throws -> WebResponse {
        let upload = try JSONBody.decode(NewUpload.self, from: request.body)
        let (kind, most) =
            upload.video == nil ? ("PDF", limits.largestPDF) : ("video", limits.largestVideo)
        guard upload.bytes > 0 else {
            return .refused(422, "bad-value", "This file is empty; choose another one.")
        }
        guard upload.bytes <= most else {
            return .refused(
                413, "too-large", "A \(kind) may have \(most / 1_000_000) MB; make it smaller.")
        }
        guard upload.video.map(VideoReceiver.isName) ?? true else {
            return .refused(
                422, "bad-value",
                "The name of a video has 1 to \(limits.longestFileName) bytes; rename the file.")
        }
        guard session.entrance.presenter != nil else { return Self.notRegistered }
        return await session.upload.begin(byteCount: upload.bytes, videoName: upload.video)
    }

    private struct Video: Encodable {
        var document: String
        var name: String
    }

    /// A speaker's own videos; the others do not see their names.
    private func listVideos(_ request: WebRequest, _ session: PagePresenter) async -> WebResponse {
        .json(session.entrance.videos.map { Video(document: $0.id, name: $0.name) })
    }

    private func addPiece(_ request: WebRequest, _ session: PagePresenter) async -> WebResponse {
        guard let id = request.pathParameters["upload"],
            let offset = request.queryParameters["offset"].flatMap({ Int($0) })
        else { return .refused(422, "bad-value", "The offset of the piece is missing.") }
        return await session.upload.add(request.body, at: offset, of: id)
    }

    /// A speaker gets the pages of the own slides, also before they are shown.
    @Sendable private func sendOwnPage(_ request: WebRequest) async -> WebResponse {
        let missing = WebResponse.refused(404, "no-page", "Your slides have no such page.")
        guard let session = session(request), let id = session.entrance.presenter,
            let document = request.pathParameters["document"],
            let page = Int(request.pathParameters["page"] ?? ""),
            let known = show.newestSnapshot.state.floor?.document(document),
            known.owner == id, known.kind == .slides, (1...known.pages).contains(page)
        else { return missing }
        let size: PageImageSize = request.queryParameters["size"] == "small" ? .thumbnail : .small
        guard let image = await slides.image(of: document, page: page, size: size) else { return missing }
        return WebResponse(contentType: image.mediaType, body: image.bytes)
            .forOnePerson
    }
}

extension DrawingRefusal {
    var code: String {
        switch self {
        case .notUnderstood: "bad-drawing"
        case .pageIsFull: "full"
        case .noFloor: "no-floor"
        }
    }
}
