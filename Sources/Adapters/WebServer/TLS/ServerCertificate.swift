import Basics
import Foundation
import NIOSSL
import Platform
import Synchronization

/// The certificate with which the server answers TLS: files that the settings name, or one of the server's own
/// authority. It is read again while the server runs.
public final class ServerCertificate: Sendable {
    /// Where TLS comes from.
    public enum Kind: String, Encodable, Sendable {
        case none
        /// The server's own authority, beside plain HTTP on the same port.
        case own
        /// Files that the settings name. The server then answers nothing without TLS.
        case given
        /// A proxy in front of the server.
        case proxy
    }

    /// The certificate as `/start`, the check and the poster show it.
    public struct Facts: Encodable, Equatable, Sendable {
        public var kind: Kind
        /// The names and addresses in the certificate, those first that people should use.
        public var names: [String]
        /// The end of the certificate, milliseconds since 1970; nil without a certificate.
        public var ends: Int64?
        /// Whole days until the end; negative after it.
        public var daysLeft: Int?
        /// The fingerprint of the authority, SHA-256, as devices show it; nil unless the certificate is its own.
        public var authorityFingerprint: String?
        /// The names of this server that its authority cannot name.
        public var leftOut: [String]
        /// A sentence about what is wrong; nil if nothing is.
        public var problem: String?
        /// True if the server can make a certificate of its own.
        public var canMake: Bool
        /// True if only this machine reaches the server.
        public var isLoopback: Bool

        /// True if the certificate is good for this name or address.
        public func namesHost(_ host: String) -> Bool {
            names.contains(host)
                || host.firstIndex(of: ".").map { names.contains("*" + host[$0...]) } ?? false
                    && NumericAddress(host) == nil
        }
    }

    private struct Loaded {
        var context: NIOSSLContext
        var names: Set<String>
        var ends: Date
        var versions: [FileVersion]
    }

    /// A file as it was when it was read.
    private struct FileVersion: Equatable {
        var seconds: Int
        var nanoseconds: Int
        var inode: UInt

        init?(_ path: String) {
            var status = stat()
            guard stat(path, &status) == 0 else { return nil }
            (seconds, nanoseconds) = (status.st_mtim.tv_sec, status.st_mtim.tv_nsec)
            inode = UInt(status.st_ino)
        }
    }

    private let settings: WebSettings
    private let loaded = Mutex<Loaded?>(nil)
    private let problem = Mutex<String?>(nil)
    private let isMaking = Atomic<Bool>(false)

    /// Reads the certificate.
    /// - Throws: an error if the files that the settings name cannot be used. The server's own certificate may be
    ///   missing or damaged; it is made again.
    public init(_ settings: WebSettings) throws(ExplainedError) {
        self.settings = settings
        if let files = settings.tls {
            try load(files)
        } else if let authority, authority.exists {
            try? load(authority.serverFiles)
        }
    }

    /// The server's own authority, which may not exist yet; nil if the server makes no certificates.
    public var authority: CertificateAuthority? {
        settings.tls == nil ? settings.ownCertificateFolder.map(CertificateAuthority.init) : nil
    }

    /// The TLS context for new connections; nil if the server cannot answer TLS now.
    var context: NIOSSLContext? { loaded.withLock { $0?.context } }

    /// The DNS names and addresses in the certificate.
    var names: Set<String> { loaded.withLock { $0?.names ?? [] } }

    /// True if the server answers nothing without TLS.
    var isRequired: Bool { settings.tls != nil }

    /// True if the server may answer TLS now or later, so that connections have to be told apart.
    var isPossible: Bool { isRequired || authority != nil }

    public func facts(now: Date = Date()) -> Facts {
        let loaded = loaded.withLock { $0 }
        let kind: Kind =
            settings.tls != nil ? .given : loaded != nil ? .own : settings.isBehindTLSProxy ? .proxy : .none
        var facts = Facts(
            kind: kind, names: [], leftOut: [], problem: problem.withLock { $0 }, canMake: authority != nil,
            isLoopback: settings.isLoopback)
        guard let loaded else { return facts }
        facts.names = loaded.names.sorted(by: ServerNames.isShownFirst)
        facts.ends = Int64(loaded.ends.timeIntervalSince1970 * 1_000)
        facts.daysLeft = Int((loaded.ends.timeIntervalSince(now) / 86_400).rounded(.down))
        if kind == .own, let authority {
            facts.authorityFingerprint = Self.fingerprint(ofPEM: authority.certificatePath)
            facts.leftOut = authority.namesBeyondScope(wantedNames(of: authority))
        }
        return facts
    }

    /// Makes an authority if there is none, and a certificate for the server's present names.
    /// - Parameters:
    ///   - furtherNames: names by which devices reach this server, in addition to its own; nil keeps those given
    ///     before.
    ///   - makesAuthority: true replaces the authority; devices then have to install the new one.
    public func make(furtherNames: [String]? = nil, makesAuthority: Bool = false) async throws(ExplainedError)
    {
        guard let authority else {
            throw WebError.certificateNotMade(reason: "the settings name one (tls-certificate)")
        }
        guard !isMaking.exchange(true, ordering: .acquiring) else {
            throw WebError.certificateNotMade(reason: "another one is being made")
        }
        defer { isMaking.store(false, ordering: .releasing) }
        if let furtherNames {
            let names = Set(furtherNames.map { $0.lowercased() })
            if let bad = names.first(where: { !ServerNames.isUsable($0) }) {
                throw ExplainedError(
                    "“\(bad.prefix(80))” is not a host name; give it without scheme and port, such as "
                        + "baton.hall.example.")
            }
            try authority.keepFurtherNames(names)
        }
        let names = wantedNames(of: authority)
        if makesAuthority || !authority.exists { try await authority.makeAuthority(for: names) }
        try await authority.signServerCertificate(for: names)
        try load(authority.serverFiles)
    }

    /// Reads files that have changed, and renews the server's own certificate if it ends soon or lacks a name. A
    /// certificate that cannot be replaced stays in use.
    func refresh() async {
        do throws(ExplainedError) {
            if let files = settings.tls {
                if hasChanged(files) { try load(files) }
            } else if let authority, authority.exists {
                if hasChanged(authority.serverFiles) { try? load(authority.serverFiles) }
                if needsRenewal(authority) { try await make() }
            }
            problem.withLock { $0 = nil }
        } catch {
            problem.withLock { $0 = error.sentence }
        }
    }

    private func wantedNames(of authority: CertificateAuthority) -> Set<String> {
        ServerNames.wantedNames(of: settings, further: authority.furtherNames)
    }

    private func needsRenewal(_ authority: CertificateAuthority) -> Bool {
        guard let loaded = loaded.withLock({ $0 }) else { return true }
        let names = wantedNames(of: authority)
        let renewsFrom = loaded.ends.addingTimeInterval(-Double(CertificateAuthority.renewalDays) * 86_400)
        // An authority that was copied here from another server signs anew.
        let isOlder =
            Self.time(of: authority.certificatePath) > Self.time(of: authority.serverFiles.certificatePath)
        return Date() > renewsFrom || isOlder
            || !names.subtracting(authority.namesBeyondScope(names)).isSubset(of: loaded.names)
    }

    private static func time(of path: String) -> Date {
        FileVersion(path).map {
            Date(timeIntervalSince1970: Double($0.seconds) + Double($0.nanoseconds) / 1e9)
        }
            ?? .distantPast
    }

    private static func versions(of files: WebSettings.TLSFiles) -> [FileVersion] {
        [files.certificatePath, files.keyPath].compactMap(FileVersion.init)
    }

    private func hasChanged(_ files: WebSettings.TLSFiles) -> Bool {
        loaded.withLock { $0?.versions } != Self.versions(of: files)
    }

    private func load(_ files: WebSettings.TLSFiles) throws(ExplainedError) {
        let versions = Self.versions(of: files)
        let read = try TLSFileReader.read(files)
        loaded.withLock {
            $0 = Loaded(context: read.context, names: read.names, ends: read.ends, versions: versions)
        }
    }

    private static func fingerprint(ofPEM path: String) -> String? {
        guard let certificate = try? NIOSSLCertificate.fromPEMFile(path).first,
            let bytes = try? certificate.toDERBytes()
        else { return nil }
        return Digest(of: bytes).bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16, uppercase: true) }
            .joined(separator: ":")
    }
}
