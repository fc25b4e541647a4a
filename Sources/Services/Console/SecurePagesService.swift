import Basics
import Foundation
import Hosting
import WebServer

/// The service for pages over TLS: it makes the server's own certificate, gives devices the authority that they have to
/// trust, and checks before the show that the certificate is good for tonight.
package struct SecurePagesService: HostedService {
    /// So many days before its end a certificate is reported.
    static let warningDays = 14
    private static let mostFurtherNames = 8

    private let certificate: ServerCertificate
    /// The names by which the settings say that browsers reach this server.
    private let hostNames: [String]
    private let isShowLocked: @Sendable () -> Bool

    package init(
        certificate: ServerCertificate, hostNames: [String], isShowLocked: @escaping @Sendable () -> Bool
    ) {
        (self.certificate, self.hostNames, self.isShowLocked) = (certificate, hostNames, isShowLocked)
    }

    /// A server's certificate is its own matter, also while another server is active.
    package var refusesChangesWhileInactive: Bool { true }

    package var routes: [WebRoute] {
        [
            WebRoute(.get, "/api/secure", .anybody) { [certificate] _ in .json(certificate.facts()) },
            // A page that came over plain HTTP asks here over TLS, to learn whether its device trusts the server.
            WebRoute(.get, "/api/secure/trusted", .anybody) { _ in
                WebResponse.succeeded.withHeader("Access-Control-Allow-Origin", "*")
            },
            WebRoute(.get, "/ca.crt", .anybody) { [certificate] _ in
                guard let authority = certificate.authority,
                    let pem = FileManager.default.contents(atPath: authority.certificatePath)
                else { return .refused(404, "no-certificate", "This server has no certificate of its own.") }
                return WebResponse(contentType: "application/x-x509-ca-cert", body: Array(pem))
            },
            WebRoute(
                .post, "/api/secure", .roles(WebRole.operators), bodyLimitBytes: 4_096,
                answer: makeCertificate),
        ]
    }

    package var preShowCheckItems: [PreShowCheckItem] {
        [
            PreShowCheckItem(id: "secure", title: "Secure pages") { [certificate, hostNames] _ in
                PreShowCheckVerdict(on: certificate.facts(), hostNames: hostNames)
            }
        ]
    }

    private struct Wish: Decodable {
        /// Names by which devices reach this server, in addition to its own; left out keeps those given before.
        var names: [String]?
        /// True makes a new authority, which has to be installed on the devices again.
        var newAuthority: Bool?
    }

    @Sendable private func makeCertificate(_ request: WebRequest) async throws -> WebResponse {
        let wish = try JSONBody.decode(Wish.self, from: request.body)
        guard !isShowLocked() else {
            return .refused(
                409, "locked", "The show is locked; unlock it on the console, then make the certificate.")
        }
        guard wish.names?.count ?? 0 <= Self.mostFurtherNames else {
            return .refused(422, "bad-name", "A server has at most \(Self.mostFurtherNames) further names.")
        }
        do throws(ExplainedError) {
            try await certificate.make(
                furtherNames: wish.names, makesAuthority: wish.newAuthority ?? false)
            return .json(certificate.facts())
        } catch {
            return .refused(422, "not-made", error.sentence)
        }
    }
}

extension PreShowCheckVerdict {
    /// The verdict on the pages' encryption.
    init(on facts: ServerCertificate.Facts, hostNames: [String]) {
        switch facts.kind {
        case .proxy: self.init(.pass, "A proxy encrypts the pages.")
        case .none where facts.isLoopback:
            self.init(.skipped, "Only this machine reaches the pages (--http).")
        case .none:
            self.init(
                .warn,
                "The pages come over plain http: screens may lock by themselves, browsers refuse microphones, and "
                    + "nothing is kept for use without the network. The page /start makes them secure."
                    + (facts.problem.map { " \($0)" } ?? ""))
        case .own, .given: self.init(onCertificate: facts, hostNames: hostNames)
        }
    }

    private init(onCertificate facts: ServerCertificate.Facts, hostNames: [String]) {
        let days = facts.daysLeft ?? 0
        let names = facts.names.prefix(3).joined(separator: ", ")
        let unnamed =
            facts.leftOut
            + hostNames.filter {
                !facts.namesHost($0.lowercased()) && !facts.leftOut.contains($0.lowercased())
            }
        if days < 0 {
            self.init(
                .fail, "The certificate of the pages (\(names)) has ended; \(Self.renewal(of: facts.kind)).")
        } else if days < SecurePagesService.warningDays {
            self.init(
                .warn,
                "The certificate of the pages (\(names)) ends in \(days) days; \(Self.renewal(of: facts.kind))."
            )
        } else if !unnamed.isEmpty {
            self.init(
                .warn,
                "The certificate of the pages does not name \(unnamed.joined(separator: ", ")), so browsers warn "
                    + "there; "
                    + (facts.kind == .own
                        ? "make a new authority on /start, and install it on the devices."
                        : "get one that does."))
        } else if let problem = facts.problem {
            self.init(.warn, "The certificate of the pages is valid for \(days) days, but: \(problem)")
        } else {
            self.init(
                .pass,
                "The pages are served over https as \(names), for \(days) days."
                    + (facts.kind == .own
                        ? " Devices without this server's certificate read them over http." : ""))
        }
    }

    private static func renewal(of kind: ServerCertificate.Kind) -> String {
        kind == .own
            ? "make it anew on /start"
            : "renew it (docs/install.md); the server takes it over without a restart"
    }
}
