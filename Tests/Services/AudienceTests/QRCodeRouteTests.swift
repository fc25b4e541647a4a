import Hummingbird
import Logging
import RouterTesting
import Testing

@testable import Audience
@testable import Hosting
@testable import TestHelpers
@testable import WebServer

/// The codes that the console and the poster show.
@Suite struct QRCodeRouteTests {
    private struct NoAccounts: Accounts {
        func signIn(name: String, password: String, inUse: Set<String>, first: Bool) async -> SignInOutcome {
            .wrongCredentials
        }
        func findPerson(token: String) async -> WebPerson? { nil }
        func signOut(token: String) async {}
        func changePassword(
            of person: WebPerson, from old: String, to new: String, keeping token: String?
        ) async -> PasswordChangeOutcome { .wrongPassword }
    }

    private let server: WebServer

    init() throws {
        let folder = try ServeFolder()
        try folder.write("<!doctype html>", to: "pages/index.html")
        var logger = Logger(label: "test")
        logger.logLevel = .critical
        server = try WebServer(
            settings: WebSettings(port: 0, pagesPath: folder.path + "/pages"),
            accounts: NoAccounts(), routes: [QRCodeRoute.route], logger: logger)
    }

    private func answer(_ query: String) async throws -> TestResponse {
        try await server.makeApplication().test { client in
            try await client.execute(uri: "/api/qr.svg" + query, method: .get) { $0 }
        }
    }

    @Test func anAddressIsDrawnForAnybody() async throws {
        let drawn = try await answer("?text=https%3A%2F%2Fhall.example%2F%3Fpiece%3D9%26m%3D2")
        #expect(drawn.status == .ok)
        #expect(drawn.headers[.contentType] == "image/svg+xml")
        #expect(String(buffer: drawn.body).hasPrefix("<svg xmlns="))
        // Another address is another code: what follows the question mark counts.
        let other = try await answer("?text=https%3A%2F%2Fhall.example%2F%3Fpiece%3D9%26m%3D3")
        #expect(other.body != drawn.body)
    }

    @Test(arguments: [
        "", "?text=", "?text=javascript%3Aalert(1)", "?text=hall.example", "?other=https%3A%2F%2Fa",
    ])
    func whatIsNoWebAddressIsNotDrawn(query: String) async throws {
        let refused = try await answer(query)
        #expect(refused.status == .badRequest)
        #expect(String(buffer: refused.body).contains("bad-text"))
    }

    @Test func anAddressHasAtMost213Bytes() async throws {
        let begin = "https://hall.example/"
        let longest = begin + String(repeating: "x", count: 213 - begin.utf8.count)
        #expect(try await answer("?text=" + longest).status == .ok)
        let refused = try await answer("?text=" + longest + "x")
        #expect(refused.status == .badRequest)
        #expect(String(buffer: refused.body).contains("has 214 bytes"))
    }
}
