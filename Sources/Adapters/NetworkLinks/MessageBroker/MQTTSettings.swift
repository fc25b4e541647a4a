import Glibc

/// The settings of the connection to an MQTT broker: its address, this program's name in its topics, and whether it
/// may send commands.
public struct MQTTSettings: Sendable {
    public var host: String
    public var port: Int
    public var user: String?
    public var password: String?
    /// The PEM file of certificates to trust; nil means no TLS.
    public var certificatesFile: String?
    /// The client certificate for a broker that requires one; used only with ``certificatesFile``.
    public var ownCertificate: OwnCertificate?
    /// The program's name in the broker's topics. It is the second part of every topic: "baton/NAME/measure".
    public var nameInTopics: String
    /// True if commands received under "baton/NAME/command" are executed.
    public var acceptsCommands = false
    /// The MQTT keep-alive interval in seconds. A dead broker is noticed after 1.5 times this interval.
    public var keepAliveSeconds = 10
    public var reconnectPause = ReconnectBackoff()

    /// The PEM files of a certificate and of its private key, which must have no passphrase.
    public struct OwnCertificate: Equatable, Sendable {
        public var certificateFile: String
        public var keyFile: String

        public init(certificateFile: String, keyFile: String) {
            self.certificateFile = certificateFile
            self.keyFile = keyFile
        }
    }

    public init(host: String, port: Int = 1_883, name: String) {
        self.host = host
        self.port = port
        self.nameInTopics = name
    }

    /// True if the broker proves its identity by TLS or asks for a password. Only such a broker may send commands.
    public var authenticatesBroker: Bool {
        certificatesFile != nil || user?.isEmpty == false && password?.isEmpty == false
    }

    /// Checks the settings before connecting.
    /// - Throws: ``MQTTFault`` for settings that can never work.
    func check() throws(MQTTFault) {
        guard !host.isEmpty, !host.contains(where: \.isWhitespace) else { throw .hostUnknown(host) }
        guard (1...65_535).contains(port) else { throw .portOutOfRange(port) }
        guard MQTTTopics.isTopicLevel(nameInTopics) else { throw .nameUnusableInTopics(nameInTopics) }
        for file in [certificatesFile, ownCertificate?.certificateFile, ownCertificate?.keyFile] {
            guard let file else { continue }
            guard access(file, R_OK) == 0 else { throw .certificatesUnusable(file: file) }
        }
    }
}

/// The pause before the next attempt to connect. The pause doubles with each failure, up to a limit.
public struct ReconnectBackoff: Hashable, Sendable {
    public let first: Duration
    public let longest: Duration
    private var nextPause: Duration

    public init(first: Duration = .milliseconds(500), longest: Duration = .seconds(10)) {
        self.first = first
        self.longest = longest
        nextPause = first
    }

    /// Returns the pause to make now, and doubles the next one.
    public mutating func takePauseAfterFailure() -> Duration {
        defer { nextPause = min(nextPause * 2, longest) }
        return nextPause
    }

    public mutating func resetAfterSuccess() { nextPause = first }
}
