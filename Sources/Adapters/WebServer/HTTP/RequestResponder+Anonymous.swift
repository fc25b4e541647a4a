import Hummingbird

/// What is known of the visitor to whom a response is sent.
struct ResponseVisitor {
    /// The signed-in person; nil if nobody is signed in, or if the person was not looked up.
    var person: WebPerson?
    var token: String?
}

extension RequestResponder {
    /// The number of large responses being sent below which it does not matter who gets one.
    private static let quietBodyCount = 32

    /// Answers a request. If the route is open to anybody, visitors who are not signed in wait for their turn.
    /// - Parameter answer: reads the request and makes the response; both may take long.
    func answerInTurn(
        _ request: Request, _ route: WebRoute, _ path: String, _ visitor: ResponseVisitor,
        _ context: WebContext, by answer: () async -> WebResponse
    ) async -> Response {
        // Requests that change something, such as a sign-in, are limited elsewhere.
        guard route.access == .anybody, !route.changesState else {
            return await makeHTTPResponse(to: request, await answer(), path, visitor, context)
        }
        let address = visitorAddress(request, context)
        let holder = ResourceQuota.Holder(address: address)
        var turn = anonymousResponseQueue.takeTurnIfFree(for: holder)
        // Whoever is signed in does not wait for a turn.
        if turn == nil, visitor.token != nil,
            await signInService.findPerson(visitor.token, from: address) != nil
        {
            return await makeHTTPResponse(to: request, await answer(), path, visitor, context)
        }
        if turn == nil { turn = await anonymousResponseQueue.waitForTurn(for: holder) }
        guard turn != nil else { return makePlainResponse(to: request, .serverBusy) }
        let made = await withTaskExecutorPreference(anonymousExecutor) { await answer() }
        withExtendedLifetime(turn) {}
        turn = nil
        return await makeHTTPResponse(to: request, made, path, visitor, context)
    }

    /// The visitor for whom a large response is sent. While much is being sent, a sign-in is looked up on routes for
    /// anybody too, because those who run the evening have a reserve and come first.
    func makeBodyHolder(_ visitor: ResponseVisitor, _ request: Request, _ context: WebContext) async
        -> ResourceQuota.Holder
    {
        var person = visitor.person
        if person == nil, visitor.token != nil, bodyQueue.servedCount >= Self.quietBodyCount {
            person = await signInService.findPerson(visitor.token, from: visitorAddress(request, context))
        }
        return makeQuotaHolder(person, request, context)
    }
}

extension WebResponse {
    static let serverBusy = refused(
        503, "busy", "Too many people use the server at this moment; try again in a few seconds."
    ).withHeader("Retry-After", "2")
}
