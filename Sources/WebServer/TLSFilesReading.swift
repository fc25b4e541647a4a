import NIOSSL

/// Certificate and key from files.
enum TLSFilesReading {
    /// TLS 1.2 and later, HTTP/1.1.
    static func configuration(_ files: WebSettings.TLSFiles) throws(WebError) -> TLSConfiguration {
        let chain: [NIOSSLCertificate]
        do {
            chain = try NIOSSLCertificate.fromPEMFile(files.certificatePath)
        } catch {
            throw .certificate(
                path: files.certificatePath, reason: "it holds no certificate, or cannot be read")
        }
        guard !chain.isEmpty else {
            throw .certificate(path: files.certificatePath, reason: "it holds no certificate")
        }
        let key: NIOSSLPrivateKey
        do {
            key = try NIOSSLPrivateKey(file: files.keyPath, format: .pem)
        } catch {
            throw .certificate(path: files.keyPath, reason: "it holds no private key, or cannot be read")
        }
        var configuration = TLSConfiguration.makeServerConfiguration(
            certificateChain: chain.map { .certificate($0) }, privateKey: .privateKey(key))
        configuration.minimumTLSVersion = .tlsv12
        configuration.applicationProtocols = ["http/1.1"]
        do {
            // Fails where the key is not that of the certificate.
            _ = try NIOSSLContext(configuration: configuration)
        } catch {
            throw .certificate(path: files.keyPath, reason: "it does not belong to the certificate")
        }
        return configuration
    }
}
