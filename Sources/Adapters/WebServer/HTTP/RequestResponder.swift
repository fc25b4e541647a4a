import Hummingbird
import Logging
import NIOCore

/// Handles every HTTP request: checks the request's origin and the visitor's rights, finds the route or page, and adds
/// the security headers to the response.
struct RequestResponder: HTTPResponder {
    typealias Context = WebContext

    let routes: RouteMap
    let pages: PageStore
    let signIns: SignInService
    let crossSite: CrossSiteCheck
    let limiter: ConnectionLimiter
    let settings: WebSettings
    let logger: Logger
    /// The limits for visitors who are not signed in: for the responses being made, and for the files being sent.
    let anonymousAnswers = AnonymousQuota(.answers)
    let anonymousFiles = AnonymousQuota(.files)
    let anonymousExecutor = AnonymousExecutor()
    let rights: RightsMonitor

    func respond(to request: Request, context: WebContext) async throws -> Response {
        var response = await respondWithinConnectionLimit(to: request, context: context)
        SecurityHeaders.add(to: &response.headers)
        // Browsers ignore this header field unless it comes over TLS.
        if settings.isBehindTLS {
            response.headers[.strictTransportSecurity] = SecurityHeaders.strictTransportSecurityValue
        }
        return response
    }

    /// Responds, unless the visitor has too many connections. A trusted proxy's connection carries many visitors, so it
    /// is counted for the visitor of each request anew.
    private func respondWithinConnectionLimit(to request: Request, context: WebContext) async -> Response {
        if settings.isTrustedProxy(context.address) {
            let visitor = ResourceQuota.Holder(address: visitor(request, context))
            guard limiter.assignForwarded(ObjectIdentifier(context.channel), for: visitor) else {
                return closingResponse(ResourceQuota.Refusal.full.answer("browsers"), request, context)
            }
        }
        return await respondFromRouteOrPage(to: request, context: context)
    }

    private func respondFromRouteOrPage(to request: Request, context: WebContext) async -> Response {
        guard let path = PagePath.decoded(request.uri.path) else {
            return response(
                to: request,
                .refused(400, "bad-path", "This is not an address of this server; check the link."))
        }
        switch routes.find(request.method.rawValue, path) {
        case .route(let route, let parameters):
            return await serveRoute(route, parameters, path, request, context)
        case .otherMethods(let methods):
            let refusal = WebResponse.refused(
                405, "method", "This address accepts only \(methods.joined(separator: " and ")).")
            return response(to: request, refusal.withHeader("Allow", methods.joined(separator: ", ")))
        case .nothing:
            return path.hasPrefix("/api/")
                ? response(to: request, .notFound) : await page(path, request, context)
        }
    }

    // MARK: Routes

    private func serveRoute(
        _ route: WebRoute, _ parameters: [String: String], _ path: String, _ request: Request,
        _ context: WebContext
    ) async -> Response {
        if let refusal = refusal(request, route.changesState ? .change : .reading) {
            return response(to: request, refusal)
        }
        let token = token(request)
        let person = await person(token, route, request, context)
        guard route.access.admits(person) else {
            return response(to: request, Self.notAdmitted(person, route))
        }
        let intake = Self.writeAdmission(of: route, by: person)
        if let intake, let refused = await intake(Self.declaredBytes(request)) {
            return closingResponse(refused, request, context)
        }
        switch route.handler {
        case .stream(let hub):
            guard request.method == .get else { return response(to: request, .succeeded) }
            return stream(hub, route, token, person, request, context)
        case .personalStreams(let streams):
            guard request.method == .get else { return response(to: request, .succeeded) }
            let asked = makeWebRequest(request, path, parameters, person, token, context)
            return await personalStreamResponse(streams, route, token, asked, request, context)
        case .answer(let answer):
            var body: [UInt8] = []
            if route.changesState {
                let limit = route.bodyLimitBytes ?? settings.limits.bodyBytes
                switch await RequestBodyReader.read(
                    request, limitBytes: limit, patience: settings.timeouts.body)
                {
                case .body(let bytes): body = bytes
                case .tooLarge: return closingResponse(.tooLarge(limitBytes: limit), request, context)
                case .tooSlow: return closingResponse(.tooSlow, request, context)
                case .broken: return closingResponse(.tooSlow, request, context)
                }
            }
            return await self.answer(request, route, path, token, context) {
                await answer(makeWebRequest(request, path, parameters, person, token, context, body: body))
            }
        case .upload(let folder, let answer):
            let limit = route.bodyLimitBytes ?? settings.limits.bodyBytes
            let arrival = await UploadReader.read(
                request, into: folder, limitBytes: limit, patience: settings.timeouts.upload, intake: intake)
            guard case .file(let file) = arrival else {
                return closingResponse(arrival.refusal(limitBytes: limit), request, context)
            }
            defer { UploadReader.remove(file.path) }
            let asked = makeWebRequest(request, path, parameters, person, token, context, upload: file)
            return await response(to: request, await answer(asked), path, context)
        }
    }

    private func makeWebRequest(
        _ request: Request, _ path: String, _ parameters: [String: String], _ person: WebPerson?,
        _ token: String?,
        _ context: WebContext, body: [UInt8] = [], upload: UploadedFile? = nil
    ) -> WebRequest {
        WebRequest(
            path: path, parameters: parameters, query: query(request), rawQuery: request.uri.query ?? "",
            person: person, token: token, deviceMark: DeviceCookie.mark(in: request.headers[values: .cookie]),
            address: visitor(request, context),
            isOwnMachine: isOwnMachine(context),
            contentType: request.headers[.contentType] ?? "", origin: request.headers[.origin] ?? "",
            body: body, upload: upload)
    }

    /// The signed-in person who sent the request. The person is looked up only if the route or its limits depend on it.
    private func person(
        _ token: String?, _ route: WebRoute, _ request: Request, _ context: WebContext
    ) async -> WebPerson? {
        // Streams for anybody need no sign-in, but technicians have reserved places there too.
        if route.access == .anybody {
            guard token != nil, case .stream = route.handler else { return nil }
        }
        let person = await signIns.person(token, from: visitor(request, context))
        assignConnection(person, request, context)
        return person
    }

    private func assignConnection(_ person: WebPerson?, _ request: Request, _ context: WebContext) {
        guard let person else { return }
        limiter.assignToStaff(ObjectIdentifier(context.channel), as: holder(person, request, context))
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

    /// Converts a route's answer to an HTTP response.
    /// - Parameter turn: kept until a large response is sent.
    func response(
        to request: Request, _ answer: WebResponse, _ path: String, _ context: WebContext,
        _ turn: AnonymousQuota.Turn? = nil
    ) async -> Response {
        // Temporary refusals are not logged, because strangers could fill the log with them.
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
            fetchSite: request.headers[Self.fetchSite], mark: request.headers[Self.changeHeader],
            purpose: purpose)
    }

    private static let fetchSite = SecurityHeaders.name("Sec-Fetch-Site")
    private static let changeHeader = SecurityHeaders.name("X-Baton")
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

    /// The route's check that is made before data from this person is accepted; nil if the route has none. Its argument
    /// is the size of the data in bytes.
    private static func writeAdmission(
        of route: WebRoute, by person: WebPerson?
    ) -> (@Sendable (Int) async -> WebResponse?)? {
        guard let intake = route.writeAdmission else { return nil }
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
        let place: QuotaLease
        do throws(ResourceQuota.Refusal) {
            place = try hub.listenerPool.take(holder(person, request, context))
        } catch {
            return response(to: request, error.answer("screens"))
        }
        let stream = EventStream(hub: hub, lease: place, mayStay: mayStay(route, token, person))
        let use = route.access == .anybody ? nil : signIns.markInUse(of: token)
        return Response(
            status: .ok, headers: Self.eventStream,
            body: .init { writer in
                try await stream.run(request, context, &writer)
                withExtendedLifetime(use) {}
            })
    }

    private func personalStreamResponse(
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
                lease: PersonalStreamLease(stream, among: streams),
                mayStay: mayStay(route, token, asked.person))
            let use = route.access == .anybody ? nil : signIns.markInUse(of: token)
            return Response(
                status: .ok, headers: Self.eventStream,
                body: .init { writer in
                    try await service.run(context, &writer)
                    withExtendedLifetime(use) {}
                })
        }
    }

    /// The condition under which a stream stays open; nil if everybody may read it.
    ///
    /// A change of the reader's role ends the stream too, because the old role decided about its content. The page then
    /// reconnects with the new role.
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
                WebResponse.refused(405, "method", "Pages accept only GET.").withHeader("Allow", "GET, HEAD"))
        }
        if let refusal = refusal(request, .page) { return response(to: request, refusal) }
        if !settings.servesConsole, PageRules.isConsole(path) {
            return response(to: request, ErrorPage.notFound)
        }
        let access = PageRules.access(to: path)
        if access != .anybody {
            let person = await signIns.person(token(request), from: visitor(request, context))
            assignConnection(person, request, context)
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
        return response(to: request, answer.withHeader("Location", place))
    }
}
