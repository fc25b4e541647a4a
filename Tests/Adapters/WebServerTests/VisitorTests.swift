import Basics
import Testing

@testable import TestHelpers
@testable import WebServer

@Suite struct VisitorTests {
    private func visitor(
        from peer: String = "127.0.0.1", _ forwardedFor: [String] = [], forwarded: [String] = [],
        proxies: [String] = ["127.0.0.1", "10.0.0.5", "::1"]
    ) -> String {
        ClientAddressResolver(trustedProxies: Set(proxies.map { NumericAddress($0)! }))
            .resolveAddress(peer: peer, forwardedFor: forwardedFor, forwarded: forwarded)
    }

    @Test(arguments: [
        ("192.0.2.1", "192.0.2.1"), (" 192.0.2.1\t", "192.0.2.1"), ("192.0.2.1:4711", "192.0.2.1"),
        ("2001:db8::1", "2001:db8::1"), ("2001:DB8:0::1", "2001:db8::1"), ("[2001:db8::1]", "2001:db8::1"),
        ("[2001:db8::1]:80", "2001:db8::1"), ("::ffff:192.0.2.1", "192.0.2.1"),
        // The stranger's own field stands before the proxy's.
        ("192.0.2.9, 192.0.2.1", "192.0.2.1"), ("nonsense, 192.0.2.1", "192.0.2.1"),
        // Two proxies of ours, one behind the other.
        ("192.0.2.9, 192.0.2.1, 10.0.0.5", "192.0.2.1"), ("192.0.2.9\u{600}, 192.0.2.1", "192.0.2.1"),
    ])
    func theLastAddressThatIsNoProxysIsTheVisitors(_ list: String, _ address: String) {
        #expect(visitor([list]) == address)
        #expect(visitor(from: "::ffff:127.0.0.1", [list]) == address)
        // A list may come in several fields.
        #expect(visitor(list.split(separator: ",").map(String.init)) == address)
    }

    @Test(arguments: [
        "", ",", "192.0.2.1,", "unknown", "example.org", "192.0.2", "192.0.2.1:", "192.0.2.1:99999",
        "192.0.2.1:x",
        "[2001:db8::1", "[2001:db8::1]x", "[]", "192.0.2.1, nonsense", "10.0.0.5, ::1", "192.0.2.1 192.0.2.2",
        "0x7f.1", String(repeating: "1", count: 5_000),
    ])
    func whatCannotBeReadCountsAsTheProxy(_ list: String) {
        #expect(visitor([list]) == "127.0.0.1")
    }

    @Test(arguments: [
        ("for=192.0.2.1", "192.0.2.1"), ("For=\"[2001:db8::1]:4711\"", "2001:db8::1"),
        ("for=192.0.2.9, for=192.0.2.1;proto=https;by=10.0.0.5", "192.0.2.1"),
        ("proto=https; for=192.0.2.1", "192.0.2.1"), ("for=192.0.2.1, for=10.0.0.5", "192.0.2.1"),
        // A comma and a semicolon in quotation marks end nothing.
        ("for=192.0.2.1;by=\"a,for=192.0.2.7\"", "192.0.2.1"),
        ("for=192.0.2.1;by=\"a\\\",for=192.0.2.7\"", "192.0.2.1"),
        ("for=unknown", "127.0.0.1"), ("for=_hidden", "127.0.0.1"), ("proto=https", "127.0.0.1"),
        ("for=192.0.2.1, proto=https", "127.0.0.1"), ("for=\"192.0.2.1", "127.0.0.1"),
        ("for=\"", "127.0.0.1"),
        // A stranger who opens a quotation, or writes a letter that joins the next, does not swallow what a proxy adds.
        ("for=192.0.2.9;x=\", for=192.0.2.1", "127.0.0.1"),
        ("for=192.0.2.9;x=\", for=\"[2001:db8::1]\"", "127.0.0.1"),
        ("for=192.0.2.9;x=\\\", for=192.0.2.1", "127.0.0.1"),
        ("for=192.0.2.9;x=\u{600}, for=192.0.2.1", "192.0.2.1"),
    ])
    func forwardedIsReadAsItsStandardSays(_ field: String, _ address: String) {
        #expect(visitor(forwarded: [field]) == address)
    }

    @Test func whoDoesNotComeFromTheProxyIsNotBelieved() {
        #expect(visitor(from: "192.0.2.66", ["192.0.2.1"], forwarded: ["for=192.0.2.1"]) == "192.0.2.66")
        #expect(visitor(["192.0.2.1"], proxies: []) == "127.0.0.1")
        #expect(visitor(from: "unknown", ["192.0.2.1"]) == "unknown")
    }

    @Test func fieldsThatDifferAreNotBelieved() {
        // A proxy writes one of them and hands on what a stranger wrote into the other.
        #expect(visitor(["192.0.2.1"], forwarded: ["for=192.0.2.2"]) == "127.0.0.1")
        #expect(visitor(["192.0.2.1"], forwarded: ["nonsense"]) == "127.0.0.1")
        #expect(visitor(["192.0.2.1"], forwarded: ["for=192.0.2.1"]) == "192.0.2.1")
    }

    @Test(arguments: [
        "", "proxy", "10.0.0.0/8", "10.0.0.5:80", "10.0.0", "[::1]", "10.0.0.256", "*", "10.0.0.5 ",
    ])
    func onlyPlainAddressesAreAddresses(_ text: String) { #expect(NumericAddress(text) == nil) }

    @Test func aProxyIsRefusedWhereNobodySignsInAndWhereItIsEverybody() throws {
        let proxy = try #require(NumericAddress("10.0.0.5"))
        #expect(
            throws: ExplainedError(
                "Visitors through the proxy at 10.0.0.5 all have its address, so without sign-in anybody "
                    + "could run the concert; leave out --no-sign-in or --trusted-proxy.")
        ) {
            try WebSettings(signIn: .notNeeded, trustedProxies: [proxy]).check()
        }
        for everybody in ["0.0.0.0", "::"] {
            #expect(
                throws: ExplainedError(
                    "“\(everybody.prefix(80))” is not a proxy's address; give the one address from which "
                        + "it reaches this server, in numbers and without a port, such as 127.0.0.1 or "
                        + "10.0.0.5, and repeat the option for more.")
            ) {
                try WebSettings(trustedProxies: [NumericAddress(everybody)!]).check()
            }
        }
        try WebSettings(trustedProxies: [proxy]).check()
    }

    @Test func aProxysConnectionsAreNotCountedAsOneVisitors() {
        let limiter = ConnectionLimiter(
            ResourceQuota.Limits(total: 10, reserve: 2, perAddress: 1),
            settings: WebSettings(trustedProxies: [NumericAddress("10.0.0.5")!]))
        let connections = (0..<8).map { _ in StandIn() }
        func enter(_ number: Int, _ peer: String) -> Bool {
            limiter.addConnection(ObjectIdentifier(connections[number]), peer: peer, local: "10.0.0.1")
        }
        #expect(enter(0, "192.0.2.1") && !enter(1, "192.0.2.1"))
        #expect(enter(2, "10.0.0.5") && enter(3, "10.0.0.5"))
        #expect(limiter.connectionCount == 3)
        // Of those for whom it asks each has a share, also where they use one connection by turns.
        let visitors = (0..<3).map { ResourceQuota.Holder(address: "198.51.100.\($0)") }
        #expect(limiter.assignToForwardedVisitor(ObjectIdentifier(connections[2]), for: visitors[0]))
        #expect(!limiter.assignToForwardedVisitor(ObjectIdentifier(connections[3]), for: visitors[0]))
        #expect(limiter.assignToForwardedVisitor(ObjectIdentifier(connections[2]), for: visitors[1]))
        #expect(limiter.assignToForwardedVisitor(ObjectIdentifier(connections[3]), for: visitors[0]))
    }
}

/// Over loopback, where this machine is the proxy.
@Suite(.ownThreads, .serialized) struct ProxyTests {
    /// The status of a try with a wrong password.
    private func attempt(_ port: Int, for visitor: String, name: String) throws -> String {
        let client = try RawClient(port: port)
        let body = #"{"name":"\#(name)","password":"nonsense"}"#
        client.send(
            "POST /api/login HTTP/1.1\r\nHost: 127.0.0.1\r\nX-Baton: 1\r\nConnection: close\r\n"
                + "X-Forwarded-For: 198.51.100.7, \(visitor)\r\n"
                + "Content-Length: \(body.utf8.count)\r\n\r\n" + body)
        return String(client.receive(until: "\r\n").dropFirst(9).prefix(3))
    }

    /// Twenty-one tries of each of two visitors, each at another account.
    private func tries(_ stage: Stage) async throws -> [[String]] {
        try await stage.live { port in
            try ["192.0.2.1", "192.0.2.2"].map { visitor in
                try (0..<21).map { try self.attempt(port, for: visitor, name: "\(visitor) \($0)") }
            }
        }
    }

    @Test func triesAreCountedByWhomTheProxyForwards() async throws {
        let stage = try Stage { $0.trustedProxies = [NumericAddress("127.0.0.1")!] }
        for row in try await tries(stage) {
            #expect(row == Array(repeating: "401", count: 20) + ["429"])
        }
    }

    @Test func withoutATrustedProxyNobodyEscapesTheCountByAHeader() async throws {
        let rows = try await tries(try Stage())
        #expect(rows[0].last == "429" && rows[1].first == "429", "\(rows)")
    }
}
