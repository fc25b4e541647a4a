import WebServer

/// The diary for other programs: the description of the API.
struct FeedRoutes: Sendable {
    var routes: [WebRoute] {
        [WebRoute(.get, "/api/diary/openapi.json", .anybody) { _ in .json(OpenAPIDescription.json) }]
    }
}
