import Foundation
import Hosting
import Hummingbird
import RouterTesting
import Synchronization
import Testing

@testable import Console
@testable import ShowStages
@testable import TestHelpers
@testable import WebServer

@Suite(.ownThreads) struct SecurePagesTests {
    private static func facts(
        _ kind: ServerCertificate.Kind, names: [String] = ["hall.local"], daysLeft: Int? = 300,
        leftOut: [String] = [],
        problem: String? = nil, isLoopback: Bool = false
    ) -> ServerCertificate.Facts {
        ServerCertificate.Facts(
            kind: kind, names: names, daysLeft: daysLeft, leftOut: leftOut, problem: problem, canMake: true,
            isLoopback: isLoopback)
    }

    @Test(arguments: [
        (facts(.none), PreShowCheckVerdict.Kind.warn, "screens may lock"),
        (facts(.none, isLoopback: true), .skipped, "Only this machine"),
        (facts(.proxy), .pass, "proxy"),
        (facts(.own), .pass, "hall.local"),
        (facts(.own, daysLeft: 14), .pass, "14 days"),
        (facts(.own, daysLeft: 13), .warn, "ends in 13 days"),
        (facts(.given, daysLeft: -1), .fail, "has ended"),
        (facts(.own, leftOut: ["x.example"]), .warn, "does not name x.example"),
        (facts(.own, problem: "openssl is missing."), .warn, "openssl is missing."),
    ])
    func theCheckSaysWhatIsMissingAndWhatEnds(
        facts: ServerCertificate.Facts, kind: PreShowCheckVerdict.Kind, words: String
    ) {
        let verdict = PreShowCheckVerdict(on: facts, hostNames: [])
        #expect(verdict.kind == kind && verdict.sentence.contains(words), "\(verdict)")
    }

    @Test func theCheckNamesAHostThatTheCertificateLacks() {
        let facts = Self.facts(.given, names: ["*.hall.example", "opera.example"])
        let verdict = PreShowCheckVerdict(
            on: facts, hostNames: ["Box.hall.example", "opera.example", "hall.example"])
        #expect(verdict.kind == .warn && verdict.sentence.contains("does not name hall.example,"))
    }

    @Test func theKeyStaysAndALockedShowKeepsItsCertificate() async throws {
        let folder = try ServeFolder()
        try folder.write("<!doctype html>", to: "pages/index.html")
        var settings = WebSettings(port: 0, signIn: .notNeeded, pagesPath: folder.path + "/pages")
        settings.ownCertificateFolder = folder.path + "/tls"
        let (certificate, isLocked) = (try ServerCertificate(settings), Flag())
        let service = SecurePagesService(
            certificate: certificate, hostNames: [], isShowLocked: { isLocked.value.load(ordering: .relaxed) }
        )
        let server = try WebServer(
            settings: settings, accounts: OpenAccounts(), routes: service.routes, certificate: certificate)
        try await server.makeApplication().test { client in
            func ask(_ path: String, _ method: HTTPRequest.Method = .get, _ body: String? = nil) async throws
                -> TestResponse
            {
                try await client.execute(
                    uri: path, method: method,
                    headers: [.init("X-Baton")!: "1", .init("Host")!: "localhost"],
                    body: body.map { ByteBuffer(string: $0) }
                ) { $0 }
            }
            #expect(try await ask("/ca.crt").status == .notFound)
            isLocked.value.store(true, ordering: .relaxed)
            #expect(try await ask("/api/secure", .post, "{}").status == .conflict)
            #expect(certificate.facts().kind == .none)
            isLocked.value.store(false, ordering: .relaxed)
            let made = try await ask("/api/secure", .post, #"{"names":["hall.example"]}"#)
            #expect(made.status == .ok && String(buffer: made.body).contains(#""hall.example""#))
            #expect(
                try await ask("/api/secure", .post, #"{"names":["a b"]}"#).status == .unprocessableContent)

            let file = try await ask("/ca.crt")
            #expect(file.headers[.contentType] == "application/x-x509-ca-cert")
            #expect(String(buffer: file.body).hasPrefix("-----BEGIN CERTIFICATE"))
            for path in ["/tls/authority.key", "/authority.key", "/ca.key", "/ca.crt/../authority.key"] {
                #expect(try await ask(path).status != .ok, "\(path)")
            }
            #expect(!String(buffer: file.body).contains("PRIVATE"))
            let probe = try await ask("/api/secure/trusted")
            #expect(probe.headers[.accessControlAllowOrigin] == "*")
        }
    }

    private final class Flag: Sendable { let value = Atomic<Bool>(false) }
}
