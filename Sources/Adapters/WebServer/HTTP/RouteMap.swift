/// Finds the route that handles a request, by method and path.
struct RouteMap: Sendable {
    enum Finding: Sendable {
        case route(WebRoute, parameters: [String: String])
        /// The path exists, but not for this method. The value lists the allowed methods.
        case otherMethods([String])
        case nothing
    }

    private struct Pattern: Sendable {
        let parts: [Substring]
        let routes: [WebRoute]

        func parameters(of path: [Substring]) -> [String: String]? {
            guard path.count == parts.count else { return nil }
            var parameters: [String: String] = [:]
            for (part, given) in zip(parts, path) {
                if part.first == ":" {
                    parameters[String(part.dropFirst())] = String(given)
                } else if part != given {
                    return nil
                }
            }
            return parameters
        }
    }

    private let exact: [String: [WebRoute]]
    private let patterns: [Pattern]

    /// - Precondition: no two routes have the same method and path.
    init(_ routes: [WebRoute]) {
        let byPath = Dictionary(grouping: routes, by: \.path)
        for (path, routes) in byPath {
            precondition(
                Set(routes.map(\.method)).count == routes.count, "\(path) has two routes of one method")
        }
        exact = byPath.filter { !$0.key.contains(":") }
        patterns = byPath.filter { $0.key.contains(":") }.sorted { $0.key < $1.key }
            .map { Pattern(parts: Self.parts($0.key), routes: $0.value) }
    }

    /// Finds the route of a request.
    /// - Parameters:
    ///   - method: for example `GET`; `HEAD` finds the same route as `GET`.
    ///   - path: the percent-decoded path.
    func find(_ method: String, _ path: String) -> Finding {
        if let routes = exact[path] { return matchMethod(method, routes, [:]) }
        let parts = Self.parts(path)
        for pattern in patterns {
            if let parameters = pattern.parameters(of: parts) {
                return matchMethod(method, pattern.routes, parameters)
            }
        }
        return .nothing
    }

    private func matchMethod(_ method: String, _ routes: [WebRoute], _ parameters: [String: String])
        -> Finding
    {
        let wanted = method == "HEAD" ? "GET" : method
        if let route = routes.first(where: { $0.method.rawValue == wanted }) {
            return .route(route, parameters: parameters)
        }
        return .otherMethods(routes.map(\.method.rawValue).sorted())
    }

    private static func parts(_ path: String) -> [Substring] { path.split(separator: "/") }
}
