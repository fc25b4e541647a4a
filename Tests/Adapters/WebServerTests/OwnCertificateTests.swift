import Basics
import Foundation
import Testing

@testable import TestHelpers
@testable import WebServer

/// The server's own authority and certificate, made by the real openssl, and a server that uses them.
@Suite(.ownThreads, .serialized) struct OwnCertificateTests {
    private let pages: PageFolder
    private let settings: WebSettings
    private let authority: CertificateAuthority
    private var server: WebSettings.TLSFiles { authority.serverFiles }

    init() throws {
        pages = try PageFolder()
        var settings = WebSettings(port: 0)
        settings.ownCertificateFolder = pages.path + "/../tls"
        self.settings = settings
        authority = CertificateAuthority(folder: pages.path + "/../tls")
    }

    private func mode(_ path: String) throws -> Int? {
        try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
    }

    private func text(_ path: String) throws -> String { try String(contentsOfFile: path, encoding: .utf8) }

    /// The answer of a server to a client that trusts the authority; nil if the client does not trust the server.
    /// - Parameter body: of a change; nil only looks.
    private func ask(
        _ port: Int, as name: String = "localhost", _ path: String = "/healthz", body: String? = nil
    ) async -> String? {
        await askOverTLS(
            path, port: port, trusting: authority.certificatePath, host: name,
            body.map { ["--json", $0] } ?? [])
    }

    private func isAnswered(_ port: Int, as name: String = "localhost") async -> Bool {
        await ask(port, as: name)?.hasPrefix("HTTP/1.1 200") == true
    }

    private func statusOverPlainHTTP(_ port: Int, _ path: String = "/healthz") throws -> String {
        let client = try RawClient(port: port)
        client.send("GET \(path) HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
        return String(client.receiveAll().prefix(12))
    }

    @Test func theCertificateNamesThisMachineAndItsKeysAreItsOwners() async throws {
        let certificate = try ServerCertificate(settings)
        #expect(certificate.facts().kind == .none)
        try await certificate.make(furtherNames: ["hall.example"])
        let facts = certificate.facts()
        #expect(facts.kind == .own && facts.problem == nil && facts.leftOut == [])
        #expect(facts.names.first == "hall.example")
        #expect(Set(facts.names).isSuperset(of: ["localhost", "127.0.0.1", "::1"]))
        // 397 days, and the certificate began a day ago.
        #expect(facts.daysLeft == 395)
        for path in [authority.keyPath, server.keyPath, authority.certificatePath] {
            #expect(try mode(path) == 0o600)
        }
        #expect(try mode(authority.folder) == 0o700)
        #expect(try text(authority.keyPath).contains("PRIVATE KEY"))
        #expect(try !text(authority.certificatePath).contains("PRIVATE"))
        #expect(
            try FileManager.default.contentsOfDirectory(atPath: authority.folder).sorted() == [
                "authority.key", "authority.names", "authority.pem", "further.names", "server.key",
                "server.pem",
            ])
    }

    @Test func onePortAnswersBothAndTheirCookiesAreApart() async throws {
        let settings = settings
        let stage = try Stage { $0.ownCertificateFolder = settings.ownCertificateFolder }
        try await stage.live { port in
            #expect(try statusOverPlainHTTP(port) == "HTTP/1.1 200")
            let hello = try RawClient(port: port)
            hello.send([22, 3, 1, 0, 5, 1, 0, 0, 1, 0])
            #expect(hello.receiveAll().hasPrefix("HTTP/1.1 400"), "there is no certificate yet")
            // Somebody makes it while the server runs, as the command does.
            try await ServerCertificate(settings).make()
            await stage.server.certificate.refresh()
            #expect(await isAnswered(port))
            #expect(try statusOverPlainHTTP(port) == "HTTP/1.1 200")

            let body = #"{"name":"ines","password":"open sesame"}"#
            let signedIn = try #require(await ask(port, "/api/login", body: body))
            let cookies = values(ofField: "set-cookie", in: signedIn)
            #expect(cookies.contains { $0.hasPrefix("__Host-baton_session=") && $0.contains("; Secure") })
            #expect(cookies.contains { $0.hasPrefix("__Secure-baton_device=") && $0.contains("; Secure") })
            let plain = try RawClient(port: port)
            plain.send(
                "POST /api/login HTTP/1.1\r\nHost: localhost\r\nX-Baton: 1\r\nOrigin: http://localhost\r\n"
                    + "Content-Length: \(body.utf8.count)\r\nConnection: close\r\n\r\n\(body)")
            let answer = plain.receiveAll()
            #expect(answer.contains("baton_session=") && !answer.contains("Secure"))
        }
    }

    @Test func itIsRenewedByTheSameAuthorityNearItsEndAndForANewName() async throws {
        let certificate = try ServerCertificate(settings)
        try await certificate.make()
        let first = try text(authority.certificatePath)
        let names = ServerNames.wantedNames(of: settings)
        let monthsAgo = Date().addingTimeInterval(-Double(CertificateAuthority.serverDays - 20) * 86_400)
        try await authority.signServerCertificate(for: names, now: monthsAgo)
        await certificate.refresh()
        #expect(certificate.facts().daysLeft == 395)

        try authority.keepFurtherNames(["stage.hall.local"])
        await certificate.refresh()
        #expect(certificate.facts().namesHost("stage.hall.local"))
        #expect(try text(authority.certificatePath) == first, "devices go on trusting it")
        let before = try text(server.certificatePath)
        await certificate.refresh()
        #expect(try text(server.certificatePath) == before, "nothing is signed without a reason")
    }

    @Test func theAuthorityNamesNothingElse() async throws {
        let certificate = try ServerCertificate(settings)
        try await certificate.make()
        try await certificate.make(furtherNames: ["bank.example"])
        #expect(
            certificate.facts().leftOut == ["bank.example"] && !certificate.facts().namesHost("bank.example"))
        // A thief of the key, who does not ask.
        try Data("bank.example\n".utf8).write(to: URL(filePath: authority.folder + "/authority.names"))
        try await authority.signServerCertificate(for: ["bank.example", "localhost"])
        let (files, folder) = (server, pages.path)
        let stage = try Stage { $0.tls = files }
        try await stage.live { port in #expect(await ask(port, as: "bank.example") == nil) }
        try await certificate.make(furtherNames: ["bank.example"], makesAuthority: true)
        let named = try Stage { $0.tls = files }
        try await named.live { port in #expect(await isAnswered(port, as: "bank.example")) }
        withExtendedLifetime(folder) {}
    }

    @Test(arguments: ["hall example", "a/b", "x\nCN=y", "", "-a.local", "ä.example"])
    func crookedNamesAreRefused(name: String) async throws {
        let certificate = try ServerCertificate(settings)
        await #expect(
            throws: ExplainedError(
                "“\(name.lowercased().prefix(80))” is not a host name; give it without scheme and port, "
                    + "such as baton.hall.example.")
        ) {
            try await certificate.make(furtherNames: [name])
        }
        #expect(!authority.exists)
    }

    @Test func aClockThatWasNeverSetMakesNothing() async throws {
        await #expect(throws: ExplainedError.self) {
            try await authority.makeAuthority(for: ["localhost"], now: Date(timeIntervalSince1970: 1_000))
        }
        #expect(!authority.exists)
    }

    @Test func aGivenCertificateIsTakenOverWithoutARestart() async throws {
        try await ServerCertificate(settings).make()
        var given = WebSettings(port: 0)
        given.tls = server
        let certificate = try ServerCertificate(given)
        let before = certificate.names
        try authority.keepFurtherNames(["renewed.local"])
        try await ServerCertificate(settings).make()
        await certificate.refresh()
        #expect(certificate.names == before.union(["renewed.local"]) && certificate.facts().problem == nil)
        // Half of a renewal: the one in use stays until the rest is there.
        try Data("no certificate".utf8).write(to: URL(filePath: server.certificatePath))
        await certificate.refresh()
        #expect(
            certificate.context != nil
                && certificate.facts().problem?.contains(server.certificatePath) == true)
    }
}

@Suite struct ServerNamesTests {
    @Test(arguments: [
        ("10.1.2.3", true), ("172.31.0.1", true), ("172.32.0.1", false), ("192.168.1.9", true),
        ("100.64.0.1", true),
        ("100.128.0.1", false), ("8.8.8.8", false), ("::1", true), ("fd00::1", true), ("2001:db8::1", false),
        ("hall.local", true), ("local", true), ("notlocal", false), ("hall.example", false),
        ("box.home.arpa", true),
    ])
    func whatNobodyOwnsInTheInternetIsLocal(name: String, isLocal: Bool) {
        #expect(ServerNames.isLocal(name) == isLocal)
    }

    @Test func namesForPeopleComeFirst() {
        let names: Set<String> = [
            "localhost", "hall", "192.168.1.9", "hall.local", "hall.example", "127.0.0.1",
        ]
        #expect(
            names.sorted(by: ServerNames.isShownFirst) == [
                "hall.example", "hall.local", "192.168.1.9", "hall", "127.0.0.1", "localhost",
            ])
    }
}
