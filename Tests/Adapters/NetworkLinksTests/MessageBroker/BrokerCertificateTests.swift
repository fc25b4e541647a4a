import Foundation
import Testing

@testable import NetworkLinks
@testable import TestHelpers

/// A broker that asks who we are: certificates made for the test, on loopback.
@Suite(
    .ownThreads,
    .enabled(if: !Mosquitto.isMissing && Certificates.canBeMade, "mosquitto and openssl are needed"),
    .serialized)
struct BrokerCertificateTests {
    private func broker(_ made: Certificates) async throws -> Mosquitto {
        try await Mosquitto(
            extra: """
                allow_anonymous true
                cafile \(made.path("ca.pem"))
                certfile \(made.path("broker.pem"))
                keyfile \(made.path("broker.key"))
                require_certificate true

                """)
    }

    private func settings(_ broker: Mosquitto, _ made: Certificates) -> MQTTSettings {
        var settings = MQTTSettings(host: "127.0.0.1", port: broker.port, name: "hall")
        settings.certificatesFile = made.path("ca.pem")
        settings.reconnectPause = ReconnectBackoff(first: .milliseconds(50), longest: .milliseconds(200))
        return settings
    }

    @Test func whoShowsItsCertificateIsLetIn() async throws {
        let made = try Certificates()
        let broker = try await broker(made)
        var settings = settings(broker, made)
        settings.ownCertificate = MQTTSettings.OwnCertificate(
            certificateFile: made.path("ours.pem"), keyFile: made.path("ours.key"))
        let client = try MQTTClient(settings)
        #expect(await eventually { client.status.isConnected })
        await client.close()
    }

    @Test func whoShowsNoneIsNot() async throws {
        let made = try Certificates()
        let broker = try await broker(made)
        let client = try MQTTClient(settings(broker, made))
        #expect(await eventually { client.status.lastFault != nil })
        #expect(!client.status.isConnected)
        await client.close()
    }

    /// Nobody sits at the terminal that the library would ask.
    @Test func aKeyWithAPassphraseFailsWithASentenceAndAsksNobody() async throws {
        let made = try Certificates()
        let broker = try await broker(made)
        var settings = settings(broker, made)
        settings.ownCertificate = MQTTSettings.OwnCertificate(
            certificateFile: made.path("ours.pem"), keyFile: made.path("locked.key"))
        let client = try MQTTClient(settings)
        #expect(await eventually { client.status.lastFault != nil })
        #expect(client.status.lastFault?.hasSuffix(".") == true)
        await client.close()
    }

    @Test func aKeyThatIsNotThereIsRefusedAtTheStart() throws {
        var settings = MQTTSettings(host: "127.0.0.1", name: "hall")
        settings.certificatesFile = "/dev/null"
        settings.ownCertificate = MQTTSettings.OwnCertificate(
            certificateFile: "/dev/null", keyFile: "/no/such/key.pem")
        #expect(throws: MQTTFault.certificatesUnusable(file: "/no/such/key.pem")) { try MQTTClient(settings) }
    }
}

/// An authority, a broker's certificate and ours, gone with this object.
private final class Certificates {
    static let canBeMade = FileManager.default.isExecutableFile(atPath: "/usr/bin/openssl")
    private let folder: URL

    init() throws {
        folder = FileManager.default.temporaryDirectory.appending(path: "certificates-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        try make(
            "req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 2 -subj /CN=authority "
                + "-keyout ca.key -out ca.pem")
        for name in ["broker", "ours"] {
            try make(
                "req -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -subj /CN=\(name) "
                    + "-addext subjectAltName=IP:127.0.0.1 -keyout \(name).key -out \(name).csr")
            try make(
                "x509 -req -in \(name).csr -CA ca.pem -CAkey ca.key -CAcreateserial -days 2 "
                    + "-copy_extensions copy -out \(name).pem")
        }
        try make("ec -in ours.key -aes128 -passout pass:secret -out locked.key")
    }

    deinit { try? FileManager.default.removeItem(at: folder) }

    func path(_ name: String) -> String { folder.appending(path: name).path }

    private struct Failed: Error {
        var words: String
    }

    private func make(_ words: String) throws {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/openssl")
        process.arguments = words.split(separator: " ").map(String.init)
        process.currentDirectoryURL = folder
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        try process.run()
        process.waitUntilExit()
        guard process.terminationStatus == 0 else { throw Failed(words: words) }
    }
}
