import Hummingbird

extension RequestResponder {
    /// Whether a response to this visitor may be made or sent now.
    private enum Admission {
        /// The visitor is signed in and therefore does not wait for a turn.
        case free
        case inTurn(AnonymousQuota.Turn)
        case refused
    }

    /// Answers a request. If the route is open to anybody, visitors who are not signed in wait for their turn.
    /// - Parameter answer: reads the request and makes the response; both may take long.
    func answer(
        _ request: Request, _ route: WebRoute, _ path: String, _ token: String?, _ context: WebContext,
        by answer: () async -> WebResponse
    ) async -> Response {
        // Requests that change something, such as a sign-in, are limited elsewhere.
        guard route.access == .anybody, !route.changesState else {
            return await response(to: request, await answer(), path, context)
        }
        let address = visitor(request, context)
        let made: WebResponse
        switch await admission(to: anonymousAnswers, address, token) {
        case .refused: return response(to: request, .tooManyAsk)
        case .free: return await response(to: request, await answer(), path, context)
        case .inTurn(let turn):
            made = await withTaskExecutorPreference(anonymousExecutor) { await answer() }
            withExtendedLifetime(turn) {}
        }
        guard made.isLarge else { return await response(to: request, made, path, context) }
        switch await admission(to: anonymousFiles, address, token) {
        case .refused: return response(to: request, .tooManyAsk)
        case .free: return await response(to: request, made, path, context)
        case .inTurn(let turn): return await response(to: request, made, path, context, turn)
        }
    }

    private func admission(
        to allotment: AnonymousQuota, _ address: String, _ token: String?
    ) async -> Admission {
        let network = SignInGuard.network(of: address)
        if let turn = allotment.turnAtOnce(for: network) { return .inTurn(turn) }
        if token != nil, await signIns.person(token, from: address) != nil { return .free }
        return await allotment.turn(for: network).map(Admission.inTurn) ?? .refused
    }
}

extension WebResponse {
    /// True if the response is too large to be sent with a single write.
    fileprivate var isLarge: Bool {
        let held = (page?.body.readableBytes ?? 0) + (joined?.byteCount ?? 0) + body.count
        return file != nil || held > WebFile.chunkBytes
    }

    static let tooManyAsk = refused(
        503, "busy", "Too many people use the server at this moment; try again in a few seconds."
    ).withHeader("Retry-After", "2")
}
