import Testing

@testable import TestHelpers
@testable import WebServer

/// A screen reads from both servers of a pair: what the other server's pages may use here, and nobody else's.
@Suite(.ownThreads, .serialized) struct OtherServerTests {
    private static let other = "http://10.0.0.3:8080"

    private func answers(_ requests: [String]) async throws -> [String] {
        let stage = try Stage(
            routes: [
                WebRoute(.get, "/api/open", .anybody) { _ in .succeeded }.openToOtherServer,
                WebRoute(.post, "/api/open", .anybody) { _ in .succeeded }.openToOtherServer
                    .refusingChanges { nil }.addingWriteCheck { _, _ in nil },
                WebRoute(.get, "/api/closed", .anybody) { _ in .succeeded },
            ], findOtherServer: { Self.other })
        return try await stage.live { port in
            try requests.map {
                let client = try RawClient(port: port)
                client.send($0)
                return client.receiveAll().lowercased()
            }
        }
    }

    private func request(_ method: String, _ path: String, _ fields: String...) -> String {
        "\(method) \(path) HTTP/1.1\r\nHost: 10.0.0.2:8080\r\nConnection: close\r\n"
            + fields.map { $0 + "\r\n" }.joined() + (method == "POST" ? "Content-Length: 0\r\n" : "") + "\r\n"
    }

    private static let permission = "access-control-allow-origin: \(other)\r\n"

    @Test func itsPagesReadWhatIsOpenToThemAndOthersDoNot() async throws {
        let found = try await answers([
            request("GET", "/api/open", "Origin: \(Self.other)"),
            request("GET", "/api/closed", "Origin: \(Self.other)"),
            request("GET", "/api/open", "Origin: http://10.0.0.3:8081"),
            request("GET", "/api/open"),
            request("GET", "/api/open", "Origin: https://10.0.0.3:8080"),
        ])
        #expect(found.map { $0.contains(Self.permission) } == [true, false, false, false, false], "\(found)")
        #expect(found.map { $0.contains("vary: origin\r\n") } == [true, false, true, true, true])
        // The same port, over TLS.
        #expect(found[4].contains("access-control-allow-origin: https://10.0.0.3:8080\r\n"))
    }

    @Test func itsPagesSendWhatIsOpenToThemWithTheMark() async throws {
        let (origin, mark) = ("Origin: \(Self.other)", "X-Baton: 1")
        let found = try await answers([
            request("POST", "/api/open", origin, mark, "Sec-Fetch-Site: cross-site"),
            request("POST", "/api/open", origin),
            request("POST", "/api/open", "Origin: http://evil.example", mark),
            request("OPTIONS", "/api/open", origin, "Access-Control-Request-Method: POST"),
            request(
                "OPTIONS", "/api/open", "Origin: http://evil.example", "Access-Control-Request-Method: POST"),
            request("OPTIONS", "/api/closed", origin, "Access-Control-Request-Method: GET"),
        ])
        #expect(
            found.map { $0.prefix(12) } == [200, 403, 403, 204, 405, 405].map { "http/1.1 \($0)" }, "\(found)"
        )
        #expect(found[3].contains("access-control-allow-headers: content-type, x-baton\r\n"))
    }

    @Test func theScreensPageMayReadFromItAndNoOtherPageMay() async throws {
        let found = try await answers([request("GET", "/screen"), request("GET", "/login")])
        #expect(found[0].contains("connect-src 'self' \(Self.other); media-src 'self' \(Self.other)"))
        #expect(found[0].contains("img-src 'self' \(Self.other) data: blob:"))
        #expect(found[0].contains("cache-control: no-store\r\n"))
        #expect(!found[1].contains(Self.other))
    }

    @Test(arguments: [nil, "", "http://10.0.0.3:8080/x", "ftp://a", "http://a; script-src *"])
    func whatIsNoOriginOpensNothing(address: String?) {
        #expect(OtherServerAccess { address }.origin == nil)
    }
}
