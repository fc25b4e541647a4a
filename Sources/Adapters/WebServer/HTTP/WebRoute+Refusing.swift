extension WebRoute {
    /// The same route, which answers all requests that change something with `refusal` while that returns an answer.
    public func refusingChanges(_ refusal: @escaping @Sendable () -> WebResponse?) -> WebRoute {
        guard changes else { return self }
        if let intake { return withoutIntake.refusingChanges(refusal).admitting(intake) }
        switch handler {
        case .answer(let answer):
            return WebRoute(method, path, access, bodyLimitBytes: bodyLimitBytes) { request in
                if let refused = refusal() { return refused }
                return await answer(request)
            }
        case .upload(let folder, let answer):
            return .upload(method, path, access, limitBytes: bodyLimitBytes ?? 0, folder: folder) { request in
                if let refused = refusal() { return refused }
                return await answer(request)
            }
        case .stream, .personal: return self
        }
    }
}
