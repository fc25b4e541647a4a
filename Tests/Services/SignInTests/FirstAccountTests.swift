import Catalogue
import Foundation
import Platform
import Testing

@testable import SignIn
@testable import WebServer

/// The first administrator is made on a page.
@Suite struct FirstAccountTests {
    private let folder = NSTemporaryDirectory() + "/first-account-\(UUID().uuidString)"
    private let code = FirstAccountCode()

    init() throws {
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    }

    private func routes(isActive: Bool = true) throws -> (WebRoute, CatalogueStore) {
        let catalogue = try CatalogueStore(path: folder + "/catalogue.sqlite")
        let routes = FirstAccountRoutes(
            catalogue: catalogue, hasher: PasswordHasher(cost: .least), code: code,
            isActiveServer: { isActive }
        ).routes
        return (try #require(routes.first { $0.method == .post }), catalogue)
    }

    private func make(_ route: WebRoute, code: String? = nil, isOwnMachine: Bool = false) async throws
        -> Int?
    {
        var fields = ["name": "anna", "password": "seven quiet violas"]
        fields["code"] = code
        let request = WebRequest(
            path: route.path, pathParameters: [:], queryParameters: [:], rawQuery: "", person: nil,
            sessionToken: nil, deviceMark: nil, visitorAddress: "192.0.2.7", isOwnMachine: isOwnMachine,
            contentType: "application/json", origin: "", body: Array(try JSONEncoder().encode(fields)),
            uploadedFile: nil)
        return await route.response(to: request).status
    }

    /// A forwarder on the server's own machine looks like a browser there.
    @Test(arguments: [false, true])
    func theCodeIsAlwaysNeeded(isOwnMachine: Bool) async throws {
        let (route, catalogue) = try routes()
        #expect(try await make(route, isOwnMachine: isOwnMachine) == 403)
        #expect(try await make(route, code: "0000 0000 0") == 403)
        #expect(try await catalogue.accounts().isEmpty)
        #expect(try await make(route, code: code.text) == 200)
        #expect(try await catalogue.accounts().map(\.role) == [.administrator])
        #expect(try await make(route, code: code.text) == 409)
    }

    @Test func afterTenWrongCodesTheRightOneIsRefusedToo() async throws {
        let (route, catalogue) = try routes()
        for _ in 0..<FirstAccountRoutes.mostWrongCodes { #expect(try await make(route, code: "1") == 403) }
        #expect(try await make(route, code: code.text) == 403)
        #expect(try await catalogue.accounts().isEmpty)
    }

    @Test func strangersWhoGuessDoNotKeepOutWhoSitsAtTheServer() async throws {
        let (route, catalogue) = try routes()
        for _ in 0...FirstAccountRoutes.mostWrongCodes { #expect(try await make(route, code: "1") == 403) }
        #expect(try await make(route, code: code.text) == 403)
        #expect(try await make(route, code: code.text, isOwnMachine: true) == 200)
        #expect(try await catalogue.accounts().count == 1)
    }

    @Test func twoPagesAtOnceMakeOneAccount() async throws {
        let (route, catalogue) = try routes()
        async let first = make(route, code: code.text)
        async let second = make(route, code: code.text)
        #expect(Set(try await [first, second]) == [200, 409])
        #expect(try await catalogue.accounts().count == 1)
    }

    @Test func aBackupMakesNone() async throws {
        let (route, _) = try routes(isActive: false)
        #expect(try await make(route, code: code.text) == 409)
    }
}
