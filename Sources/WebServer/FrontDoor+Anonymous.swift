import Hummingbird

extension FrontDoor {
    /// Whether a visitor may have something made or sent now.
    private enum Admission {
        /// Signed in, or a route that only those use: nobody waits.
        case free
        case inTurn(AnonymousAllotment.Turn)
        case refused
    }

    /// Answers; on routes that are open to anybody, in turn with all others who did not sign in.
    func answer(
        _ request: Request, _ asked: WebRequest, _ route: WebRoute, _ context: WebContext,
        by answer: @Sendable (WebRequest) async -> WebAnswer
    ) async -> Response {
        let made: WebAnswer
        switch await admission(to: anonymousAnswers, asked, route) {
        case .refused: return response(to: request, .tooManyAsk)
        case .free: return await response(to: request, await answer(asked), asked.path, context)
        case .inTurn(let turn):
            made = await answer(asked)
            withExtendedLifetime(turn) {}
        }
        guard made.isLarge else { return await response(to: request, made, asked.path, context) }
        switch await admission(to: anonymousFiles, asked, route) {
        case .refused: return response(to: request, .tooManyAsk)
        case .free: return await response(to: request, made, asked.path, context)
        case .inTurn(let turn): return await response(to: request, made, asked.path, context, turn)
        }
    }

    private func admission(
        to allotment: AnonymousAllotment, _ asked: WebRequest, _ route: WebRoute
    ) async -> Admission {
        // Signing in has bounds of its own: its work is hashing.
        guard route.access == .anybody, !route.changes else { return .free }
        let address = SignInGuard.network(of: asked.address)
        if let turn = allotment.turnAtOnce(for: address) { return .inTurn(turn) }
        if asked.token != nil, await signIns.person(asked.token, from: asked.address) != nil { return .free }
        return await allotment.turn(for: address).map(Admission.inTurn) ?? .refused
    }
}

extension WebAnswer {
    /// Takes more than one write to send.
    fileprivate var isLarge: Bool {
        let held = (page?.body.readableBytes ?? 0) + (joined?.byteCount ?? 0) + body.count
        return file != nil || held > WebFile.chunkBytes
    }

    static let tooManyAsk = refused(
        503, "busy", "Too many people ask at this moment; try again in a few seconds."
    ).with("Retry-After", "2")
}
