import Glibc

/// Which broker, under which name, and what is taken from it.
public struct BrokerSettings: Sendable {
    public var host: String
    public var port: Int
    public var user: String?
    public var password: String?
    /// The file of certificates to trust; nil: no TLS.
    public var certificatesFile: String?
    /// What we show a broker that asks who we are; only with ``certificatesFile``.
    public var ownCertificate: OwnCertificate?
    /// The second part of every topic: "baton/NAME/measure".
    public var name: String
    /// Commands by "baton/NAME/command" are done only where this says so.
    public var takesCommands = false
    /// Kept on the wire while nothing is sent; a dead broker is noticed after one and a half times this.
    public var keepAliveSeconds = 10
    public var pause = ReconnectPause()

    /// PEM files of a certificate and its private key, which has no passphrase.
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
        self.name = name
    }

    /// Whether the broker asks who we are, or proves who it is: only such a one may carry commands.
    public var knowsItsBroker: Bool {
        certificatesFile != nil || user?.isEmpty == false && password?.isEmpty == false
    }

    /// - Throws: ``BrokerFault`` for what can be seen to be wrong before connecting.
    func check() throws(BrokerFault) {
        guard !host.isEmpty, !host.contains(where: \.isWhitespace) else { throw .hostUnknown(host) }
        guard (1...65_535).contains(port) else { throw .portOutOfRange(port) }
        guard BrokerTopics.isPart(name) else { throw .badName(name) }
        for file in [certificatesFile, ownCertificate?.certificateFile, ownCertificate?.keyFile] {
            guard let file else { continue }
            guard access(file, R_OK) == 0 else { throw .certificates(file: file) }
        }
    }
}

/// How long to wait before the next try: twice as long each time, up to a limit.
public struct ReconnectPause: Hashable, Sendable {
    public let first: Duration
    public let longest: Duration
    private var next: Duration

    public init(first: Duration = .milliseconds(500), longest: Duration = .seconds(10)) {
        self.first = first
        self.longest = longest
        next = first
    }

    /// The pause after one more failure.
    public mutating func afterFailure() -> Duration {
        defer { next = min(next * 2, longest) }
        return next
    }

    public mutating func succeeded() { next = first }
}
