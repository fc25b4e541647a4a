import Hummingbird

extension RequestResponder {
    /// The decision whether an answer may be made or sent to a visitor now.
    private enum Admission {
        /// Signed in, or a route for signed-in visitors only: nobody waits.
        case free
        case inTurn(AnonymousQuota.Turn)
        case refused
    }

    /// Answers a request. On routes that are open to anybody, visitors who are not signed in wait for their turn.
    /// - Parameter answer: reads the request and answers it, both of which may take long.
    func answer(
        _ request: Request, _ route: WebRoute, _ path: String, _ token: String?, _ context: WebContext,
        by answer: () async -> WebResponse
    ) async -> Response {
        // Signing in has limits of its own, because its cost is hashing.
        guard route.access == .anybody, !route.changes else {
            return await response(to: request, await answer(), path, context)
        }
        let address = visitor(request, context)
        let made: WebResponse
        switch await admission(to: anonymousAnswers, address, token) {
        case .refused: return response(to: request, .tooManyAsk)
        case .free: return await response(to: request, await answer(), path, context)
        case .inTurn(let turn):
            made = await withTaskExecutorPreference(strangers) { await answer() }
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
    /// True if sending takes more than one write.
    fileprivate var isLarge: Bool {
        let held = (page?.body.readableBytes ?? 0) + (joined?.byteCount ?? 0) + body.count
        return file != nil || held > WebFile.chunkBytes
    }

    static let tooManyAsk = refused(
        503, "busy", "Too many people use the server at this moment; try again in a few seconds."
    ).with("Retry-After", "2")
}
