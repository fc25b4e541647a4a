import Basics

/// The web server's addresses, limits and timeouts.
public struct WebSettings: Equatable, Sendable {
    /// The PEM files of a certificate (with its chain, the server's own certificate first) and of its private key.
    public struct TLSFiles: Equatable, Sendable {
        public var certificatePath: String
        public var keyPath: String

        public init(certificatePath: String, keyPath: String) {
            self.certificatePath = certificatePath
            self.keyPath = keyPath
        }
    }

    /// Decides whether visitors must sign in.
    public enum SignInRequirement: Equatable, Sendable {
        case required
        /// Every visitor is the administrator “local”. This is allowed only on a loopback address, which only this
        /// machine can reach.
        case notNeeded
    }

    /// The address to listen on, numeric or a name. Only this machine can reach the default.
    public var address: String
    /// The port to listen on; 0 lets the system choose, see `WebServer.boundPort`.
    public var port: Int
    public var tls: TLSFiles?
    /// The folder of the server's own certificate authority, which may be empty until somebody makes it. Nil offers no
    /// certificate of the server's own. It is not used if ``tls`` names files.
    public var ownCertificateFolder: String?
    public var signInRequirement: SignInRequirement
    /// A folder with pages; nil serves the installed pages. The folder is read again every 0.5 s while pages are
    /// requested, so that edited pages appear at once.
    public var pagesPath: String?
    /// Additional origins from which requests may change something, for example `https://baton.example.org`. They are
    /// the origins of proxies with other names, and need a sign-in.
    public var furtherOrigins: [WebOrigin]
    /// Additional names by which browsers reach this server, for example `baton.hall.example`; see ``OwnHostNames``.
    public var hostNames: [String]
    /// The proxies whose header fields about a visitor's address are trusted, for limits only. They need a sign-in.
    public var trustedProxies: Set<NumericAddress>
    public var timeouts: Timeouts
    public var limits: Limits

    public init(
        address: String = "127.0.0.1", port: Int = 8080, tls: TLSFiles? = nil,
        signIn: SignInRequirement = .required,
        pagesPath: String? = nil, furtherOrigins: [WebOrigin] = [], hostNames: [String] = [],
        trustedProxies: Set<NumericAddress> = [], timeouts: Timeouts = Timeouts(), limits: Limits = Limits()
    ) {
        self.address = address
        self.port = port
        self.tls = tls
        self.signInRequirement = signIn
        self.pagesPath = pagesPath
        self.furtherOrigins = furtherOrigins
        self.hostNames = hostNames
        self.trustedProxies = trustedProxies
        self.timeouts = timeouts
        self.limits = limits
    }

    /// The times after which the server gives up on slow clients.
    public struct Timeouts: Equatable, Sendable {
        /// The time for a complete request head, and the longest pause before the next request on an open connection.
        public var requestHead: Duration = .seconds(15)
        /// The time for a complete request body.
        public var requestBody: Duration = .seconds(15)
        /// The time for a complete uploaded file: enough for 50 MB over a slow wireless network.
        public var upload: Duration = .seconds(300)
        /// The time after which a client that accepts no data, or that has disappeared, is disconnected.
        public var slowReader: Duration = .seconds(20)
        /// The time from a wrong password to the response. It is the same for an unknown name, so that nobody can find
        /// out names.
        public var wrongPasswordDelay: Duration = .milliseconds(700)
        /// The time after which the server looks again whether its certificate was replaced or must be renewed.
        public var certificateCheck: Duration = .seconds(30)

        public init() {}
    }

    /// The limits for connections, streams and request sizes; docs/scale.md explains how they are shared out.
    public struct Limits: Equatable, Sendable {
        public var connections = 12_000
        /// The maximum number of connections from one address. The number is high, because a whole audience may share
        /// one router, but low enough that two addresses cannot take all connections.
        public var connectionsPerAddress = 4_000
        /// The maximum number of simultaneous live streams of the console.
        public var consoleStreams = 64
        public var consoleStreamsPerAccount = 16
        public var requestHeadBytes = 16_384
        /// The maximum size of a request body in bytes, unless its route sets its own limit.
        public var requestBodyBytes = 65_536

        public init() {}
    }

    /// - Parameter address: a numeric address.
    func isTrustedProxy(_ address: String) -> Bool {
        !trustedProxies.isEmpty && NumericAddress(address).map { trustedProxies.contains($0) } == true
    }

    /// True if a connection comes from the machine on which the server runs. Both ends of such a connection have the
    /// same address.
    ///
    /// It is always false if a proxy may run on this machine, because then every visitor's connection comes from this
    /// machine.
    func isOwnMachine(peer: String, local: String?) -> Bool {
        guard let local, furtherOrigins.isEmpty || !trustedProxies.isEmpty else { return false }
        guard let here = NumericAddress(local), NumericAddress(peer) == here else { return false }
        return !trustedProxies.contains(here)
    }

    /// True if a proxy offers the server over TLS: one of the additional origins begins with `https:`.
    var isBehindTLSProxy: Bool { furtherOrigins.contains { $0.description.hasPrefix("https:") } }

    var isLoopback: Bool { Loopback.contains(address) }

    /// Checks the settings.
    /// - Throws: ``ExplainedError`` for settings that are impossible or would let strangers in.
    public func check() throws(ExplainedError) {
        if signInRequirement == .notNeeded, let origin = furtherOrigins.first {
            throw ExplainedError(
                "Visitors through \(origin) seem to come from this machine, so without sign-in "
                    + "anybody could run the concert; leave out --no-sign-in or --origin.")
        }
        if signInRequirement == .notNeeded, let proxy = trustedProxies.first {
            throw ExplainedError(
                "Visitors through the proxy at \(proxy) all have its address, so without sign-in "
                    + "anybody could run the concert; leave out --no-sign-in or --trusted-proxy.")
        }
        if let name = hostNames.first(where: { (try? WebOrigin("http://" + $0)) == nil || $0.contains(":") })
        {
            throw ExplainedError(
                "“\(name.prefix(80))” is not a host name; give it without scheme and port, such as "
                    + "baton.hall.example.")
        }
        if let proxy = trustedProxies.first(where: \.isUnspecified) {
            throw ExplainedError(
                "“\("\(proxy)".prefix(80))” is not a proxy's address; give the one address from which it "
                    + "reaches this server, in numbers and without a port, such as 127.0.0.1 or 10.0.0.5, and "
                    + "repeat the option for more.")
        }
        if signInRequirement == .notNeeded, !isLoopback {
            throw ExplainedError(
                "Without sign-in anybody who reaches \(address) could run the concert; listen on "
                    + "127.0.0.1, or leave out --no-sign-in.")
        }
        guard (0...65_535).contains(port) else {
            throw ExplainedError("Port \(port) does not exist; give one from 0 to 65535.")
        }
    }
}

/// Recognises names and addresses that only this machine itself can reach.
/// The names and addresses by which a machine reaches itself.
public enum Loopback {
    public static func contains(_ host: String) -> Bool {
        let host = host.lowercased()
        if host == "localhost" || host == "::1" || host == "[::1]" { return true }
        let parts = host.split(separator: ".", omittingEmptySubsequences: false)
        return parts.count == 4 && parts[0] == "127" && parts.allSatisfy { UInt8($0) != nil }
    }
}
