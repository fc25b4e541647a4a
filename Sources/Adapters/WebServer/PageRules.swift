/// Which pages need a sign-in. Everything else in the folder is open: scripts and styles hold no secret.
enum PageRules {
    static let access: [String: Access] = [
        "/console": .roles(WebRole.staff),
        "/report": .roles(WebRole.staff),
        "/edit": .roles([.editor, .administrator]),
        "/library": .roles([.editor, .administrator]),
    ]

    /// Where `/` leads.
    static let home = "/console"
    static let signIn = "/login"

    /// Whether it is of use only to who may sign in.
    static func isConsole(_ path: String) -> Bool {
        access(to: path) != .anybody || path == signIn || path == signIn + ".html"
    }

    static func access(to path: String) -> Access {
        access[path.hasSuffix(".html") ? String(path.dropLast(5)) : path] ?? .anybody
    }

    /// The sign-in page, which leads back to where the visitor wanted to go.
    static func signInAddress(for path: String) -> String {
        // Only our own pages are named here, so nothing needs escaping and nothing leads elsewhere.
        access[path] == nil ? signIn : "\(signIn)?next=\(path)"
    }
}
