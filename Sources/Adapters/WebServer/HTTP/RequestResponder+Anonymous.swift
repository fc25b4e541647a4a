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

    /// Waits for a turn to answer a request.
    /// - Returns: false if there is no turn for too long.
    func takeTurn(
        _ found: RouteMap.RouteLookupResult, _ visitor: ResponseVisitor, _ request: Request,
        _ context: WebContext
    ) async -> Bool {
        // Requests that change something, such as a sign-in, are limited elsewhere.
        guard case .route(let route, _) = found, case .answer = route.handler, !route.changesState else {
            return true
        }
        guard route.access == .anybody else {
            guard let person = visitor.person else { return true }  // It is refused at once.
            let turn = await personResponseQueue.waitForTurn(for: makeQuotaHolder(person, request, context))
            context.turns.begin(turn)
            return turn != nil
        }
        let address = visitorAddress(request, context)
        let holder = ResourceQuota.Holder(address: address)
        var turn = anonymousResponseQueue.takeTurnIfFree(for: holder)
        // Whoever is signed in does not wait for a turn.
        if turn == nil, await isSignedIn(request, context, from: address) { return true }
        if turn == nil { turn = await anonymousResponseQueue.waitForTurn(for: holder) }
        context.turns.begin(turn, isAnonymous: true)
        return turn != nil
    }

    private func isSignedIn(_ request: Request, _ context: WebContext, from address: String) async -> Bool {
        guard let token = sessionToken(request, context) else { return false }
        return await signInService.findPerson(token, from: address) != nil
    }

    /// Answers a request, on the threads for visitors who are not signed in if it had to have a turn.
    /// - Parameter answer: reads the request and makes the response; both may take long.
    func answerInTurn(_ context: WebContext, by answer: () async -> WebResponse) async -> WebResponse {
        defer { context.turns.end() }
        guard context.turns.isAnonymous else { return await answer() }
        return await withTaskExecutorPreference(anonymousExecutor) { await answer() }
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
