/// The pages that need a sign-in, and the people who may open them. All other files are open to anybody: scripts and
/// styles contain no secrets.
enum PageRules {
    static let access: [String: RouteAccess] = [
        "/console": .roles(WebRole.staff),
        "/report": .roles(WebRole.staff),
        "/edit": .roles([.editor, .administrator]),
        "/library": .roles([.editor, .administrator]),
    ]

    /// The page to which `/` redirects if there is no page at `/`.
    static let home = "/console"
    static let signIn = "/login"

    /// True for pages that only people with an account need: pages that require a sign-in, and the sign-in page itself.
    static func isConsole(_ path: String) -> Bool {
        access(to: path) != .anybody || path == signIn || path == signIn + ".html"
    }

    static func access(to path: String) -> RouteAccess {
        access[path.hasSuffix(".html") ? String(path.dropLast(5)) : path] ?? .anybody
    }

    /// The address of the sign-in page. After the sign-in it returns to the page at `path`.
    static func signInAddress(for path: String) -> String {
        // Only paths from the list above are inserted, so none needs escaping and none leads to another site.
        access[path] == nil ? signIn : "\(signIn)?next=\(path)"
    }
}
