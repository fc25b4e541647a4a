import Hummingbird
import Logging
import NIOCore

/// Handles every request: checks its origin and the visitor's rights, finds the route or page, and adds the header
/// fields.
struct RequestResponder: HTTPResponder {
    typealias Context = WebContext

    let routes: RouteMap
    let pages: PageStore
    let signIns: SignInService
    let crossSite: CrossSiteCheck
    let limiter: ConnectionLimiter
    let settings: WebSettings
    let logger: Logger
    /// The limits of answers made for visitors who are not signed in, and of files sent to them.
    let anonymousAnswers = AnonymousQuota(.answers)
    let anonymousFiles = AnonymousQuota(.files)
    let strangers = AnonymousExecutor()
    let rights: RightsMonitor

    func respond(to request: Request, context: WebContext) async throws -> Response {
        var response = await respondCounted(to: request, context: context)
        SecurityHeaders.add(to: &response.headers)
        // Browsers honour this field only if it comes over TLS.
        if settings.isBehindTLS {
            response.headers[.strictTransportSecurity] = SecurityHeaders.strictTransportSecurityValue
        }
        return response
    }

    /// The connections of a trusted proxy carry many visitors, so the visitor is counted anew for each request.
    private func respondCounted(to request: Request, context: WebContext) async -> Response {
        if settings.isTrustedProxy(context.address) {
            let visitor = ResourceQuota.Holder(address: visitor(request, context))
            guard limiter.forward(ObjectIdentifier(context.channel), for: visitor) else {
                return farewell(ResourceQuota.Refusal.full.answer("browsers"), request, context)
            }
        }
        return await respondBare(to: request, context: context)
    }

    private func respondBare(to request: Request, context: WebContext) async -> Response {
        guard let path = PagePath.decoded(request.uri.path) else {
            return response(
                to: request,
                .refused(400, "bad-path", "This is not an address of this server; check the link."))
        }
        switch routes.find(request.method.rawValue, path) {
        case .route(let route, let parameters):
            return await use(route, parameters, path, request, context)
        case .otherMethods(let methods):
            let refusal = WebResponse.refused(
                405, "method", "This address accepts only \(methods.joined(separator: " and ")).")
            return response(to: request, refusal.with("Allow", methods.joined(separator: ", ")))
        case .nothing:
            return path.hasPrefix("/api/")
                ? response(to: request, .notFound) : await page(path, request, context)
        }
    }

    // MARK: Routes

    private func use(
        _ route: WebRoute, _ parameters: [String: String], _ path: String, _ request: Request,
        _ context: WebContext
    ) async -> Response {
        if let refusal = refusal(request, route.changes ? .change : .reading) {
            return response(to: request, refusal)
        }
        let token = token(request)
        let person = await person(token, route, request, context)
        guard route.access.admits(person) else {
            return response(to: request, Self.notAdmitted(person, route))
        }
        let intake = Self.intake(of: route, by: person)
        if let intake, let refused = await intake(Self.declaredBytes(request)) {
            return farewell(refused, request, context)
        }
        switch route.handler {
        case .stream(let hub):
            guard request.method == .get else { return response(to: request, .done) }
            return stream(hub, route, token, person, request, context)
        case .personal(let streams):
            guard request.method == .get else { return response(to: request, .done) }
            let asked = asked(request, path, parameters, person, token, context)
            return await personal(streams, route, token, asked, request, context)
        case .answer(let answer):
            var body: [UInt8] = []
            if route.changes {
                let limit = route.bodyLimitBytes ?? settings.limits.bodyBytes
                switch await RequestBodyReader.read(
                    request, limitBytes: limit, patience: settings.patience.body)
                {
                case .body(let bytes): body = bytes
                case .tooLarge: return farewell(.tooLarge(limitBytes: limit), request, context)
                case .tooSlow: return farewell(.tooSlow, request, context)
                case .broken: return farewell(.tooSlow, request, context)
                }
            }
            return await self.answer(request, route, path, token, context) {
                await answer(asked(request, path, parameters, person, token, context, body: body))
            }
        case .upload(let folder, let answer):
            let limit = route.bodyLimitBytes ?? settings.limits.bodyBytes
            let arrival = await UploadReading.read(
                request, into: folder, limitBytes: limit, patience: settings.patience.upload, intake: intake)
            guard case .file(let file) = arrival else {
                return farewell(arrival.refusal(limitBytes: limit), request, context)
            }
            defer { UploadReading.remove(file.path) }
            let asked = asked(request, path, parameters, person, token, context, upload: file)
            return await response(to: request, await answer(asked), path, context)
        }
    }

    private func asked(
        _ request: Request, _ path: String, _ parameters: [String: String], _ person: WebPerson?,
        _ token: String?,
        _ context: WebContext, body: [UInt8] = [], upload: UploadedFile? = nil
    ) -> WebRequest {
        WebRequest(
            path: path, parameters: parameters, query: query(request), rawQuery: request.uri.query ?? "",
            person: person, token: token, device: DeviceCookie.mark(in: request.headers[values: .cookie]),
            address: visitor(request, context),
            isOwnMachine: isOwnMachine(context),
            contentType: request.headers[.contentType] ?? "", origin: request.headers[.origin] ?? "",
            body: body, upload: upload)
    }

    /// The visitor; looked up only if it makes a difference.
    private func person(
        _ token: String?, _ route: WebRoute, _ request: Request, _ context: WebContext
    ) async -> WebPerson? {
        // Listening needs no sign-in, but technicians have a reserve there too.
        if route.access == .anybody {
            guard token != nil, case .stream = route.handler else { return nil }
        }
        let person = await signIns.person(token, from: visitor(request, context))
        recognise(person, request, context)
        return person
    }

    private func recognise(_ person: WebPerson?, _ request: Request, _ context: WebContext) {
        guard let person else { return }
        limiter.recognise(ObjectIdentifier(context.channel), as: holder(person, request, context))
    }

    private func isOwnMachine(_ context: WebContext) -> Bool {
        settings.isOwnMachine(peer: context.address, local: context.localAddress)
    }

    private func holder(
        _ person: WebPerson?, _ request: Request, _ context: WebContext
    ) -> ResourceQuota.Holder {
        ResourceQuota.Holder(
            address: visitor(request, context), person: person, isOwnMachine: isOwnMachine(context))
    }

    func visitor(_ request: Request, _ context: WebContext) -> String {
        ClientAddressResolver(proxies: settings.trustedProxies).address(
            peer: context.address, forwardedFor: request.headers[values: Self.forwardedFor],
            forwarded: request.headers[values: Self.forwarded])
    }

    /// Makes the response of an answer.
    /// - Parameter turn: held until a large answer is sent.
    func response(
        to request: Request, _ answer: WebResponse, _ path: String, _ context: WebContext,
        _ turn: AnonymousQuota.Turn? = nil
    ) async -> Response {
        // Strangers could otherwise fill the log with refusals for lack of a place.
        if answer.status >= 500, !answer.isTemporaryRefusal {
            logger.warning(
                "\(request.method.rawValue) \(path) failed", metadata: ["status": "\(answer.status)"])
        }
        if let page = answer.page { return response(to: request, page, turn) }
        if let joined = answer.joined { return response(to: request, joined, answer.contentType, turn) }
        if let file = answer.file { return await response(to: request, file, answer, context, turn) }
        return response(to: request, answer)
    }

    private func refusal(_ request: Request, _ purpose: CrossSiteCheck.Purpose) -> WebResponse? {
        crossSite.refusal(
            host: request.head.authority, origin: request.headers[.origin],
            fetchSite: request.headers[Self.fetchSite], mark: request.headers[Self.mark], purpose: purpose)
    }

    private static let fetchSite = SecurityHeaders.name("Sec-Fetch-Site")
    private static let mark = SecurityHeaders.name("X-Baton")
    private static let forwardedFor = SecurityHeaders.name("X-Forwarded-For")
    private static let forwarded = SecurityHeaders.name("Forwarded")

    private func token(_ request: Request) -> String? {
        SessionCookie.token(in: request.headers[values: .cookie])
            ?? SessionCookie.token(inAuthorization: request.headers[.authorization])
    }

    private func query(_ request: Request) -> [String: String] {
        guard request.uri.query?.utf8.count ?? 0 <= WebRequest.longestQueryBytes else { return [:] }
        return request.uri.queryParameters.reduce(into: [:]) { $0[String($1.key)] = String($1.value) }
    }

    /// The check that a route makes before it accepts data from this person; nil if there is none.
    private static func intake(
        of route: WebRoute, by person: WebPerson?
    ) -> (@Sendable (Int) async -> WebResponse?)? {
        guard let intake = route.intake else { return nil }
        return { bytes in await intake(person, bytes) }
    }

    private static func declaredBytes(_ request: Request) -> Int {
        max(0, request.headers[.contentLength].flatMap { Int($0) } ?? 0)
    }

    private static func notAdmitted(_ person: WebPerson?, _ route: WebRoute) -> WebResponse {
        guard let person, case .roles(let roles) = route.access else { return .signInFirst }
        let wanted = roles.map(\.rawValue).sorted().joined(separator: " or ")
        return .refused(
            403, "not-allowed",
            "This needs the role \(wanted); you are signed in as \(person.role.rawValue). Sign in with another account."
        )
    }

    private func stream(
        _ hub: EventHub, _ route: WebRoute, _ token: String?, _ person: WebPerson?, _ request: Request,
        _ context: WebContext
    ) -> Response {
        let place: QuotaPlace
        do throws(ResourceQuota.Refusal) {
            place = try hub.places.take(holder(person, request, context))
        } catch {
            return response(to: request, error.answer("screens"))
        }
        let stream = EventStream(hub: hub, place: place, mayStay: mayStay(route, token, person))
        let use = route.access == .anybody ? nil : signIns.use(of: token)
        return Response(
            status: .ok, headers: Self.eventStream,
            body: .init { writer in
                try await stream.run(request, context, &writer)
                withExtendedLifetime(use) {}
            })
    }

    private func personal(
        _ streams: PersonalStreams, _ route: WebRoute, _ token: String?, _ asked: WebRequest,
        _ request: Request, _ context: WebContext
    ) async -> Response {
        guard !streams.isFull else {
            return response(to: request, ResourceQuota.Refusal.full.answer("stands"))
        }
        switch await streams.open(asked) {
        case .refused(let answer): return response(to: request, answer)
        case .stream(let stream):
            do throws(ResourceQuota.Refusal) {
                try streams.admit(stream, for: holder(asked.person, request, context))
            } catch {
                stream.end()
                return response(to: request, error.answer("stands"))
            }
            let service = PersonalStreamResponder(
                place: PersonalStreamPlace(stream, among: streams),
                mayStay: mayStay(route, token, asked.person))
            let use = route.access == .anybody ? nil : signIns.use(of: token)
            return Response(
                status: .ok, headers: Self.eventStream,
                body: .init { writer in
                    try await service.run(context, &writer)
                    withExtendedLifetime(use) {}
                })
        }
    }

    /// The rule for how long an open stream may be read; nil if everybody may read it. A change of role ends the
    /// stream too: its content was chosen by the old role, and the page reconnects with the new one.
    private func mayStay(_ route: WebRoute, _ token: String?, _ person: WebPerson?) -> ReadPermission? {
        guard route.access != .anybody else { return nil }
        return ReadPermission(rights: rights) {
            let now = await signIns.person(token)
            return route.access.admits(now) && now?.id == person?.id && now?.role == person?.role
        }
    }

    private static let eventStream: HTTPFields = [
        .contentType: "text/event-stream", .cacheControl: "no-store",
        SecurityHeaders.name("X-Accel-Buffering"): "no",
    ]

    // MARK: Pages

    private func page(_ path: String, _ request: Request, _ context: WebContext) async -> Response {
        guard request.method == .get || request.method == .head else {
            return response(
                to: request,
                WebResponse.refused(405, "method", "Pages accept only GET.").with("Allow", "GET, HEAD"))
        }
        if let refusal = refusal(request, .page) { return response(to: request, refusal) }
        if !settings.servesConsole, PageRules.isConsole(path) {
            return response(to: request, ErrorPage.notFound)
        }
        let access = PageRules.access(to: path)
        if access != .anybody {
            let person = await signIns.person(token(request), from: visitor(request, context))
            recognise(person, request, context)
            if person == nil { return redirect(to: PageRules.signInAddress(for: path), request) }
            guard access.admits(person) else {
                return response(to: request, ErrorPage.notAllowed(person))
            }
        }
        guard let page = pages.page(path) else {
            return path == "/"
                ? redirect(to: PageRules.home, request) : response(to: request, ErrorPage.notFound)
        }
        return response(to: request, page)
    }

    private func redirect(to place: String, _ request: Request) -> Response {
        let answer = WebResponse(
            status: 302, contentType: "text/plain; charset=utf-8", body: Array(place.utf8))
        return response(to: request, answer.with("Location", place))
    }
}
