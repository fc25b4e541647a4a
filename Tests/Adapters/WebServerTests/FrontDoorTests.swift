import Console
import Hummingbird
import RouterTesting
import Testing

@testable import TestHelpers
@testable import WebServer

typealias Headers = HTTPFields

/// Everything a browser of our own page sends with a change.
func headers(_ token: String? = nil, mark: String? = "1", origin: String? = nil) -> HTTPFields {
    var fields = HTTPFields()
    if let token { fields[.cookie] = "baton_session=\(token)" }
    if let mark { fields[SecurityHeaders.headerName("X-Baton")] = mark }
    if let origin { fields[.origin] = origin }
    return fields
}

func code(_ response: TestResponse) -> String {
    let text = String(buffer: response.body)
    guard let start = text.firstRange(of: "\"code\":\"") else { return text }
    return String(text[start.upperBound...].prefix { $0 != "\"" })
}

@Suite(.ownThreads) struct FrontDoorTests {
    let stage: Stage

    init() throws { stage = try Stage() }

    func ask(
        _ path: String, _ method: HTTPRequest.Method = .get, _ fields: HTTPFields = [:], body: String? = nil
    ) async throws -> TestResponse {
        try await stage.server.makeApplication().test { client in
            try await client.execute(
                uri: path, method: method, headers: fields, body: body.map { ByteBuffer(string: $0) }
            ) { $0 }
        }
    }

    /// - Parameter device: the mark that the browser shows.
    func signIn(_ name: String, _ password: String, device: String? = nil) async throws -> TestResponse {
        var fields = headers()
        if let device { fields[.cookie] = "\(DeviceCookie.name)=\(device)" }
        return try await ask(
            "/api/login", .post, fields, body: #"{"name":"\#(name)","password":"\#(password)"}"#)
    }

    // MARK: Roles

    /// Status by nobody, technician, editor, administrator.
    @Test(arguments: [
        ("/healthz", "GET", [200, 200, 200, 200]),
        ("/api/me", "GET", [401, 200, 200, 200]),
        ("/api/command", "POST", [401, 200, 403, 200]),
        ("/api/check", "POST", [401, 200, 403, 200]),
        ("/api/cues/0.csv", "GET", [401, 200, 200, 200]),
        ("/api/cues/0", "PUT", [401, 200, 200, 200]),
        ("/api/report/current", "GET", [401, 200, 200, 200]),
        ("/console", "GET", [302, 200, 200, 200]),
        ("/login", "GET", [200, 200, 200, 200]),
        ("/console/main.js", "GET", [200, 200, 200, 200]),
        ("/api/nothing", "GET", [404, 404, 404, 404]),
    ])
    func everyAddressKnowsItsRoles(path: String, method: String, statuses: [Int]) async throws {
        for (name, status) in zip([nil, "ines", "ed", "ada"], statuses) {
            let token = name.map { stage.accounts.token($0) }
            let body = method == "GET" ? nil : #"{"command":"go"}"#
            let response = try await ask(path, HTTPRequest.Method(method)!, headers(token), body: body)
            #expect(response.status.code == status, "\(method) \(path) by \(name ?? "nobody")")
        }
    }

    @Test func everyRouteButThreeNeedsASignIn() {
        let signIns = SignInService(
            accounts: stage.accounts, settings: WebSettings(), readMilliseconds: { 0 })
        let routes = ConsoleRoutes(desk: stage.desk, events: EventHub()).routes + signIns.routes
        let open = routes.filter { $0.access == .anybody }.map(\.path)
        #expect(open == ["/healthz", "/api/login", "/api/logout"])
    }

    @Test func whoMayNotIsToldWhoMay() async throws {
        let response = try await ask(
            "/api/command", .post, headers(stage.accounts.token("ed")), body: #"{"command":"go"}"#)
        #expect(code(response) == "not-allowed")
        #expect(
            String(buffer: response.body).contains("or title-operator; you are signed in as editor")
        )
        #expect(stage.desk.commands.isEmpty)
    }

    @Test func programsSignInByABearerToken() async throws {
        let response = try await ask(
            "/api/me", .get, [.authorization: "Bearer \(stage.accounts.token("ines"))"])
        #expect(response.status == .ok)
    }

    @Test func visitorIsLedToTheSignInAndBack() async throws {
        let response = try await ask("/console")
        #expect(response.headers[.location] == "/login?next=/console")
        #expect(try await ask("/console.html").headers[.location] == "/login")
        #expect(try await ask("/").headers[.location] == "/console")
    }

    // MARK: Commands

    @Test func commandReachesTheDeskWithItsPerson() async throws {
        let response = try await ask(
            "/api/command", .post, headers(stage.accounts.token("ines")),
            body: #"{"command":"nudge","arguments":["1"],"epoch":"1.4"}"#)
        #expect(String(buffer: response.body) == #"{"ok":true,"epoch":"1.5"}"#)
        #expect(
            stage.desk.commands == [CommandRequest(name: "nudge", arguments: ["1"], lastSeenEpoch: "1.4")])
        #expect(stage.desk.people == ["Ines"])
    }

    @Test func refusalOfTheDeskComesThrough() async throws {
        let response = try await ask(
            "/api/command", .post, headers(stage.accounts.token("ines")),
            body: #"{"command":"go","epoch":"1.0"}"#)
        #expect(response.status == .conflict && code(response) == "old-epoch")
    }

    @Test(arguments: ["", "{", "[]", #"{"command":3}"#, String(repeating: "[", count: 10_000)])
    func malformedCommandIsRefusedWithASentence(body: String) async throws {
        let response = try await ask("/api/command", .post, headers(stage.accounts.token("ines")), body: body)
        #expect(response.status == .badRequest && code(response) == "bad-json")
        #expect(response.headers[.contentType] == "application/json")
        #expect(stage.desk.commands.isEmpty)
    }

    @Test func bodyAboveTheLimitIsRefused() async throws {
        let token = stage.accounts.token("ines")
        let large = #"{"command":"note","arguments":["\#(String(repeating: "x", count: 70_000))"]}"#
        #expect(try await ask("/api/command", .post, headers(token), body: large).status == .contentTooLarge)
        #expect(try await ask("/api/cues/1", .put, headers(token), body: large).status == .ok)
        let tooLarge = String(repeating: "x", count: ConsoleRoutes.maximumCueListBytes + 1)
        #expect(try await ask("/api/cues/1", .put, headers(token), body: tooLarge).status == .contentTooLarge)
    }

    @Test func cueListsComeAndGoInBothForms() async throws {
        let token = stage.accounts.token("ines")
        let csv = try await ask("/api/cues/2.csv", .get, headers(token))
        #expect(csv.headers[.contentType] == "text/csv; charset=utf-8")
        #expect(csv.headers[.contentDisposition] == "attachment; filename=\"cues-2.csv\"")
        #expect(String(buffer: try await ask("/api/cues/2", .get, headers(token)).body) == #"{"piece":2}"#)
        var fields = headers(token)
        fields[.contentType] = "application/json"
        _ = try await ask("/api/cues/1", .put, fields, body: "[]")
        fields[.contentType] = "text/csv"
        _ = try await ask("/api/cues/1", .put, fields, body: "piece,place\n")
        #expect(stage.desk.cueLists.map(\.2) == [false, true])
        for path in [
            "/api/cues/x", "/api/cues/-1", "/api/cues/1.txt", "/api/cues/99999999", "/api/cues/%D9%A1",
        ] {
            #expect(try await ask(path, .get, headers(token)).status == .notFound, "\(path)")
        }
    }

    /// Another window of the browser may have signed somebody else in since something was made.
    @Test func whatOnePersonMadeIsRefusedUnderTheSignInOfAnother() async throws {
        for (by, isTaken) in [("Ada", false), ("%41da", false), ("Ines", true), ("%49nes", true)] {
            var fields = headers(stage.accounts.token("ines"))
            fields[SecurityHeaders.headerName("X-Baton-By")] = by
            let response = try await ask("/api/command", .post, fields, body: #"{"command":"panic"}"#)
            #expect(response.status == (isTaken ? .ok : .forbidden), "\(by)")
            #expect(isTaken || code(response) == "other-person")
        }
        #expect(stage.desk.commands.count == 2)
    }

    // MARK: Other sites

    @Test func requestsOfOtherSitesAreRefused() async throws {
        let token = stage.accounts.token("ines")
        for fields in [headers(token, mark: nil), headers(token, origin: "http://evil.example")] {
            let response = try await ask("/api/command", .post, fields, body: #"{"command":"panic"}"#)
            #expect(response.status == .forbidden && code(response) == "cross-site")
        }
        #expect(stage.desk.commands.isEmpty)
        let own = headers(token, origin: "http://localhost")
        #expect(try await ask("/api/command", .post, own, body: #"{"command":"panic"}"#).status == .ok)
    }

    @Test func nothingIsGrantedToOtherSites() async throws {
        let response = try await ask("/api/command", .options, headers(origin: "http://evil.example"))
        #expect(response.status == .methodNotAllowed)
        #expect(response.headers[SecurityHeaders.headerName("Access-Control-Allow-Origin")] == nil)
    }

    @Test(arguments: [
        "/healthz", "/console/main.js", "/login", "/nothing", "/api/nothing", "/api/me", "/..", "/",
    ])
    func everyAnswerCarriesTheSafeFields(path: String) async throws {
        let fields = try await ask(path).headers
        #expect(fields[.contentSecurityPolicy]?.hasPrefix("default-src 'self';") == true)
        #expect(fields[.contentSecurityPolicy]?.contains("frame-ancestors 'none'") == true)
        #expect(fields[.contentSecurityPolicy]?.contains("unsafe") == false)
        #expect(fields[.xContentTypeOptions] == "nosniff")
        #expect(fields[SecurityHeaders.headerName("Referrer-Policy")] == "same-origin")
        #expect(fields[.cacheControl] != nil && fields[.server] == nil)
    }

    // MARK: Pages

    @Test func pageIsFetchedOnceAndThenOnlyAskedFor() async throws {
        let first = try await ask("/console/main.js")
        #expect(first.headers[.contentType] == "text/javascript; charset=utf-8")
        #expect(first.headers[.cacheControl] == "no-cache")
        let tag = try #require(first.headers[.eTag])
        for held in [tag, "\"x\", \(tag)", "*"] {
            let again = try await ask("/console/main.js", .get, [.ifNoneMatch: held])
            #expect(again.status == .notModified && again.body.readableBytes == 0)
        }
        #expect(try await ask("/console/main.js", .get, [.ifNoneMatch: "\"x\""]).status == .ok)
    }

    @Test func pagesArePackedForWhoTakesThem() async throws {
        let plain = try await ask("/console/main.js")
        let packed = try await ask("/console/main.js", .get, [.acceptEncoding: "deflate, gzip;q=0.8"])
        #expect(packed.headers[.contentEncoding] == "gzip")
        #expect(packed.body.readableBytes < plain.body.readableBytes / 2)
        #expect(packed.headers[.vary] == "Accept-Encoding")
        let refused = try await ask("/console/main.js", .get, [.acceptEncoding: "gzip;q=0"])
        #expect(refused.headers[.contentEncoding] == nil)
    }

    @Test func headHasTheSizeWithoutTheBody() async throws {
        let response = try await ask("/console/main.js", .head)
        #expect(response.body.readableBytes == 0 && response.headers[.contentLength] == "2600")
        #expect(try await ask("/api/command", .head, headers()).status == .methodNotAllowed)
    }

    @Test(arguments: [
        "/../secret.txt", "/%2e%2e/secret.txt", "/console/..%2f..%2fsecret.txt", "/.hidden", "/link.txt",
        "/console.html%00.js", "/%00", "//etc/passwd", "/console/%252e%252e/%252e%252e/secret.txt",
        "/etc/passwd",
    ])
    func nothingOutsideTheFolderIsServed(path: String) async throws {
        let response = try await ask(path)
        #expect(response.status == .badRequest || response.status == .notFound)
        #expect(
            !String(buffer: response.body).contains("audience")
                && !String(buffer: response.body).contains("root:"))
    }

    @Test func missingPageIsAPageAndMissingAddressIsJSON() async throws {
        #expect(try await ask("/nothing").headers[.contentType] == "text/html; charset=utf-8")
        let response = try await ask("/api/nothing")
        #expect(response.status == .notFound && code(response) == "not-found")
        #expect(try await ask("/login", .post, headers()).status == .methodNotAllowed)
    }

    // MARK: Further routes

    @Test func furtherRoutesAreGuardedAlike() async throws {
        let stage = try Stage(routes: [
            WebRoute(.put, "/api/venues/:name", .roles([.editor]), bodyLimitBytes: 10) { request in
                .json([
                    "got":
                        "\(request.pathParameters["name"]!) \(request.queryParameters["x"] ?? "") \(request.body.count)"
                ])
            }
        ])
        try await stage.server.makeApplication().test { client in
            for (token, fields, body, status) in [
                ("ed", headers(stage.accounts.token("ed")), "12345", 200),
                ("ed", headers(stage.accounts.token("ed")), "12345678901", 413),
                ("ed", headers(stage.accounts.token("ed"), mark: nil), "1", 403),
                ("ines", headers(stage.accounts.token("ines")), "1", 403),
            ] {
                try await client.execute(
                    uri: "/api/venues/K%C3%B6ln?x=a%20b", method: .put, headers: fields,
                    body: ByteBuffer(string: body)
                ) {
                    #expect($0.status.code == status, "\(token)")
                    if status == 200 { #expect(String(buffer: $0.body) == #"{"got":"Köln a b 5"}"#) }
                }
            }
        }
    }
}
