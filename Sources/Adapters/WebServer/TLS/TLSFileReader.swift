import Basics
import Foundation
import NIOSSL

/// Reads the server's TLS certificate and private key from files.
enum TLSFileReader {
    /// The cipher suites for TLS 1.2, in order of preference. All have authenticated encryption and forward secrecy, as
    /// every suite of TLS 1.3 has.
    ///
    /// Source: RFC 9325, section 4.2.
    static let tls12CipherSuites = [
        "ECDHE-ECDSA-AES128-GCM-SHA256", "ECDHE-RSA-AES128-GCM-SHA256", "ECDHE-ECDSA-AES256-GCM-SHA384",
        "ECDHE-RSA-AES256-GCM-SHA384", "ECDHE-ECDSA-CHACHA20-POLY1305", "ECDHE-RSA-CHACHA20-POLY1305",
    ].joined(separator: ":")

    /// The server's context for TLS 1.2 and later and HTTP/1.1, and what its certificate says.
    struct Reading {
        var context: NIOSSLContext
        /// The DNS names and the addresses in the certificate.
        var names: Set<String>
        /// The end of the certificate, or of an earlier one in its chain.
        var ends: Date
    }

    static func read(_ files: WebSettings.TLSFiles) throws(ExplainedError) -> Reading {
        let chain: [NIOSSLCertificate]
        do {
            chain = try NIOSSLCertificate.fromPEMFile(files.certificatePath)
        } catch {
            throw WebError.unusableCertificate(
                path: files.certificatePath, reason: "it holds no certificate, or cannot be read")
        }
        guard let own = chain.first else {
            throw WebError.unusableCertificate(path: files.certificatePath, reason: "it holds no certificate")
        }
        let key: NIOSSLPrivateKey
        do {
            key = try NIOSSLPrivateKey(file: files.keyPath, format: .pem)
        } catch {
            throw WebError.unusableCertificate(
                path: files.keyPath, reason: "it holds no private key, or cannot be read")
        }
        guard !isReadableByOthers(files.keyPath) else {
            throw ExplainedError(
                "Other users than its owner can read the key file \(files.keyPath); run 'chmod 600' on it.")
        }
        var configuration = TLSConfiguration.makeServerConfiguration(
            certificateChain: chain.map { .certificate($0) }, privateKey: .privateKey(key))
        configuration.minimumTLSVersion = .tlsv12
        configuration.cipherSuites = tls12CipherSuites
        configuration.applicationProtocols = ["http/1.1"]
        do {
            // This fails if the key does not belong to the certificate.
            let ends =
                chain.map { Date(timeIntervalSince1970: Double($0.notValidAfter)) }.min() ?? .distantPast
            return Reading(
                context: try NIOSSLContext(configuration: configuration), names: OwnHostNames.names(in: own),
                ends: ends)
        } catch {
            throw WebError.unusableCertificate(
                path: files.keyPath, reason: "it does not belong to the certificate")
        }
    }

    /// True if users other than the file's owner may read the private key.
    ///
    /// There is one exception: a key that belongs to root and that this server's own group may read but not change.
    private static func isReadableByOthers(_ path: String) -> Bool {
        var status = stat()
        guard stat(path, &status) == 0 else { return true }
        let isRoots = status.st_uid == 0 && geteuid() != 0 && status.st_gid == getegid()
        return status.st_mode & (isRoots ? 0o037 : 0o077) != 0
    }
}
