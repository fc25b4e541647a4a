extension WebRoute {
    /// A copy of the route that can refuse requests that change something. If `refusal` returns a response, this
    /// response is sent and the request is not handled.
    public func refusingChanges(_ refusal: @escaping @Sendable () -> WebResponse?) -> WebRoute {
        guard changesState else { return self }
        if let writeCheck {
            return withoutWriteCheck.refusingChanges(refusal).addingWriteCheck(writeCheck)
        }
        switch handler {
        case .answer(let answer):
            let route = WebRoute(method, path, access, bodyLimitBytes: bodyLimitBytes) { request in
                if let refused = refusal() { return refused }
                return await answer(request)
            }
            let known = identifiesVisitor ? route.identifyingVisitor : route
            return isOpenToOtherServer ? known.openToOtherServer : known
        case .upload(let folder, let answer):
            return .upload(method, path, access, limitBytes: bodyLimitBytes ?? 0, folder: folder) { request in
                if let refused = refusal() { return refused }
                return await answer(request)
            }
        case .stream, .carrier, .personalStreams: return self
        }
    }
}
