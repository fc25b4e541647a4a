import Testing

@testable import TestHelpers
@testable import WebServer

/// A request says exactly once which host it is for; and what changes where browsers reach the server through TLS.
@Suite(.ownThreads, .serialized) struct HostTests {
    private func answers(_ requests: [String], _ change: (inout WebSettings) -> Void = { _ in }) async throws
        -> [String]
    {
        let stage = try Stage(change)
        return try await stage.live { port in
            try requests.map {
                let client = try RawClient(port: port)
                client.send($0)
                return client.receiveAll()
            }
        }
    }

    @Test func twoHostsOrNoneAreRefused() async throws {
        let get = "GET /healthz HTTP/1.1\r\nConnection: close\r\n"
        let heads = [
            "", "Host: a\r\nHost: a\r\n", "Host: a\r\nHost: b\r\n", "Host: a, b\r\n", "Host: a/b\r\n",
        ]
        for answer in try await answers(heads.map { get + $0 + "\r\n" }) {
            #expect(answer.hasPrefix("HTTP/1.1 400") && answer.contains(#""code":"bad-host""#), "\(answer)")
            #expect(answer.lowercased().contains("connection: close"))
        }
        let right = try await answers(
            ["Host: a\r\n", "Host: [::1]:8080\r\n", "Host: baton.example.org:8443\r\n"].map {
                get + $0 + "\r\n"
            })
        #expect(right.allSatisfy { $0.hasPrefix("HTTP/1.1 200") }, "\(right)")
    }

    @Test func olderClientsNameNoHost() async throws {
        let answers = try await answers([
            "GET /healthz HTTP/1.0\r\n\r\n", "GET /healthz HTTP/1.0\r\nHost: a\r\nHost: b\r\n\r\n",
        ])
        #expect(answers[0].contains(#"{"ok":true}"#) && answers[1].contains("bad-host"), "\(answers)")
    }

    @Test func nothingAfterARefusedRequestIsRead() async throws {
        let smuggled = "GET /healthz HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n"
        let answers = try await answers(["GET /healthz HTTP/1.1\r\n\r\n" + smuggled])
        #expect(
            answers[0].components(separatedBy: "HTTP/1.1 ").count == 2 && !answers[0].contains(#""ok":true"#))
    }

    /// Another website may give itself a name that points here; its page is then of the same origin.
    @Test func underTheNameOfAnotherSiteOnlyListenersAreServed() async throws {
        func get(_ path: String, _ host: String) -> String {
            "GET \(path) HTTP/1.1\r\nHost: \(host)\r\nConnection: close\r\n\r\n"
        }
        let evil = "evil.example:8080"
        let refused = try await answers([
            signIn(evil, "http://" + evil), signIn(evil, nil), get("/console", evil), get("/login", evil),
            get("/api/events", evil),
        ])
        for answer in refused {
            #expect(
                answer.hasPrefix("HTTP/1.1 403") && answer.contains("--host-name evil.example"), "\(answer)")
        }
        let open = try await answers([get("/healthz", evil)])
        #expect(open[0].hasPrefix("HTTP/1.1 200"))
        let named = try await answers([signIn(evil, "http://" + evil)]) { $0.hostNames = ["evil.example"] }
        #expect(named[0].hasPrefix("HTTP/1.1 200"))
        // A trusted proxy has checked the name.
        let proxied = try await answers([signIn(evil, "http://" + evil)]) {
            $0.trustedProxies = [NumericAddress("127.0.0.1")!]
        }
        #expect(proxied[0].hasPrefix("HTTP/1.1 200"))
    }

    private func signIn(_ host: String, _ origin: String?) -> String {
        let body = #"{"name":"ines","password":"open sesame"}"#
        return "POST /api/login HTTP/1.1\r\nHost: \(host)\r\nX-Baton: 1\r\nConnection: close\r\n"
            + (origin.map { "Origin: \($0)\r\n" } ?? "")
            + "Content-Length: \(body.utf8.count)\r\n\r\n" + body
    }

    @Test func behindAProxyThatSpeaksTLSTheCookieIsForTLSAlone() async throws {
        let name = "baton.example.org"
        let requests = [
            signIn(name, "https://" + name), signIn(name, nil),
            signIn("10.0.0.1:8080", "http://10.0.0.1:8080"),
        ]
        let behind = try await answers(requests) {
            $0.furtherOrigins = [try! WebOrigin("https://" + name)]
        }
        #expect(behind.map { $0.contains("; Secure") } == [true, true, false], "\(behind)")
        #expect(
            behind.allSatisfy { $0.lowercased().contains("strict-transport-security: max-age=31536000\r\n") })
        let plain = try await answers([signIn("10.0.0.1:8080", "http://10.0.0.1:8080")])[0].lowercased()
        #expect(
            plain.contains("set-cookie") && !plain.contains("; secure") && !plain.contains("strict-transport")
        )
    }
}
