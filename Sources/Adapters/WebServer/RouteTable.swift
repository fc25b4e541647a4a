/// All addresses of the console, with their access rights and the sizes of their bodies. For pages see `PageRules`.
struct RouteTable {
    let desk: any ConsoleBackend
    let signIns: SignInService
    let events: EventHub

    static let operators: Set<WebRole> = [.technician, .administrator]
    static let cueListBytes = 1_048_576

    var routes: [WebRoute] {
        [
            WebRoute(.get, "/healthz", .anybody) { [desk] _ in await desk.health() },

            WebRoute(.post, "/api/login", .anybody, bodyLimitBytes: 4_096, answer: signIns.signIn),
            WebRoute(.post, "/api/logout", .anybody, bodyLimitBytes: 4_096, answer: signIns.signOut),
            WebRoute(.get, "/api/me", .signedIn, answer: signIns.me),
            WebRoute(
                .post, "/api/account/password", .signedIn, bodyLimitBytes: 4_096,
                answer: signIns.changePassword),

            .stream("/api/events", .roles(WebRole.staff), events),
            WebRoute(.post, "/api/command", .roles(Self.operators), answer: command),
            WebRoute(.post, "/api/check", .roles(Self.operators), answer: startCheck),
            WebRoute(.get, "/api/cues/:piece", .roles(WebRole.staff), answer: cues),
            WebRoute(
                .put, "/api/cues/:piece", .roles(WebRole.staff), bodyLimitBytes: Self.cueListBytes,
                answer: setCues),
            WebRoute(.get, "/api/report/current", .roles(WebRole.staff)) { [desk] _ in await desk.report() },
        ]
    }
}
