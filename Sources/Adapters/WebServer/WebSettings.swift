/// Where the web server listens and how patient it is.
public struct WebSettings: Equatable, Sendable {
    /// PEM files of a certificate (with the chain, own first) and its private key.
    public struct TLSFiles: Equatable, Sendable {
        public var certificatePath: String
        public var keyPath: String

        public init(certificatePath: String, keyPath: String) {
            self.certificatePath = certificatePath
            self.keyPath = keyPath
        }
    }

    /// Who is let in.
    public enum SignIn: Equatable, Sendable {
        case required
        /// Everybody is the administrator “local”; only on a loopback address, where everybody sits at this machine.
        case notNeeded
    }

    /// A numeric address or a name; nothing but this machine reaches the default.
    public var address: String
    /// 0 lets the system choose; see `WebServer.boundPort`.
    public var port: Int
    public var tls: TLSFiles?
    public var signIn: SignIn
    /// A folder of pages read anew while they are worked on; nil serves those that came with the program.
    public var pagesPath: String?
    /// Origins besides its own from which changes are taken, as in `https://baton.example.org`: those of a proxy
    /// in front that is reached under another name. Only where people sign in.
    public var furtherOrigins: [WebOrigin]
    /// Proxies in front: what they say of where a request comes from counts for limits. Only where people sign in.
    public var trustedProxies: Set<NumericAddress>
    /// False where there is nothing but what listeners use: neither the console's addresses nor its pages.
    public var servesConsole: Bool
    public var patience: Patience
    public var limits: Limits

    public init(
        address: String = "127.0.0.1", port: Int = 8080, tls: TLSFiles? = nil, signIn: SignIn = .required,
        pagesPath: String? = nil, furtherOrigins: [WebOrigin] = [],
        trustedProxies: Set<NumericAddress> = [], servesConsole: Bool = true, patience: Patience = Patience(),
        limits: Limits = Limits()
    ) {
        self.address = address
        self.port = port
        self.tls = tls
        self.signIn = signIn
        self.pagesPath = pagesPath
        self.furtherOrigins = furtherOrigins
        self.trustedProxies = trustedProxies
        self.servesConsole = servesConsole
        self.patience = patience
        self.limits = limits
    }

    /// How long a slow client is waited for.
    public struct Patience: Equatable, Sendable {
        /// For a whole request head, and for the next request on a kept connection.
        public var head: Duration = .seconds(15)
        /// For a whole request body.
        public var body: Duration = .seconds(15)
        /// For a whole file that is uploaded: 50 MB over a slow wireless network.
        public var upload: Duration = .seconds(300)
        /// For a reader that takes nothing of what was sent, or whose machine vanished.
        public var reader: Duration = .seconds(20)
        /// From the arrival of a wrong password to its answer, whatever made it wrong.
        public var wrongPassword: Duration = .milliseconds(700)

        public init() {}
    }

    /// Bounds of memory and descriptors; how they are shared out, docs/scale.md says.
    public struct Limits: Equatable, Sendable {
        public var connections = 12_000
        /// From one address; generous, since a whole audience may stand behind one router, and low enough that two
        /// addresses do not hold everything.
        public var connectionsPerAddress = 4_000
        /// The console's live streams at once.
        public var streams = 64
        public var streamsPerAccount = 16
        public var headBytes = 16_384
        /// Of a request body, where its route does not say otherwise.
        public var bodyBytes = 65_536

        public init() {}
    }

    /// - Parameter address: numeric.
    func isTrustedProxy(_ address: String) -> Bool {
        !trustedProxies.isEmpty && NumericAddress(address).map { trustedProxies.contains($0) } == true
    }

    /// Whether a connection was made on the machine that the server runs on: it comes from the address it goes to.
    ///
    /// Not so where a proxy may stand in front on this machine: then anybody comes from there.
    func isOwnMachine(peer: String, local: String?) -> Bool {
        guard let local, furtherOrigins.isEmpty || !trustedProxies.isEmpty else { return false }
        guard let here = NumericAddress(local), NumericAddress(peer) == here else { return false }
        return !trustedProxies.contains(here)
    }

    /// Whether browsers reach the server through TLS at one of its names.
    var isBehindTLS: Bool { furtherOrigins.contains { $0.description.hasPrefix("https:") } }

    var scheme: String { tls == nil ? "http" : "https" }
    var isLoopback: Bool { Loopback.contains(address) }

    /// Refuses what would let strangers in, and what cannot be.
    public func check() throws(WebError) {
        if signIn == .notNeeded, let origin = furtherOrigins.first {
            throw .originWithoutSignIn("\(origin)")
        }
        if signIn == .notNeeded, let proxy = trustedProxies.first {
            throw .proxyWithoutSignIn("\(proxy)")
        }
        if let proxy = trustedProxies.first(where: \.isUnspecified) { throw .badProxy("\(proxy)") }
        if signIn == .notNeeded, !isLoopback { throw .openToStrangers(address: address) }
        guard (0...65_535).contains(port) else { throw .badPort(port) }
    }
}

/// Names and addresses that only this machine itself reaches.
enum Loopback {
    static func contains(_ host: String) -> Bool {
        let host = host.lowercased()
        if host == "localhost" || host == "::1" || host == "[::1]" { return true }
        let parts = host.split(separator: ".", omittingEmptySubsequences: false)
        return parts.count == 4 && parts[0] == "127" && parts.allSatisfy { UInt8($0) != nil }
    }
}
