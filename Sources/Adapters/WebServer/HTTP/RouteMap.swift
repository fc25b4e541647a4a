/// Finds the route that handles a request, by method and path.
struct RouteMap: Sendable {
    enum RouteLookupResult: Sendable {
        case route(WebRoute, parameters: [String: String])
        /// The path exists, but not for this method. The value lists the allowed methods.
        case otherMethods([String])
        case nothing
    }

    private struct PathPattern: Sendable {
        let pathParts: [Substring]
        let routes: [WebRoute]

        func matchParameters(of path: [Substring]) -> [String: String]? {
            guard path.count == pathParts.count else { return nil }
            var parameters: [String: String] = [:]
            for (part, given) in zip(pathParts, path) {
                if part.first == ":" {
                    parameters[String(part.dropFirst())] = String(given)
                } else if part != given {
                    return nil
                }
            }
            return parameters
        }
    }

    private let routesByExactPath: [String: [WebRoute]]
    private let patterns: [PathPattern]

    /// - Precondition: no two routes have the same method and path.
    init(_ routes: [WebRoute]) {
        let byPath = Dictionary(grouping: routes, by: \.path)
        for (path, routes) in byPath {
            precondition(
                Set(routes.map(\.method)).count == routes.count, "\(path) has two routes of one method")
        }
        routesByExactPath = byPath.filter { !$0.key.contains(":") }
        patterns = byPath.filter { $0.key.contains(":") }.sorted { $0.key < $1.key }
            .map { PathPattern(pathParts: Self.splitPath($0.key), routes: $0.value) }
    }

    /// Finds the route of a request.
    /// - Parameters:
    ///   - method: for example `GET`; `HEAD` finds the same route as `GET`.
    ///   - path: the percent-decoded path.
    func findRoute(_ method: String, _ path: String) -> RouteLookupResult {
        if let routes = routesByExactPath[path] { return matchMethod(method, routes, [:]) }
        let parts = Self.splitPath(path)
        for pattern in patterns {
            if let parameters = pattern.matchParameters(of: parts) {
                return matchMethod(method, pattern.routes, parameters)
            }
        }
        return .nothing
    }

    private func matchMethod(_ method: String, _ routes: [WebRoute], _ parameters: [String: String])
        -> RouteLookupResult
    {
        let wanted = method == "HEAD" ? "GET" : method
        if let route = routes.first(where: { $0.method.rawValue == wanted }) {
            return .route(route, parameters: parameters)
        }
        return .otherMethods(routes.map(\.method.rawValue).sorted())
    }

    private static func splitPath(_ path: String) -> [Substring] { path.split(separator: "/") }
}
