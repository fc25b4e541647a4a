import Testing

@testable import ShowControl

@Suite struct GateTests {
    @Test func withoutAPassphraseEveryoneIsIn() {
        #expect(OSCPassphraseCheck(passphrase: nil).isAdmitted(for: "10.0.0.1", at: .zero))
    }

    private func udp(_ address: String, _ port: Int = 1) -> OSCPeer {
        OSCPeer(address: address, port: port, transport: .udp)
    }

    @Test func thePassphraseOpensForItsAddressAndForADay() {
        var gate = OSCPassphraseCheck(passphrase: "opus 67")
        #expect(!gate.isAdmitted(for: "a", at: .zero))
        #expect(gate.tryPassphrase("opus 68", from: udp("a"), at: .zero) == .wrong)
        #expect(gate.tryPassphrase("opus 6", from: udp("a"), at: .zero) == .wrong)
        #expect(gate.tryPassphrase("", from: udp("a"), at: .zero) == .wrong)
        #expect(gate.tryPassphrase("opus 67", from: udp("a"), at: .zero) == .accepted)
        #expect(gate.isAdmitted(for: "a", at: .seconds(12 * 3_600 - 1)))
        #expect(!gate.isAdmitted(for: "a", at: .seconds(12 * 3_600)))
        #expect(!gate.isAdmitted(for: "b", at: .zero))
    }

    @Test func afterFiveWrongOnesEvenTheRightOneWaits() {
        var gate = OSCPassphraseCheck(passphrase: "opus 67")
        for _ in 0..<5 { #expect(gate.tryPassphrase("x", from: udp("a"), at: .seconds(1)) == .wrong) }
        #expect(gate.tryPassphrase("opus 67", from: udp("a"), at: .seconds(31)) == .lockedOut(seconds: 31))
        #expect(gate.tryPassphrase("opus 67", from: udp("b"), at: .seconds(31)) == .accepted)
        #expect(gate.tryPassphrase("x", from: udp("a"), at: .seconds(61)) == .wrong)
        #expect(gate.tryPassphrase("opus 67", from: udp("a"), at: .seconds(61)) == .accepted)
    }

    @Test func wrongWordsOfOneSocketDoNotShutOutAnothersRightWord() {
        var gate = OSCPassphraseCheck(passphrase: "opus 67")
        for _ in 0..<100 { _ = gate.tryPassphrase("x", from: udp("a", 1), at: .seconds(1)) }
        #expect(gate.tryPassphrase("opus 67", from: udp("a", 1), at: .seconds(2)) == .lockedOut(seconds: 60))
        #expect(gate.tryPassphrase("opus 67", from: udp("a", 2), at: .seconds(2)) == .accepted)
    }

    @Test func newSocketsOfOneAddressAreNoEndlessTries() {
        var gate = OSCPassphraseCheck(passphrase: "opus 67")
        let tried = (0..<1_000).count {
            gate.tryPassphrase("x", from: udp("a", $0), at: .seconds(1)) == .wrong
        }
        #expect(tried == OSCPassphraseCheck.maximumTriesPerAddress)
        // A UDP sender can be forged; who speaks by TCP from there does not wait for it.
        let tcp = OSCPeer(address: "a", port: 9, transport: .tcp(1))
        #expect(gate.tryPassphrase("opus 67", from: tcp, at: .seconds(2)) == .accepted)
        #expect(gate.isAdmitted(for: "a", at: .seconds(2)))
        // A sender that has passed once may send the word again.
        #expect(gate.tryPassphrase("opus 67", from: udp("a", 2_000), at: .seconds(2)) == .accepted)
    }

    private static let listening: [(endpoint: String, senders: [String], word: String?, starts: Bool)] = [
        ("127.0.0.1:9120", [], nil, true), ("[::1]:9120", [], nil, true), ("localhost:9120", [], nil, true),
        ("192.168.1.10:9120", [], nil, false), ("0.0.0.0:9120", [], nil, false),
        ("[::]:9120", [], nil, false), ("hall:9120", [], nil, false),
        ("127.0.0.1.example.org:9120", [], nil, false), ("0.0.0.0:9120", ["0.0.0.0/0"], nil, false),
        ("0.0.0.0:9120", ["192.168.1.0/24"], nil, true), ("0.0.0.0:9120", [], "a word", true),
    ]

    @Test(arguments: GateTests.listening)
    func strangersCommandNothing(endpoint: String, senders: [String], word: String?, starts: Bool) throws {
        var settings = ShowControlService.Settings()
        settings.serverSettings.udpEndpoints = [try OSCEndpoint(endpoint)]
        settings.serverSettings.tcpEndpoints = []
        settings.serverSettings.allowedSenders = senders.compactMap(SenderAddressRange.init)
        settings.passphrase = word
        #expect((settings.firstUnprotectedEndpoint == nil) == starts)
    }

    @Test func leasesEndAndAreRenewed() {
        var leases = OSCSubscriptionLeases(maximumLeases: 2)
        func peer(_ port: Int) -> OSCPeer { OSCPeer(address: "127.0.0.1", port: port, transport: .udp) }
        func subscribe(_ port: Int, _ seconds: Double?, at now: Double) -> Bool {
            leases.subscribe(peer(port), seconds: seconds, at: .seconds(now))
        }
        func holders(at now: Double) -> [Int] { leases.activePeers(at: .seconds(now)).map(\.port).sorted() }
        #expect(subscribe(1, nil, at: 0))
        #expect(subscribe(2, 10, at: 0))
        #expect(!subscribe(3, 10, at: 9))
        #expect(subscribe(2, 10, at: 9))
        #expect(holders(at: 18) == [1, 2])
        #expect(holders(at: 19) == [1])
        #expect(subscribe(3, 10, at: 19))
        #expect(holders(at: 60) == [])
        let hadOne = leases.unsubscribe(peer(1))
        #expect(!hadOne)
    }

    @Test func aSenderMayBurstAndThenKeepsToTheRate() {
        var rates = SenderRateLimiter(messagesPerSecond: 10, maximumBurst: 20, maximumTrackedSenders: 2)
        for _ in 0..<20 { #expect(rates.takeToken(from: "a", at: .zero) == .allowed) }
        #expect(rates.takeToken(from: "a", at: .zero) == .tooFast(isFirst: true))
        #expect(rates.takeToken(from: "a", at: .zero) == .tooFast(isFirst: false))
        #expect(rates.takeToken(from: "b", at: .zero) == .allowed)
        #expect(rates.takeToken(from: "a", at: .milliseconds(100)) == .allowed)
        #expect(rates.takeToken(from: "a", at: .milliseconds(100)) == .tooFast(isFirst: true))
        // A clock that falls gives nothing away.
        #expect(rates.takeToken(from: "a", at: .zero) == .tooFast(isFirst: false))
    }
}
