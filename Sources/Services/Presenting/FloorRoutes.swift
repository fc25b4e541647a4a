import Floor
import Hosting
import Podium
import WebServer

/// The moderator's routes, and the image of the page on the screen.
struct FloorRoutes {
    let show: ShowInbox
    let slides: SlideStore
    let eventPDF: EventPDF
    let presenters: PagePresenters

    var routes: [WebRoute] {
        [
            WebRoute(.get, "/api/floor", .roles(WebRole.staff)) { [show] _ in
                let snapshot = show.newestSnapshot
                return .json(FloorJSON(snapshot.state.floor, now: snapshot.now.milliseconds))
            },
            WebRoute(.post, "/api/floor", .roles(WebRole.operators), bodyLimitBytes: 4_096, answer: moderate),
            WebRoute(.get, "/api/floor/pages/:document/:page", .anybody, answer: sendPage).identifyingVisitor
                .openToOtherServer,
            WebRoute(.get, "/api/floor/videos/:document", .anybody, answer: sendVideo).openToOtherServer,
            WebRoute(.get, "/api/floor/event.pdf", .roles(WebRole.staff)) { [eventPDF] _ in
                await eventPDF.response()
            },
        ]
    }

    @Sendable private func moderate(_ request: WebRequest) async throws -> WebResponse {
        guard let person = request.person else { return .signInFirst }
        let order = try JSONBody.decode(FloorOrder.self, from: request.body)
        guard let event = order.event(by: person.name) else {
            return .refused(
                422, "bad-action",
                "“\(order.action.prefix(40))” is no action for the floor, or something it needs is missing; "
                    + "docs/speakers.md lists the actions.")
        }
        let removed = identityToRemove(order)
        let role: CommandSenderRole = person.role == .administrator ? .administrator : .technician
        let answer = await show.submitEvent(
            .floor(event, by: CommandSender(name: person.name, role: role)))
        if answer.isDone, let removed { presenters.markRemoved(removed) }
        return Self.response(answer, epoch: show.newestSnapshot.state.floor?.epoch)
    }

    /// The place from which somebody comes whom an order removes; nil if it removes nobody. It is read before the order
    /// is carried out, because the floor forgets it then.
    private func identityToRemove(_ order: FloorOrder) -> String? {
        guard order.action == "remove", let id = order.presenter.map(FloorPresenter.ID.init(rawValue:)) else {
            return nil
        }
        return show.newestSnapshot.state.floor?.presenter(id)?.address
    }

    private struct Done: Encodable {
        var ok = true
        var epoch: String
    }

    private static func response(_ answer: CommandOutcome, epoch: FloorEpoch?) -> WebResponse {
        let sentence = answer.sentence ?? ""
        return switch answer {
        case .done: .json(Done(epoch: epoch?.description ?? ""))
        case .doneButNotSaved: .refused(507, "not-written", sentence)
        case .refused(let refusal, _): .refused(409, refusal.code.rawValue, sentence)
        case .notActiveServer: .refused(409, "not-reigning", sentence)
        case .busy: .refused(503, "busy", sentence)
        }
    }

    /// Strangers get only the page that is on the screen; staff get every page.
    @Sendable private func sendPage(_ request: WebRequest) async -> WebResponse {
        let missing = WebResponse.refused(404, "no-page", "This page is not on the screen now.")
        guard let document = request.pathParameters["document"],
            let page = Int(request.pathParameters["page"] ?? ""),
            let floor = show.newestSnapshot.state.floor, let known = floor.document(document),
            known.kind == .slides, (1...known.pages).contains(page)
        else { return missing }
        let isShown = floor.screen.content == .page(document: document, number: page)
        let isStaff = request.person.map { WebRole.staff.contains($0.role) } ?? false
        guard isShown || isStaff, let image = await slides.image(of: document, page: page) else {
            return missing
        }
        return WebResponse(contentType: image.mediaType, body: image.bytes)
            .forOnePerson
    }

    /// Gives anybody the video that is on the screen, whole or in parts.
    @Sendable private func sendVideo(_ request: WebRequest) async -> WebResponse {
        guard let document = request.pathParameters["document"],
            case .video(document, _, _, _)? = show.newestSnapshot.state.floor?.screen.content,
            let response = slides.videoResponse(of: document)
        else { return .refused(404, "no-video", "This video is not on the screen now.") }
        return response
    }
}

/// An order of the moderator, as JSON.
struct FloorOrder: Decodable {
    var action: String
    var presenter: UInt8?
    var seconds: FloorSeconds?
    var page: Int?
    var colour: FloorScreen.Blank?
    var on: Bool?
    /// Seconds on, or back.
    var by: Int?

    /// The event that carries out the order; nil if there is no such action, or something that it needs is missing.
    func event(by name: String) -> FloorEvent? {
        let id = presenter.map(FloorPresenter.ID.init(rawValue:))
        let order: ModeratorAction? =
            switch action {
            case "grant": id.map { .grant(to: $0) }
            case "lend": id.map { .lend(to: $0, seconds: seconds?.whole) }
            case "take": .takeFloor(name: name)
            case "end-loan": .endLoan
            case "withdraw": .withdraw
            case "decline": id.map { .declineRequest(of: $0) }
            case "do-not-disturb": on.map { .setDoNotDisturb(isOn: $0) }
            case "blank": colour.map { .blank(colour: $0) }
            case "stop": .stop
            case "remove": id.map { .remove(presenter: $0) }
            case "play-video": on.map { .playVideo(isOn: $0) }
            case "move-video": by.map { .moveVideo(seconds: $0) }
            default: nil
            }
        return order.map { .moderator(action: $0) }
    }
}
