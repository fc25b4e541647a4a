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

    /// The answer of a server, head included, to curl, which trusts the authority; nil if curl does not trust the
    /// server. (The TLS library of this server, as a client, knows no constraints of addresses.)
    /// - Parameter body: of a change; nil only looks.
    private func ask(
        _ port: Int, as name: String = "localhost", _ path: String = "/healthz", body: String? = nil
    ) throws -> String? {
        let (process, output) = (Process(), Pipe())
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments =
            ["curl", "--silent", "--include", "--max-time", "20", "--cacert", authority.certificatePath]
            + ["--resolve", "\(name):\(port):127.0.0.1", "--header", "X-Baton: 1"]
            + (body.map { ["--data", $0] } ?? []) + ["https://\(name):\(port)\(path)"]
        process.standardOutput = output
        try process.run()
        let answer = try output.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        // What curl says of a server whose certificate it does not trust.
        try #require([0, 60].contains(process.terminationStatus))
        return process.terminationStatus == 0 ? String(decoding: answer, as: UTF8.self) : nil
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
            try #expect(ask(port)?.hasPrefix("HTTP/1.1 200") == true)
            #expect(try statusOverPlainHTTP(port) == "HTTP/1.1 200")

            let body = #"{"name":"ines","password":"open sesame"}"#
            let signedIn = try #require(try ask(port, "/api/login", body: body))
            let cookies = signedIn.split(separator: "\r\n").compactMap { line in
                line.lowercased().hasPrefix("set-cookie: ") ? line.dropFirst(12) : nil
            }
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
        let stolen = try await stage.live { port in try ask(port, as: "bank.example") }
        #expect(stolen == nil)
        try await certificate.make(furtherNames: ["bank.example"], makesAuthority: true)
        let named = try Stage { $0.tls = files }
        let answer = try await named.live { port in try ask(port, as: "bank.example") }
        #expect(answer?.hasPrefix("HTTP/1.1 200") == true)
        withExtendedLifetime(folder) {}
    }

    @Test(arguments: ["hall example", "a/b", "x\nCN=y", "", "-a.local", "ä.example"])
    func crookedNamesAreRefused(name: String) async throws {
        let certificate = try ServerCertificate(settings)
        await #expect(throws: WebError.badHostName(name.lowercased())) {
            try await certificate.make(furtherNames: [name])
        }
        #expect(!authority.exists)
    }

    @Test func aClockThatWasNeverSetMakesNothing() async throws {
        await #expect(throws: WebError.self) {
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
