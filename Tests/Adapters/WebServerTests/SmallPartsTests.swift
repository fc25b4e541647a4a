import Basics
import Foundation
import Hummingbird
import Testing

@testable import Console
@testable import WebServer

@Suite struct PagePathTests {
    @Test(arguments: [
        ("/", "/"), ("/console", "/console"), ("/console/main.js", "/console/main.js"),
        ("/caf%C3%A9", "/café"), ("/a%20b", "/a b"),
    ])
    func ordinaryPathsAreDecoded(path: String, plain: String) {
        #expect(PagePath.decoded(path) == plain)
    }

    @Test(arguments: [
        "", "console", "/..", "/../etc/passwd", "/a/../../etc/passwd", "/%2e%2e/etc/passwd", "/%2E%2E%2Fetc",
        "/.%2e/x", "/%252e%252e/x", "/a/./b", "/.git/config", "//etc/passwd", "/a//b", "/a/", "/%00",
        "/a%00.js",
        "/a%0d%0aSet-Cookie:x", "/..%5c..%5cwindows", "/\\..\\x", "/%c0%ae%c0%ae/x", "/%e0%80%ae/x", "/%",
        "/%2",
        "/%zz", "/a:b", "/%ff", "/" + String(repeating: "a", count: 1_024),
    ])
    func crookedPathsAreNone(path: String) {
        #expect(PagePath.decoded(path) == nil)
    }
}

@Suite struct CrossSiteTests {
    let guarded = Self.check(try! WebSettings(furtherOrigins: [WebOrigin("https://Baton.example.org")]))

    private static func check(_ settings: WebSettings) -> CrossSiteCheck {
        CrossSiteCheck(settings, hostNames: OwnHostNames(settings))
    }

    private func code(
        _ crossSite: CrossSiteCheck, host: String? = "10.0.0.2:8080", origin: String? = nil,
        fetchSite: String? = nil,
        mark: String? = "1", purpose: CrossSiteCheck.Purpose = .change
    ) -> Int {
        crossSite.refusal(host: host, origin: origin, fetchSite: fetchSite, mark: mark, purpose: purpose)?
            .status ?? 200
    }

    @Test func changesNeedTheMarkReadingDoesNot() {
        #expect(code(guarded, mark: nil) == 403 && code(guarded, mark: "0") == 403)
        #expect(code(guarded, mark: "1") == 200)
        #expect(code(guarded, mark: nil, purpose: .reading) == 200)
    }

    @Test(arguments: [
        "http://evil.example", "null", "https://10.0.0.2:8080", "http://10.0.0.2", "http://10.0.0.2:8081",
        "http://10.0.0.2:8080.evil.example", "",
    ])
    func foreignOriginsAreRefused(origin: String) {
        #expect(code(guarded, origin: origin) == 403)
    }

    @Test func ownOriginAndNamedOnesAreTaken() {
        #expect(code(guarded, origin: "http://10.0.0.2:8080") == 200)
        #expect(code(guarded, origin: "HTTP://10.0.0.2:8080") == 200)
        #expect(code(guarded, origin: "https://baton.example.org") == 200)
        #expect(code(guarded, fetchSite: "same-origin") == 200)
        #expect(code(guarded, fetchSite: "cross-site") == 403 && code(guarded, fetchSite: "same-site") == 403)
    }

    @Test func withoutSignInOnlyNamesOfThisMachineOpenAnything() {
        let open = Self.check(WebSettings(signIn: .notNeeded))
        for host in ["localhost:8080", "127.0.0.1:8080", "[::1]:8080", "LOCALHOST", "127.0.0.1"] {
            #expect(code(open, host: host, purpose: .page) == 200, "\(host)")
        }
        for host in [
            "evil.example", "evil.example:8080", "127.0.0.1.evil.example", "localhost.evil.example", nil,
        ] {
            #expect(code(open, host: host, purpose: .page) == 403)
        }
    }

    @Test func withoutSignInOtherSitesReadNothingButMayLinkHere() {
        let open = Self.check(WebSettings(signIn: .notNeeded))
        #expect(code(open, host: "localhost", fetchSite: "cross-site", purpose: .reading) == 403)
        #expect(code(open, host: "localhost", fetchSite: "same-origin", purpose: .reading) == 200)
        #expect(code(open, host: "localhost", fetchSite: "cross-site", purpose: .page) == 200)
    }

    @Test(arguments: ["0.0.0.0", "192.168.1.5", "::", "baton.local", "127.0.0.1.example", "127.0.0.256"])
    func serverWithoutSignInRefusesToListenForOthers(address: String) throws {
        #expect(
            throws: ExplainedError(
                "Without sign-in anybody who reaches \(address) could run the concert; listen on "
                    + "127.0.0.1, or leave out --no-sign-in.")
        ) {
            try WebSettings(address: address, signIn: .notNeeded).check()
        }
        try WebSettings(address: address).check()
        try WebSettings(address: "127.0.0.1", signIn: .notNeeded).check()
        try WebSettings(address: "::1", signIn: .notNeeded).check()
    }

    @Test func aFurtherOriginIsRefusedWhereNobodySignsIn() throws {
        let settings = try WebSettings(
            signIn: .notNeeded, furtherOrigins: [WebOrigin("https://baton.example.org")])
        #expect(
            throws: ExplainedError(
                "Visitors through https://baton.example.org seem to come from this machine, so without "
                    + "sign-in anybody could run the concert; leave out --no-sign-in or --origin.")
        ) { try settings.check() }
    }
}

@Suite struct OwnHostNamesTests {
    private static let names = OwnHostNames(
        try! WebSettings(
            address: "stage.example", furtherOrigins: [WebOrigin("https://Baton.example.org:8443")],
            hostNames: ["Concert.Hall.Example"]),
        certificateNames: ["hall.example.org", "*.opera.example"])

    @Test(arguments: [
        "127.0.0.1:8080", "192.168.1.5", "[::1]:8080", "[fe80::1]", "localhost", "localhost:8080", "hall",
        "stage.example:8080", "baton.example.org", "BATON.example.org:8443", "concert.hall.example",
        "hall.example.org", "hall.example.org.:8080", "box.opera.example:443",
    ])
    func addressesAndOwnNamesAreKnown(host: String) {
        #expect(Self.names.contains(host))
    }

    @Test(arguments: [
        "evil.example", "evil.example:8080", "127.0.0.1.evil.example", "localhost.evil.example",
        "baton.example.org.evil.example", "opera.example", "a.b.opera.example", "127.0.0.256", "", ":8080",
        ".",
        "hall.evil.local",
    ])
    func namesThatSomebodyElseMayOwnAreNot(host: String) {
        #expect(!Self.names.contains(host))
    }

    @Test(arguments: ["http://a.example", "a.example:80", "", "a/b"])
    func aHostNameIsAName(text: String) {
        #expect(
            throws: ExplainedError(
                "“\(text.prefix(80))” is not a host name; give it without scheme and port, such as "
                    + "baton.hall.example.")
        ) { try WebSettings(hostNames: [text]).check() }
    }
}

@Suite struct WebOriginTests {
    @Test(arguments: [
        ("https://baton.example.org", "https://baton.example.org"),
        ("HTTPS://Baton.Example.org/", "https://baton.example.org"),
        ("https://baton.example.org:443", "https://baton.example.org"), ("http://hall:80", "http://hall"),
        ("http://hall:443", "http://hall:443"), ("http://192.168.1.9:8000", "http://192.168.1.9:8000"),
        ("https://[fe80::1]:8443", "https://[fe80::1]:8443"), ("http://[::1]", "http://[::1]"),
    ])
    func originsAreReadAsBrowsersWriteThem(_ text: String, _ origin: String) throws {
        #expect(try WebOrigin(text).description == origin)
    }

    @Test(arguments: [
        "", "*", "null", "baton.example.org", "ftp://baton.example.org", "https://", "https:///",
        "https://a/console",
        "https://a?b", "https://a b", "https://user@a", "https://a:0", "https://a:65536", "https://a:",
        "https://a:+1",
        "https://[::1", "https://[]", "https://[x]", "https://a\r\nb", "https://*.example.org",
        "https://é.example",
    ])
    func whatNoBrowserSendsIsRefusedWithASentence(_ text: String) {
        let error = #expect(throws: ExplainedError.self) { try WebOrigin(text) }
        #expect(
            error == WebError.badOrigin(text) && error?.sentence.contains("https://baton.example.org") == true
        )
    }
}

@Suite struct SessionCookieTests {
    @Test func cookieIsHiddenFromScriptsAndOtherSites() {
        // Attributes stand in any order.
        func parts(_ cookie: Cookie) -> Set<String> {
            Set(cookie.description.split(separator: ";").map { $0.trimmingCharacters(in: .whitespaces) })
        }
        let plain = parts(SessionCookie.makeCookie("abc", overTLS: false))
        #expect(
            plain == ["baton_session=abc", "Path=/", "HttpOnly", "SameSite=Strict", "Max-Age=2592000"])
        #expect(parts(SessionCookie.makeCookie("abc", overTLS: true)) == plain.union(["Secure"]))
        let cleared = parts(SessionCookie.makeExpiredCookie(overTLS: true))
        #expect(cleared.isSuperset(of: ["baton_session=", "Max-Age=0", "Secure"]))
        #expect(
            parts(DeviceCookie.makeCookie("abc", overTLS: false))
                == ["baton_device=abc", "Path=/api/", "HttpOnly", "SameSite=Strict", "Max-Age=34560000"])
    }

    @Test(arguments: [
        (["baton_session=abc-_9"], "abc-_9"), (["a=b; baton_session=abc; c=d"], "abc"),
        (["a=b", " baton_session=abc"], "abc"), (["a=b;  c=d;baton_session=abc"], "abc"),
    ])
    func tokenIsFoundAmongOthers(fields: [String], token: String) {
        #expect(SessionCookie.readToken(in: fields) == token)
    }

    @Test(arguments: [
        "", "baton_session", "baton_session=", "xbaton_session=abc", "baton_session=a b",
        "baton_session=a\"b", "baton_session=; baton_session=abc",
        "baton_session=" + String(repeating: "a", count: 257), "baton_session=ä",
    ])
    func anythingElseIsNoToken(field: String) {
        #expect(SessionCookie.readToken(in: [field]) == nil)
        #expect(SessionCookie.readToken(inAuthorization: field) == nil)
    }

    @Test func programsMayShowTheTokenInTheirOwnField() {
        #expect(SessionCookie.readToken(inAuthorization: "Bearer abc") == "abc")
        #expect(SessionCookie.readToken(inAuthorization: "Basic abc") == nil)
        #expect(SessionCookie.readToken(inAuthorization: nil) == nil)
    }
}

@Suite struct JSONBodyTests {
    private func decode(_ text: String) throws -> CommandRequest {
        try JSONBody.decode(CommandRequest.self, from: Array(text.utf8))
    }

    @Test func plainValuesBecomeWords() throws {
        let order = try decode(#"{"command":"nudge","arguments":[1,"C",true,-2.5,false],"epoch":"1.4"}"#)
        #expect(
            order
                == CommandRequest(
                    name: "nudge", arguments: ["1", "C", "on", "-2.5", "off"], lastSeenEpoch: "1.4"))
        #expect(try decode(#"{"command":"go"}"#) == CommandRequest(name: "go"))
    }

    @Test(arguments: [
        ("", "empty"), ("{", "not JSON"), ("nonsense", "not JSON"), ("[]", "wrong kind"),
        ("{}", "lacks “command”"),
        (#"{"command":1}"#, "“command”"), (#"{"command":"go","arguments":[{}]}"#, "“arguments, item 1”"),
        (#"{"command":"go","arguments":"x"}"#, "“arguments”"), (#"{"command":null}"#, "“command”"),
    ])
    func malformedJSONIsASentence(text: String, part: String) {
        do {
            _ = try decode(text)
            Issue.record("\(text) was taken")
        } catch {
            let sentence = (error as? JSONFault)?.sentence ?? ""
            #expect(sentence.contains(part) && sentence.hasSuffix("."), "\(sentence)")
        }
    }

    private struct Numbers: Decodable {
        struct Inner: Decodable { var count: Int }
        var text: String?
        var small: UInt8?
        var seconds: Double?
        var list: [Int32]?
        var inner: [Inner]?
    }

    /// The decoder calls such numbers invalid JSON; the sentence names the field and its range instead.
    @Test(arguments: [
        (#"{"small":999}"#, "The number “small” must be a whole number from 0 to 255."),
        (#"{"small": -1}"#, "The number “small” must be a whole number from 0 to 255."),
        (#"{"small":1.5}"#, "The number “small” must be a whole number from 0 to 255."),
        (#"{"text":"\"999, 01","small":7,"seconds":1e999}"#, "The number “seconds” must be between"),
        (
            #"{"seconds":1e99,"list":[1, 3000000000]}"#,
            "“list, item 2” must be a whole number from -2147483648"
        ),
        (
            #"{"inner":[{"count":1},{"count":1e99}]}"#,
            "“inner, item 2, count” must be a whole number of at most"
        ),
        (#"{"small":999"#, "The request is not JSON"), (#"{"small":01}"#, "The request is not JSON"),
        (#"{"small":1,}x"#, "The request is not JSON"),
    ])
    func numbersOutOfRangeAreNamed(text: String, part: String) {
        do {
            _ = try JSONBody.decode(Numbers.self, from: Array(text.utf8))
            Issue.record("\(text) was taken")
        } catch {
            #expect(error.sentence.contains(part) && error.sentence.hasSuffix("."), "\(error.sentence)")
        }
    }

    @Test func depthIsMeasuredOutsideOfStrings() {
        #expect(JSONBody.nestingDepth(of: Array(#"{"a":[1,{"b":"[[[[\"[[["}]}"#.utf8)) == 3)
        #expect(JSONBody.nestingDepth(of: Array("]]]".utf8)) == 0)
    }

    @Test func deepJSONIsRefusedBeforeItIsRead() {
        let deep = String(repeating: "[", count: 30_000) + String(repeating: "]", count: 30_000)
        #expect(throws: JSONFault.self) { try decode(deep) }
    }

    /// Every prefix of a command is refused or read, never a crash.
    @Test func commandCutAnywhereIsRefused() throws {
        let whole = Array(#"{"command":"goto","arguments":["57/2"],"epoch":"1.4"}"#.utf8)
        for count in 0..<whole.count {
            #expect(throws: JSONFault.self) {
                try JSONBody.decode(CommandRequest.self, from: Array(whole.prefix(count)))
            }
        }
    }
}

@Suite struct RouteMapTests {
    let map = RouteMap([
        WebRoute(.get, "/a", .anybody) { _ in .succeeded },
        WebRoute(.post, "/a", .anybody) { _ in .succeeded },
        WebRoute(.get, "/b/:one/c/:two", .anybody) { _ in .succeeded },
    ])

    private func find(_ method: String, _ path: String) -> String {
        switch map.findRoute(method, path) {
        case .route(let route, let parameters):
            "\(route.method.rawValue) \(route.path) \(parameters.sorted { $0.key < $1.key }.map { $0.key + "=" + $0.value })"
        case .otherMethods(let methods): "only \(methods)"
        case .nothing: "nothing"
        }
    }

    @Test func routesAreFoundByMethodAndPath() {
        #expect(find("GET", "/a") == "GET /a []")
        #expect(find("HEAD", "/a") == "GET /a []")
        #expect(find("POST", "/a") == "POST /a []")
        #expect(find("DELETE", "/a") == #"only ["GET", "POST"]"#)
        #expect(find("GET", "/b/x/c/y") == #"GET /b/:one/c/:two ["one=x", "two=y"]"#)
        #expect(find("GET", "/b/x/d/y") == "nothing" && find("GET", "/b/x") == "nothing")
        #expect(find("GET", "/") == "nothing")
    }

    @Test func aRefusalThatIsOverSoonSaysWhenToAskAgain() {
        let busy = WebResponse.refused(503, "busy", "Others are at it; try again soon.")
        #expect(busy.isTemporaryRefusal)
        #expect(busy.headerFields.filter { $0.name == "Retry-After" }.map(\.value) == ["5"])
        let sooner = busy.withHeader("Retry-After", "1")
        #expect(sooner.headerFields.filter { $0.name == "Retry-After" }.map(\.value) == ["1"])
        #expect(!WebResponse.refused(503, "not-stored", "The disk has failed.").isTemporaryRefusal)
    }
}
