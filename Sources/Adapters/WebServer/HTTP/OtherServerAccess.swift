import Hummingbird

/// Lets pages of the other server of a pair use some routes of this one. A screen listens to both servers, so that it
/// shows the right title as soon as one takes over.
struct OtherServerAccess: Sendable {
    /// The address of the other server's pages, such as `http://192.168.1.11:8080`; nil if it is unknown.
    let findAddress: @Sendable () -> String?

    /// The origin of the other server's pages; nil if there is none.
    var origin: String? { findAddress().flatMap { try? WebOrigin($0) }?.description }

    /// The origin of the page that sends a request for a route, if it is one of the other server's, else nil. Its pages
    /// may have come over TLS too, from the same port.
    func origin(of request: Request, for route: WebRoute) -> String? {
        guard route.isOpenToOtherServer, let sender = request.headers[.origin]?.lowercased(),
            let origin,
            sender == origin || sender == origin.replacing("http://", with: "https://", maxReplacements: 1)
        else { return nil }
        return sender
    }

    /// Adds to a response the permission that a browser asks for before it gives the response to a page.
    func addPermission(to fields: inout HTTPFields, for route: WebRoute, _ request: Request) {
        guard route.isOpenToOtherServer else { return }
        fields[.vary] = fields[.vary].map { $0 + ", Origin" } ?? "Origin"
        guard let origin = origin(of: request, for: route) else { return }
        fields[.accessControlAllowOrigin] = origin
    }

    /// The answer to a browser that asks whether one of the other server's pages may send a request; nil if it may not.
    func answerPreflight(of request: Request, for route: WebRoute) -> Response? {
        guard origin(of: request, for: route) != nil else { return nil }
        let fields: HTTPFields = [
            .accessControlAllowMethods: route.method.rawValue,
            .accessControlAllowHeaders: "Content-Type, X-Baton", .accessControlMaxAge: "600",
        ]
        var response = Response(status: .noContent, headers: fields)
        addPermission(to: &response.headers, for: route, request)
        return response
    }
}
