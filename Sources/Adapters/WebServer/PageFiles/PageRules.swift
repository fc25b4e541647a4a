/// The pages that need a sign-in. All other files in the folder are open: scripts and styles hold no secret.
enum PageRules {
    static let access: [String: Access] = [
        "/console": .roles(WebRole.staff),
        "/report": .roles(WebRole.staff),
        "/edit": .roles([.editor, .administrator]),
        "/library": .roles([.editor, .administrator]),
    ]

    /// The page that `/` redirects to.
    static let home = "/console"
    static let signIn = "/login"

    /// True if only people who can sign in need the page.
    static func isConsole(_ path: String) -> Bool {
        access(to: path) != .anybody || path == signIn || path == signIn + ".html"
    }

    static func access(to path: String) -> Access {
        access[path.hasSuffix(".html") ? String(path.dropLast(5)) : path] ?? .anybody
    }

    /// The address of the sign-in page, which returns to the page that the visitor wanted.
    static func signInAddress(for path: String) -> String {
        // Only our own pages are named here, so nothing needs escaping and nothing leads elsewhere.
        access[path] == nil ? signIn : "\(signIn)?next=\(path)"
    }
}
