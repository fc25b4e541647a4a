extension WebRoute {
    /// A copy of the route that can refuse requests that change something. If `refusal` returns a response, this
    /// response is sent and the request is not handled.
    public func refusingChanges(_ refusal: @escaping @Sendable () -> WebResponse?) -> WebRoute {
        guard changesState else { return self }
        var route = self
        switch handler {
        case .answer(let answer):
            route.handler = .answer { request in
                if let refused = refusal() { return refused }
                return try await answer(request)
            }
        case .upload(let folder, let answer):
            route.handler = .upload(folder: folder) { request in
                if let refused = refusal() { return refused }
                return try await answer(request)
            }
        case .stream, .carrier, .personalStreams: break
        }
        return route
    }
}
