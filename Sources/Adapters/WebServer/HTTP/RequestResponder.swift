import Foundation
import Hummingbird
import Logging
import NIOCore

/// Handles every HTTP request: checks the request's origin and the visitor's rights, finds the route or page, and adds
/// the security headers to the response.
struct RequestResponder: HTTPResponder {
    typealias Context = WebContext

    let routes: RouteMap
    let carriers: StreamCarriers
    let pages: PageStore
    let signInService: SignInService
    let crossSiteCheck: CrossSiteCheck
    let connectionLimiter: ConnectionLimiter
    let settings: WebSettings
    let logger: Logger
    /// The limits for responses being made for visitors who are not signed in.
    let anonymousResponseQueue = RequestQueue(.forResponses)
    /// The limits for responses being made for people who are signed in.
    let personResponseQueue = RequestQueue(.forPeoplesResponses)
    /// The limits for large responses being sent, to everybody.
    let bodyQueue = RequestQueue(.forBodies)
    let bodyTransmitters: BodyTransmitters
    let anonymousExecutor = AnonymousExecutor()
    let rightsMonitor: RightsMonitor
    let otherServer: OtherServerAccess
    let certificate: ServerCertificate

    func respond(to request: Request, context: WebContext) async throws -> Response {
        var context = context
        context.transport = transport(of: context)
        var response = await respondWithinConnectionLimit(to: request, context: context)
        SecurityHeaders.add(to: &response.headers)
        // Browsers ignore this header field unless it comes over TLS.
        if settings.isBehindTLSProxy {
            response.headers[.strictTransportSecurity] = SecurityHeaders.strictTransportSecurityValue
        }
        return response
    }

    private func transport(of context: WebContext) -> WebTransport {
        guard certificate.isPossible, connectionLimiter.isSecure(ObjectIdentifier(context.channel)) else {
            return .plain
        }
        return certificate.isRequired ? .secure : .secureBesidePlain
    }

    /// Leads a browser to TLS, on a server that answers nothing without it.
    private func leadToTLS(_ request: Request) -> Response {
        guard request.method == .get || request.method == .head, let host = request.head.authority else {
            return makePlainResponse(
                to: request,
                .refused(
                    403, "needs-https",
                    "This server answers over https only; write https:// before its address."))
        }
        return makeRedirect(to: "https://\(host)\(request.uri.description)", request, status: 308)
    }

    /// Responds, unless the visitor has too many connections. A trusted proxy's connection carries the requests of
    /// many visitors, so at each request it is counted for the visitor who sent it.
    private func respondWithinConnectionLimit(to request: Request, context: WebContext) async -> Response {
        if settings.isTrustedProxy(context.peerAddress) {
            let visitor = ResourceQuota.Holder(address: visitorAddress(request, context))
            guard connectionLimiter.assignToForwardedVisitor(ObjectIdentifier(context.channel), for: visitor)
            else {
                return makeConnectionClosingResponse(
                    ResourceQuota.Refusal.full.makeRefusalResponse("browsers"), request, context)
            }
        }
        if certificate.isRequired, !context.transport.isSecure { return leadToTLS(request) }
        guard let path = PagePath.decoded(request.uri.path) else {
            return makePlainResponse(
                to: request,
                .refused(400, "bad-path", "This is not an address of this server; check the link."))
        }
        let found = routes.findRoute(request.method.rawValue, path)
        // In tasks of their own: the task of a connection keeps the memory of its deepest call as long as the connection
        // is open, and thousands of connections may be. For the same reason whoever sent the request is looked up, and
        // turns are waited for, before the task of the answer begins.
        let person = await inOwnTask { await findPerson(found, request, context) }
        let visitor = ResponseVisitor(person: person, token: sessionToken(request, context))
        guard await takeTurn(found, visitor, request, context) else {
            return makePlainResponse(to: request, .serverBusy)
        }
        let made = await inOwnTask {
            await respondFromRouteOrPage(found, path, to: request, by: visitor, context: context)
        }
        return await sendingLargeBodyInTurn(made, to: request, context)
    }

    /// The task's memory is released when this returns.
    private func inOwnTask<Result: Sendable>(_ work: @Sendable () async -> Result) async -> Result {
        async let result = work()
        return await result
    }

    private func respondFromRouteOrPage(
        _ found: RouteMap.RouteLookupResult, _ path: String, to request: Request, by visitor: ResponseVisitor,
        context: WebContext
    ) async -> Response {
        switch found {
        case .route(let route, let parameters):
            var response = await serveRoute(route, parameters, path, request, by: visitor, context)
            SecurityHeaders.keepPersonal(&response.headers, answering: route)
            otherServer.addPermission(to: &response.headers, for: route, request)
            return response
        case .otherMethods(let methods):
            if let answer = answerPreflight(request, path) { return answer }
            let refusal = WebResponse.refused(
                405, "method", "This address accepts only \(methods.joined(separator: " and ")).")
            return makePlainResponse(
                to: request, refusal.withHeader("Allow", methods.joined(separator: ", ")))
        case .nothing:
            return path.hasPrefix("/api/")
                ? makePlainResponse(to: request, .notFound) : await servePage(path, request, context)
        }
    }

    private func answerPreflight(_ request: Request, _ path: String) -> Response? {
        guard request.method == .options, let wanted = request.headers[.accessControlRequestMethod],
            case .route(let route, _) = routes.findRoute(wanted, path)
        else { return nil }
        return otherServer.answerPreflight(of: request, for: route)
    }

    // MARK: Routes

    private func serveRoute(
        _ route: WebRoute, _ parameters: [String: String], _ path: String, _ request: Request,
        by visitor: ResponseVisitor, _ context: WebContext
    ) async -> Response {
        let otherOrigin = otherServer.origin(of: request, for: route)
        if let refusal = crossSiteRefusal(
            request, context, route.changesState ? .change : .reading,
            isForListeners: route.access == .anybody, trustedOrigin: otherOrigin)
        {
            return makePlainResponse(to: request, refusal)
        }
        let (person, token) = (visitor.person, visitor.token)
        assignConnectionToPerson(person, request, context)
        guard route.access.admits(person) else {
            return makePlainResponse(to: request, Self.makeAccessRefusal(person, route))
        }
        if let refusal = Self.otherPersonRefusal(person, request) {
            return makePlainResponse(to: request, refusal)
        }
        let intake = Self.makeWriteCheck(of: route, by: person)
        if let intake, let refused = await intake(Self.declaredBodyBytes(request)) {
            return makeConnectionClosingResponse(refused, request, context)
        }
        let room = await route.admission?(
            person, Self.declaredBodyBytes(request, limit: route.bodyLimitBytes))
        if let refused = room?.refusal { return makeConnectionClosingResponse(refused, request, context) }
        // The room lasts until what was sent is stored, or given up.
        defer { withExtendedLifetime(room) {} }
        let device = await recogniseDevice(route, parameters, person, request, context)
        switch route.handler {
        case .stream(let hub):
            guard request.method == .get else { return makePlainResponse(to: request, .succeeded) }
            return serveHubStream(hub, route, token, person, device.known, request, context)
        case .carrier(let carriers):
            guard request.method == .get else { return makePlainResponse(to: request, .succeeded) }
            guard let id = parseQuery(request)["carrier"], StreamCarriers.isID(id) else {
                return makePlainResponse(to: request, .badCarrier)
            }
            return serveHubStream(
                carriers.hub, route, token, person, device.known, request, context, carriage: (carriers, id))
        case .personalStreams(let streams):
            guard request.method == .get else { return makePlainResponse(to: request, .succeeded) }
            let asked = makeWebRequest(request, path, parameters, person, token, context)
            return await servePersonalStream(streams, route, token, asked, request, context)
        case .answer:
            var body: [UInt8] = []
            if route.changesState {
                let limit = route.bodyLimitBytes ?? settings.limits.requestBodyBytes
                switch await RequestBodyReader.read(
                    request, limitBytes: limit, patience: settings.timeouts.requestBody,
                    on: context.channel.eventLoop)
                {
                case .body(let bytes): body = bytes
                case .tooLarge:
                    return makeConnectionClosingResponse(.tooLarge(limitBytes: limit), request, context)
                case .tooSlow: return makeConnectionClosingResponse(.tooSlow, request, context)
                case .broken: return makeConnectionClosingResponse(.tooSlow, request, context)
                }
            }
            let made = await answerInTurn(context) {
                var asked = makeWebRequest(request, path, parameters, person, token, context, body: body)
                asked.device = device
                return await route.response(to: asked, reportUnknown: logUnknown(at: path))
            }
            return await makeHTTPResponse(to: request, made, path, visitor, context)
        case .upload(let folder, _):
            let limit = route.bodyLimitBytes ?? settings.limits.requestBodyBytes
            let arrival = await UploadReader.receiveFile(
                request, into: folder, limitBytes: limit, patience: settings.timeouts.upload,
                on: context.channel.eventLoop, intake: intake)
            guard case .file(let file) = arrival else {
                return makeConnectionClosingResponse(arrival.refusal(limitBytes: limit), request, context)
            }
            defer { UploadReader.deleteFile(file.path) }
            let asked = makeWebRequest(request, path, parameters, person, token, context, upload: file)
            let response = await route.response(to: asked, reportUnknown: logUnknown(at: path))
            return await makeHTTPResponse(to: request, response, path, visitor, context)
        }
    }

    private func logUnknown(at path: String) -> (any Error) -> Void {
        { logger.error("A request could not be answered.", metadata: ["path": "\(path)", "error": "\($0)"]) }
    }

    private func makeWebRequest(
        _ request: Request, _ path: String, _ parameters: [String: String], _ person: WebPerson?,
        _ token: String?,
        _ context: WebContext, body: [UInt8] = [], upload: UploadedFile? = nil
    ) -> WebRequest {
        var asked = WebRequest(
            path: path, pathParameters: parameters, queryParameters: parseQuery(request),
            rawQuery: request.uri.query ?? "",
            person: person, sessionToken: token,
            deviceMark: DeviceCookie.readMark(in: request.headers[values: .cookie], over: context.transport),
            visitorAddress: visitorAddress(request, context),
            isOwnMachine: isOwnMachine(request, context),
            contentType: request.headers[.contentType] ?? "", origin: request.headers[.origin] ?? "",
            body: body, uploadedFile: upload,
            bearerToken: SessionCookie.readToken(inAuthorization: request.headers[.authorization]))
        asked.transport = context.transport
        return asked
    }

    /// The signed-in person who sent the request. The person is looked up only if the route or its limits depend on it.
    private func findPerson(
        _ found: RouteMap.RouteLookupResult, _ request: Request, _ context: WebContext
    ) async -> WebPerson? {
        guard case .route(let route, _) = found else { return nil }
        let token = sessionToken(request, context)
        // Streams for anybody need no sign-in, but technicians have reserved places there too.
        if route.access == .anybody, !route.identifiesVisitor {
            guard token != nil, case .stream = route.handler else { return nil }
        }
        return await signInService.findPerson(token, from: visitorAddress(request, context))
    }

    private func assignConnectionToPerson(_ person: WebPerson?, _ request: Request, _ context: WebContext) {
        guard let person else { return }
        connectionLimiter.assignToStaff(
            ObjectIdentifier(context.channel), as: makeQuotaHolder(person, request, context))
    }

    private func isOwnMachine(_ request: Request, _ context: WebContext) -> Bool {
        settings.isOwnMachine(peer: context.peerAddress, local: context.localAddress)
            && request.head.authority.map { crossSiteCheck.hostNames.contains($0) } ?? true
    }

    private func recogniseDevice(
        _ route: WebRoute, _ parameters: [String: String], _ person: WebPerson?, _ request: Request,
        _ context: WebContext
    ) async -> RecognisedDevice {
        guard let isNamed = route.isNamedDevice else { return RecognisedDevice() }
        return await signInService.recogniseDevice(
            mark: parseQuery(request)["known"],
            signedInBefore: DeviceCookie.readMark(
                in: request.headers[values: .cookie], over: context.transport),
            person: person, isNamed: isNamed(parameters),
            atMilliseconds: Int64(Date().timeIntervalSince1970 * 1_000))
    }

    func makeQuotaHolder(
        _ person: WebPerson?, _ request: Request, _ context: WebContext, device: KnownDevice? = nil
    ) -> ResourceQuota.Holder {
        if let device, person == nil, !isOwnMachine(request, context) {
            return ResourceQuota.Holder(address: visitorAddress(request, context), device: device)
        }
        return ResourceQuota.Holder(
            address: visitorAddress(request, context), person: person,
            isOwnMachine: isOwnMachine(request, context))
    }

    func visitorAddress(_ request: Request, _ context: WebContext) -> String {
        ClientAddressResolver(trustedProxies: settings.trustedProxies).resolveAddress(
            peer: context.peerAddress, forwardedFor: request.headers[values: Self.forwardedForHeaderName],
            forwarded: request.headers[values: Self.forwardedHeaderName])
    }

    /// Converts a route's answer to an HTTP response.
    func makeHTTPResponse(
        to request: Request, _ answer: WebResponse, _ path: String, _ visitor: ResponseVisitor,
        _ context: WebContext
    ) async -> Response {
        // Temporary refusals are not logged, because strangers could fill the log with them.
        if answer.status >= 500, !answer.isTemporaryRefusal {
            logger.warning(
                "\(request.method.rawValue) \(path) failed", metadata: ["status": "\(answer.status)"])
        }
        return await makeResponse(to: request, prepareResponse(to: request, answer), visitor, context)
    }

    private func prepareResponse(to request: Request, _ answer: WebResponse) -> PreparedResponse {
        if let page = answer.pageFile { return preparePageResponse(to: request, page) }
        if let joined = answer.joinedText {
            return prepareJoinedTextResponse(to: request, joined, answer.contentType)
        }
        if let file = answer.diskFile { return prepareFileResponse(to: request, file, answer) }
        return preparePlainResponse(to: request, answer)
    }

    private func crossSiteRefusal(
        _ request: Request, _ context: WebContext, _ purpose: CrossSiteCheck.Purpose,
        isForListeners: Bool, trustedOrigin: String? = nil
    ) -> WebResponse? {
        crossSiteCheck.refusal(
            host: request.head.authority, origin: request.headers[.origin],
            fetchSite: request.headers[Self.fetchSiteHeaderName],
            mark: request.headers[Self.changeHeaderName],
            purpose: purpose, isSecure: context.transport.isSecure, isForListeners: isForListeners,
            checksHost: !settings.isTrustedProxy(context.peerAddress),
            trustedOrigin: trustedOrigin)
    }

    /// The refusal of a request that names another account than the one that is signed in. Another window of the browser
    /// may have signed somebody else in since. What one person made is never stored as another's.
    private static func otherPersonRefusal(_ person: WebPerson?, _ request: Request) -> WebResponse? {
        guard let person, let encoded = request.headers[madeByHeaderName] else { return nil }
        let named = encoded.removingPercentEncoding ?? encoded
        guard named != person.name, named != person.id else { return nil }
        return .refused(403, "other-person", "\(person.name) is signed in now.")
    }

    private static let madeByHeaderName = SecurityHeaders.headerName("X-Baton-By")
    private static let fetchSiteHeaderName = SecurityHeaders.headerName("Sec-Fetch-Site")
    private static let changeHeaderName = SecurityHeaders.headerName("X-Baton")
    private static let forwardedForHeaderName = SecurityHeaders.headerName("X-Forwarded-For")
    private static let forwardedHeaderName = SecurityHeaders.headerName("Forwarded")

    func sessionToken(_ request: Request, _ context: WebContext) -> String? {
        SessionCookie.readToken(in: request.headers[values: .cookie], over: context.transport)
            ?? SessionCookie.readToken(inAuthorization: request.headers[.authorization])
    }

    private func parseQuery(_ request: Request) -> [String: String] {
        guard request.uri.query?.utf8.count ?? 0 <= WebRequest.longestQueryBytes else { return [:] }
        return request.uri.queryParameters.reduce(into: [:]) { $0[String($1.key)] = String($1.value) }
    }

    /// The route's check before data from this person is accepted; nil if the route has none. The argument of the
    /// check is the size of the data in bytes.
    private static func makeWriteCheck(
        of route: WebRoute, by person: WebPerson?
    ) -> (@Sendable (Int) async -> WebResponse?)? {
        guard let intake = route.writeCheck else { return nil }
        return { bytes in await intake(person, bytes) }
    }

    /// - Parameter limit: the size that counts if none is announced.
    private static func declaredBodyBytes(_ request: Request, limit: Int? = nil) -> Int {
        max(0, request.headers[.contentLength].flatMap { Int($0) } ?? limit ?? 0)
    }

    private static func makeAccessRefusal(_ person: WebPerson?, _ route: WebRoute) -> WebResponse {
        guard let person, case .roles(let roles) = route.access else { return .signInFirst }
        let wanted = roles.map(\.rawValue).sorted().joined(separator: " or ")
        return .refused(
            403, "not-allowed",
            "This needs the role \(wanted); you are signed in as \(person.role.rawValue). Sign in with another account."
        )
    }

    private func serveHubStream(
        _ hub: EventHub, _ route: WebRoute, _ token: String?, _ person: WebPerson?, _ device: KnownDevice?,
        _ request: Request, _ context: WebContext, carriage: (carriers: StreamCarriers, id: String)? = nil
    ) -> Response {
        let place: QuotaLease
        do throws(ResourceQuota.Refusal) {
            place = try hub.listenerPool.takePlace(makeQuotaHolder(person, request, context, device: device))
        } catch {
            return makePlainResponse(to: request, error.makeRefusalResponse("screens"))
        }
        let query = parseQuery(request)
        // For networks that pass on nothing before a response is complete: pages then ask again and again.
        if query["brief"] != nil {
            return Response(
                status: .ok, headers: Self.eventStreamHeaders, body: .init(byteBuffer: hub.currentSnapshot()))
        }
        let stream = EventStream(
            hub: hub, lease: place, readPermission: makeReadPermission(route, token, person),
            carriage: carriage)
        let use = route.access == .anybody ? nil : signInService.markInUse(of: token)
        if carriage == nil, let name = query["carrier"] {
            return serveOverCarrier(name, request) { carrier, label in
                await stream.serveEvents(over: carrier, label)
                withExtendedLifetime(use) {}
            }
        }
        return Response(
            status: .ok, headers: Self.eventStreamHeaders,
            body: .init { writer in
                try await stream.serveEvents(request, context, &writer)
                withExtendedLifetime(use) {}
            })
    }

    private func servePersonalStream(
        _ streams: PersonalStreams, _ route: WebRoute, _ token: String?, _ asked: WebRequest,
        _ request: Request, _ context: WebContext
    ) async -> Response {
        guard !streams.isFull else {
            return makePlainResponse(to: request, ResourceQuota.Refusal.full.makeRefusalResponse("stands"))
        }
        switch await streams.openStream(asked) {
        case .refused(let answer): return makePlainResponse(to: request, answer)
        case .stream(let stream):
            do throws(ResourceQuota.Refusal) {
                try streams.addStream(stream, for: makeQuotaHolder(asked.person, request, context))
            } catch {
                stream.end()
                return makePlainResponse(to: request, error.makeRefusalResponse("stands"))
            }
            let service = PersonalStreamResponder(
                lease: PersonalStreamLease(stream, among: streams),
                readPermission: makeReadPermission(route, token, asked.person))
            let use = route.access == .anybody ? nil : signInService.markInUse(of: token)
            if let name = asked.queryParameters["carrier"] {
                return serveOverCarrier(name, request) { carrier, label in
                    await service.serveStream(over: carrier, label)
                    withExtendedLifetime(use) {}
                }
            }
            return Response(
                status: .ok, headers: Self.eventStreamHeaders,
                body: .init { writer in
                    try await service.serveStream(context, &writer)
                    withExtendedLifetime(use) {}
                })
        }
    }

    /// Starts a stream on another connection of the same browser, and responds at once.
    /// - Parameter name: the place on that connection, from the request's query.
    private func serveOverCarrier(
        _ name: String, _ request: Request,
        _ serve: @escaping @Sendable (StreamCarrier, StreamLabel) async -> Void
    ) -> Response {
        guard let place = CarriedPlace(name) else { return makePlainResponse(to: request, .badCarrier) }
        let isCarried = carriers.find(place.carrierID)?.startStream(place.number, serve) ?? false
        return makePlainResponse(to: request, isCarried ? .succeeded : .noCarrier)
    }

    /// The condition under which a stream stays open; nil if everybody may read it.
    ///
    /// A change of the reader's role ends the stream too, because the old role decided about its content. The page then
    /// reconnects with the new role.
    private func makeReadPermission(_ route: WebRoute, _ token: String?, _ person: WebPerson?)
        -> ReadPermission?
    {
        guard route.access != .anybody else { return nil }
        return ReadPermission(rightsMonitor: rightsMonitor) {
            let now = await signInService.findPerson(token)
            return route.access.admits(now) && now?.id == person?.id && now?.role == person?.role
        }
    }

    private static let eventStreamHeaders: HTTPFields = [
        .contentType: "text/event-stream", .cacheControl: "no-store",
        SecurityHeaders.headerName("X-Accel-Buffering"): "no",
    ]

    // MARK: Pages

    private func servePage(_ path: String, _ request: Request, _ context: WebContext) async -> Response {
        guard request.method == .get || request.method == .head else {
            return makePlainResponse(
                to: request,
                WebResponse.refused(405, "method", "Pages accept only GET.").withHeader("Allow", "GET, HEAD"))
        }
        let refusal = crossSiteRefusal(
            request, context, .page, isForListeners: !PageRules.isConsolePage(path))
        if let refusal { return makePlainResponse(to: request, refusal) }
        let access = PageRules.access(to: path)
        var visitor = ResponseVisitor(token: sessionToken(request, context))
        if access != .anybody {
            let person = await signInService.findPerson(
                visitor.token, from: visitorAddress(request, context))
            visitor.person = person
            assignConnectionToPerson(person, request, context)
            if person == nil { return makeRedirect(to: PageRules.signInAddress(for: path), request) }
            guard access.admits(person) else {
                return makePlainResponse(to: request, ErrorPage.notAllowed(person, access: access))
            }
        }
        guard let page = pages.findPage(path) else {
            return path == "/"
                ? makeRedirect(to: PageRules.homePath, request)
                : makePlainResponse(to: request, ErrorPage.notFound)
        }
        var response = await makeResponse(
            to: request, preparePageResponse(to: request, page), visitor, context)
        if PageRules.mayListen(path) {
            response.headers[SecurityHeaders.permissionsPolicyName] =
                SecurityHeaders.permissionsPolicy(allowsMicrophone: true)
        }
        if PageRules.mayFollow(path) {
            response.headers[.contentSecurityPolicy] = SecurityHeaders.contentSecurityPolicyOfFollowers
        }
        if PageRules.readsFromBothServers(path) {
            // Never from the browser's cache, which would keep the policy of an earlier evening.
            response.headers[.cacheControl] = "no-store"
            if let origin = otherServer.origin {
                response.headers[.contentSecurityPolicy] =
                    SecurityHeaders.contentSecurityPolicy(readingAlso: origin)
            }
        }
        return response
    }

    private func makeRedirect(to place: String, _ request: Request, status: Int = 302) -> Response {
        let answer = WebResponse(
            status: status, contentType: "text/plain; charset=utf-8", body: Array(place.utf8))
        return makePlainResponse(to: request, answer.withHeader("Location", place))
    }
}
