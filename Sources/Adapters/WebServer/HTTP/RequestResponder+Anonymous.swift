import Hummingbird

extension RequestResponder {
    /// The decision whether a response to this visitor is made or sent now.
    private enum Admission {
        /// The visitor is signed in and therefore does not wait for a turn.
        case exemptFromTurns
        case withTurn(AnonymousRequestQueue.Turn)
        case refused
    }

    /// Answers a request. If the route is open to anybody, visitors who are not signed in wait for their turn.
    /// - Parameter answer: reads the request and makes the response; both may take long.
    func answerInTurn(
        _ request: Request, _ route: WebRoute, _ path: String, _ token: String?, _ context: WebContext,
        by answer: () async -> WebResponse
    ) async -> Response {
        // Requests that change something, such as a sign-in, are limited elsewhere.
        guard route.access == .anybody, !route.changesState else {
            return await makeHTTPResponse(to: request, await answer(), path, context)
        }
        let address = visitorAddress(request, context)
        let made: WebResponse
        switch await waitForAdmission(to: anonymousResponseQueue, address, token) {
        case .refused: return makePlainResponse(to: request, .serverBusy)
        case .exemptFromTurns: return await makeHTTPResponse(to: request, await answer(), path, context)
        case .withTurn(let turn):
            made = await withTaskExecutorPreference(anonymousExecutor) { await answer() }
            withExtendedLifetime(turn) {}
        }
        guard made.isLarge else { return await makeHTTPResponse(to: request, made, path, context) }
        switch await waitForAdmission(to: anonymousFileQueue, address, token) {
        case .refused: return makePlainResponse(to: request, .serverBusy)
        case .exemptFromTurns: return await makeHTTPResponse(to: request, made, path, context)
        case .withTurn(let turn): return await makeHTTPResponse(to: request, made, path, context, turn)
        }
    }

    private func waitForAdmission(
        to allotment: AnonymousRequestQueue, _ address: String, _ token: String?
    ) async -> Admission {
        let network = SignInGuard.network(of: address)
        if let turn = allotment.takeTurnIfFree(for: network) { return .withTurn(turn) }
        if token != nil, await signInService.findPerson(token, from: address) != nil {
            return .exemptFromTurns
        }
        return await allotment.waitForTurn(for: network).map(Admission.withTurn) ?? .refused
    }
}

extension WebResponse {
    /// True if the response is too large to be sent with a single write.
    fileprivate var isLarge: Bool {
        let held = (pageFile?.body.readableBytes ?? 0) + (joinedText?.byteCount ?? 0) + body.count
        return diskFile != nil || held > ServedDiskFile.chunkBytes
    }

    static let serverBusy = refused(
        503, "busy", "Too many people use the server at this moment; try again in a few seconds."
    ).withHeader("Retry-After", "2")
}
