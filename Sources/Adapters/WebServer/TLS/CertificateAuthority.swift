import Basics
import Foundation
import Platform

/// A server's own certificate authority, and the certificate that it signs for the server: files in a folder.
///
/// It needs no Internet. A device trusts the server as soon as the authority's certificate is installed on it. The
/// authority can name only private addresses, local names and the names of this server, so that a stolen key opens
/// nothing else. Its key never leaves the folder.
public struct CertificateAuthority: Equatable, Sendable {
    /// Devices have to install a new authority after this time.
    static let authorityDays = 3_650
    /// The longest time for which browsers accept a server's certificate is 398 days (CA/Browser Forum, ballot SC31).
    static let serverDays = 397
    /// A certificate is renewed so long before its end.
    static let renewalDays = 30
    /// Certificates are valid from so long before they were made, because a device's clock may be behind the server's.
    private static let backdatedDays = 1

    public let folder: String
    /// The authority's certificate, PEM: the file that is installed on devices.
    public var certificatePath: String { folder + "/authority.pem" }
    var keyPath: String { folder + "/authority.key" }
    /// The names that the authority can name besides private addresses, a line each.
    private var scopePath: String { folder + "/authority.names" }
    /// The further names that people gave the server, a line each.
    private var furtherNamesPath: String { folder + "/further.names" }
    /// The server's certificate and its key.
    public var serverFiles: WebSettings.TLSFiles {
        WebSettings.TLSFiles(certificatePath: folder + "/server.pem", keyPath: folder + "/server.key")
    }

    /// - Parameter folder: may not exist yet.
    public init(folder: String) {
        // openssl runs in a folder of its own, so all paths are absolute.
        self.folder = URL(fileURLWithPath: folder).path
    }

    public var exists: Bool {
        [certificatePath, keyPath].allSatisfy { FileManager.default.fileExists(atPath: $0) }
    }

    var furtherNames: Set<String> { Self.readLines(furtherNamesPath) }

    /// Keeps names that people gave the server; an empty list forgets them.
    func keepFurtherNames(_ names: Set<String>) throws(ExplainedError) {
        try makeFolder()
        try write(names.sorted().joined(separator: "\n") + "\n", to: furtherNamesPath)
    }

    /// The names among these that the authority cannot name.
    func namesBeyondScope(_ names: Set<String>) -> [String] {
        let scope = Self.readLines(scopePath)
        return names.filter { !ServerNames.isLocal($0) && !Self.contains($0, in: scope) }.sorted()
    }

    private static func contains(_ name: String, in scope: Set<String>) -> Bool {
        scope.contains(name) || NumericAddress(name) == nil && scope.contains { name.hasSuffix("." + $0) }
    }

    /// Makes the authority; one that is there is replaced, and devices have to install the new one.
    /// - Parameter names: the server's names, which the authority can name.
    func makeAuthority(for names: Set<String>, now: Date = Date()) async throws(ExplainedError) {
        try makeFolder()
        let machine = ServerNames.shortMachineName
        let day = now.formatted(.iso8601.year().month().day())
        let scope = names.filter { !ServerNames.isLocal($0) }
        let made = try await sign(
            Signing(
                subject: "Baton \(machine) \(day)", section: "authority", key: nil, signer: nil,
                names: scope, end: now.adding(days: Self.authorityDays)), now: now)
        try write(scope.sorted().joined(separator: "\n") + "\n", to: scopePath)
        try write(made.key, to: keyPath)
        try write(made.certificate, to: certificatePath)
        try? FileManager.default.removeItem(atPath: serverFiles.certificatePath)
    }

    /// Signs a certificate for the server, with the key that it has, or a new one.
    /// - Parameter names: the server's names and addresses; those beyond the authority's scope are left out.
    func signServerCertificate(for names: Set<String>, now: Date = Date()) async throws(ExplainedError) {
        let kept = names.subtracting(namesBeyondScope(names))
        guard let first = kept.min(by: ServerNames.isShownFirst) else {
            throw WebError.certificateNotMade(reason: "the server has no name")
        }
        let made = try await sign(
            Signing(
                subject: String(first.prefix(64)), section: "server",
                key: try? String(contentsOfFile: serverFiles.keyPath, encoding: .utf8),
                signer: (certificatePath, keyPath), names: kept,
                end: now.adding(days: Self.serverDays - Self.backdatedDays)),
            now: now)
        try write(made.key, to: serverFiles.keyPath)
        try write(made.certificate, to: serverFiles.certificatePath)
    }

    // MARK: openssl

    private struct Signing {
        var subject: String
        /// The section of the configuration with the certificate's extensions.
        var section: String
        /// The key's PEM text; nil for a new key.
        var key: String?
        /// The authority's files; nil for a certificate that signs itself.
        var signer: (certificate: String, key: String)?
        var names: Set<String>
        var end: Date
    }

    /// Runs `openssl` in a folder of its own, which only this user can read.
    private func sign(
        _ wanted: Signing, now: Date
    ) async throws(ExplainedError) -> (certificate: String, key: String) {
        guard now > Self.earliestPlausibleTime else {
            throw WebError.certificateNotMade(
                reason: "the clock of this machine says \(now.formatted(.iso8601)); set it first")
        }
        let place = URL(fileURLWithPath: folder).appending(path: "making-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: place) }
        do {
            try FileManager.default.createDirectory(
                at: place, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
            try Data().write(to: place.appending(path: "index.txt"))
            try Data(Self.configuration(of: wanted).utf8).write(to: place.appending(path: "openssl.cnf"))
            if let key = wanted.key { try Data(key.utf8).write(to: place.appending(path: "own.key")) }
        } catch {
            throw WebError.certificateNotMade(reason: error.localizedDescription)
        }
        if wanted.key == nil {
            try await runOpenSSL(
                ["genpkey", "-algorithm", "EC", "-pkeyopt", "ec_paramgen_curve:P-256", "-out", "own.key"],
                in: place)
        }
        let configuration = ["-config", "openssl.cnf"]
        try await runOpenSSL(
            ["req", "-new", "-key", "own.key", "-out", "own.csr"] + configuration, in: place)
        let signer =
            wanted.signer.map { ["-cert", $0.certificate, "-keyfile", $0.key] } ?? [
                "-selfsign", "-keyfile", "own.key",
            ]
        try await runOpenSSL(
            ["ca", "-batch", "-notext", "-in", "own.csr", "-out", "own.pem", "-extensions", wanted.section]
                + ["-startdate", Self.opensslTime(now.adding(days: -Self.backdatedDays))]
                + ["-enddate", Self.opensslTime(wanted.end)] + signer + configuration, in: place)
        do {
            return (
                try String(contentsOf: place.appending(path: "own.pem"), encoding: .utf8),
                try String(contentsOf: place.appending(path: "own.key"), encoding: .utf8)
            )
        } catch {
            throw WebError.certificateNotMade(reason: error.localizedDescription)
        }
    }

    private func runOpenSSL(_ arguments: [String], in place: URL) async throws(ExplainedError) {
        let errors = place.appending(path: "errors")
        let outcome = await ChildProcess(
            executable: URL(fileURLWithPath: "/usr/bin/env"), arguments: ["openssl"] + arguments,
            timeLimitSeconds: 20, folder: place
        ).run(output: place.appending(path: "output"), errors: errors)
        guard outcome != .finished(status: 0) else { return }
        // The status of env for a program that is not there.
        guard outcome != .finished(status: 127) else {
            throw WebError.certificateNotMade(
                reason: "the program openssl is missing: sudo apt install openssl")
        }
        throw WebError.certificateNotMade(reason: "openssl: \(outcome.failureReason(errors: errors))")
    }

    private static func configuration(of wanted: Signing) -> String {
        """
        [req]
        distinguished_name = subject
        prompt = no
        [subject]
        CN = \(wanted.subject)
        [ca]
        default_ca = own
        [own]
        database = index.txt
        new_certs_dir = .
        default_md = sha256
        policy = any
        rand_serial = yes
        unique_subject = no
        [any]
        commonName = supplied
        [authority]
        basicConstraints = critical, CA:true, pathlen:0
        keyUsage = critical, keyCertSign, cRLSign
        subjectKeyIdentifier = hash
        nameConstraints = critical, @scope
        [scope]
        \(scopeLines(of: wanted.names))
        [server]
        basicConstraints = critical, CA:false
        keyUsage = critical, digitalSignature
        extendedKeyUsage = serverAuth
        subjectKeyIdentifier = hash
        authorityKeyIdentifier = keyid
        subjectAltName = @names
        [names]
        \(nameLines(of: wanted.names))

        """
    }

    private static func scopeLines(of names: Set<String>) -> String {
        let (addresses, names) = ServerNames.split(names)
        let wholeAddresses = addresses.map {
            $0 + ($0.contains(":") ? "/ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff" : "/255.255.255.255")
        }
        let lines =
            (ServerNames.localDomains + names).enumerated().map { "permitted;DNS.\($0) = \($1)" }
            + (ServerNames.privateNetworks + wholeAddresses).enumerated()
            .map { "permitted;IP.\($0) = \($1)" }
        return lines.joined(separator: "\n")
    }

    private static func nameLines(of names: Set<String>) -> String {
        let (addresses, names) = ServerNames.split(names)
        let lines =
            names.enumerated().map { "DNS.\($0) = \($1)" } + addresses.enumerated().map { "IP.\($0) = \($1)" }
        return lines.joined(separator: "\n")
    }

    private static func opensslTime(_ date: Date) -> String {
        date.formatted(.iso8601).filter(\.isNumber) + "Z"
    }

    /// 2020-01-01: a clock before it starts in 1970 and was never set.
    private static let earliestPlausibleTime = Date(timeIntervalSince1970: 1_577_836_800)

    // MARK: Files

    private func makeFolder() throws(ExplainedError) {
        do {
            try FileManager.default.createDirectory(
                atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        } catch {
            throw WebError.certificateNotMade(reason: "\(folder): \(error.localizedDescription)")
        }
    }

    /// Replaces a file; only its owner may read it.
    private func write(_ text: String, to path: String) throws(ExplainedError) {
        do throws(FileWriteError) { try DurableFile.write(text.utf8, to: path, isPrivate: true) } catch {
            throw WebError.certificateNotMade(reason: "\(path) cannot be written")
        }
    }

    private static func readLines(_ path: String) -> Set<String> {
        Set(
            ((try? String(contentsOfFile: path, encoding: .utf8)) ?? "").split(separator: "\n").map(
                String.init))
    }
}

extension Date {
    fileprivate func adding(days: Int) -> Date { addingTimeInterval(Double(days) * 86_400) }
}
