/// The pages that need a sign-in, and the people who may open them. All other files are open to anybody: scripts and
/// styles contain no secrets.
enum PageRules {
    static let accessByPath: [String: RouteAccess] = [
        "/console": .roles(WebRole.staff),
        "/report": .roles(WebRole.staff),
        "/edit": .roles([.editor, .administrator]),
        "/prepare": .roles([.editor, .administrator]),
        "/library": .roles([.editor, .administrator]),
        "/accounts": .roles([.editor, .administrator]),
        "/account": .signedIn,
        "/house": .signedIn,
        "/recordings": .roles(WebRole.operators),
        "/titles": .roles(WebRole.titleStaff),
        "/reference": .roles([.editor, .administrator]),
        "/practice/follow": .signedIn,
        "/practice-follow": .signedIn,
        "/microphone": .signedIn,
    ]

    /// The pages that may use the microphone of the visitor's device. All other pages are forbidden it.
    static let pagesThatListen: Set<String> = [
        "/listen", "/microphone", "/practice", "/practice/follow", "/practice-follow", "/stand",
    ]

    /// Pages whose address may have a name after it, as in `/screen/hall`.
    static let pagesWithNames: Set<String> = ["screen"]

    /// The files of pages whose address has two parts, or that stand at two addresses, by their address without the
    /// first slash.
    static let filesByName: [String: String] = [
        "listen": "index.html", "practice/follow": "practice-follow.html",
    ]

    /// The page to which `/` redirects if there is no page at `/`.
    static let homePath = "/console"
    static let signInPath = "/login"
    /// The sign-in page for somebody who is signed in and wants another account; it does not lead on by itself.
    static let signInAsAnotherAddress = signInPath + "?another"

    /// True for pages that require a sign-in, and for the sign-in page itself.
    static func isConsolePage(_ path: String) -> Bool {
        access(to: path) != .anybody || path == signInPath || path == signInPath + ".html"
    }

    static func access(to path: String) -> RouteAccess { accessByPath[plain(path)] ?? .anybody }

    /// True if the page at this path may use the microphone.
    static func mayListen(_ path: String) -> Bool { pagesThatListen.contains(plain(path)) }

    /// True if the page, or the worker's script, at this path may run the engine that follows music. A worker has the
    /// policy of its script, without which Firefox gives it no WebAssembly.
    static func mayFollow(_ path: String) -> Bool { mayListen(path) || workersThatFollow.contains(path) }

    private static let workersThatFollow: Set<String> = [
        "/practice-follow/followerworker.js", "/practice-follow/reportworker.js",
        "/shared/follower-worker.js",
        "/stand/followerworker.js",
    ]

    /// True if the page at this path, or the script that carries its streams, listens to both servers of a pair.
    static func readsFromBothServers(_ path: String) -> Bool {
        path == "/shared/streamworker.js" || plain(path) == "/screen"
            || path.hasPrefix("/screen/") && !path.contains(".")
    }

    private static func plain(_ path: String) -> String {
        path.hasSuffix(".html") ? String(path.dropLast(5)) : path
    }

    /// The address of the sign-in page. After the sign-in it returns to the page at `path`.
    static func signInAddress(for path: String) -> String {
        // Only paths from the list above are inserted, so none needs escaping and none leads to another site.
        accessByPath[path] == nil ? signInPath : "\(signInPath)?next=\(path)"
    }
}
