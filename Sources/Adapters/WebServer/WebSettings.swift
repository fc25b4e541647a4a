/// The web server's addresses, limits and timeouts.
public struct WebSettings: Equatable, Sendable {
    /// PEM files of a certificate (with its chain, own certificate first) and of its private key.
    public struct TLSFiles: Equatable, Sendable {
        public var certificatePath: String
        public var keyPath: String

        public init(certificatePath: String, keyPath: String) {
            self.certificatePath = certificatePath
            self.keyPath = keyPath
        }
    }

    /// Whether visitors must sign in.
    public enum SignIn: Equatable, Sendable {
        case required
        /// Everybody is the administrator “local”; allowed only on a loopback address, which only this machine
        /// reaches.
        case notNeeded
    }

    /// A numeric address or a name; only this machine reaches the default.
    public var address: String
    /// 0 lets the system choose; see `WebServer.boundPort`.
    public var port: Int
    public var tls: TLSFiles?
    public var signIn: SignIn
    /// A folder of pages that is read again every 0.5 s while used, for work on the pages; nil serves the installed
    /// pages.
    public var pagesPath: String?
    /// Additional origins from which changes are accepted, for example `https://baton.example.org`: those of a proxy
    /// with another name. Needs a sign-in.
    public var furtherOrigins: [WebOrigin]
    /// Proxies whose header fields about a request's origin are trusted for limits. Needs a sign-in.
    public var trustedProxies: Set<NumericAddress>
    /// False offers only the listeners' addresses and pages, not the console's.
    public var servesConsole: Bool
    public var patience: Timeouts
    public var limits: Limits

    public init(
        address: String = "127.0.0.1", port: Int = 8080, tls: TLSFiles? = nil, signIn: SignIn = .required,
        pagesPath: String? = nil, furtherOrigins: [WebOrigin] = [],
        trustedProxies: Set<NumericAddress> = [], servesConsole: Bool = true, patience: Timeouts = Timeouts(),
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

    /// The timeouts for slow clients.
    public struct Timeouts: Equatable, Sendable {
        /// The time for a whole request head, and for the next request on a kept connection.
        public var head: Duration = .seconds(15)
        /// The time for a whole request body.
        public var body: Duration = .seconds(15)
        /// The time for a whole uploaded file: enough for 50 MB over a slow wireless network.
        public var upload: Duration = .seconds(300)
        /// The time after which a reader that accepts no data, or whose machine disappeared, is disconnected.
        public var reader: Duration = .seconds(20)
        /// The time from a wrong password to its answer, the same for every reason.
        public var wrongPassword: Duration = .milliseconds(700)

        public init() {}
    }

    /// Limits of memory and descriptors; docs/scale.md explains how they are shared out.
    public struct Limits: Equatable, Sendable {
        public var connections = 12_000
        /// The most connections from one address. High, because a whole audience may be behind one router, but low
        /// enough that two addresses cannot take everything.
        public var connectionsPerAddress = 4_000
        /// The console's simultaneous live streams.
        public var streams = 64
        public var streamsPerAccount = 16
        public var headBytes = 16_384
        /// The largest request body in bytes, unless its route sets its own limit.
        public var bodyBytes = 65_536

        public init() {}
    }

    /// - Parameter address: numeric.
    func isTrustedProxy(_ address: String) -> Bool {
        !trustedProxies.isEmpty && NumericAddress(address).map { trustedProxies.contains($0) } == true
    }

    /// True if a connection comes from the machine that the server runs on: its source address is the destination
    /// address.
    ///
    /// Always false if a proxy may run on this machine, because then every visitor's connection comes from it.
    func isOwnMachine(peer: String, local: String?) -> Bool {
        guard let local, furtherOrigins.isEmpty || !trustedProxies.isEmpty else { return false }
        guard let here = NumericAddress(local), NumericAddress(peer) == here else { return false }
        return !trustedProxies.contains(here)
    }

    /// True if browsers reach the server over TLS at one of its names.
    var isBehindTLS: Bool { furtherOrigins.contains { $0.description.hasPrefix("https:") } }

    var scheme: String { tls == nil ? "http" : "https" }
    var isLoopback: Bool { Loopback.contains(address) }

    /// Refuses settings that would let strangers in, and impossible ones.
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
