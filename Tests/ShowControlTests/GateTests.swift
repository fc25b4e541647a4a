import Testing

@testable import ShowControl

@Suite struct GateTests {
    @Test func withoutAPassphraseEveryoneIsIn() {
        #expect(OSCGate(passphrase: nil).isOpen(for: "10.0.0.1", at: .zero))
    }

    @Test func thePassphraseOpensForItsAddressAndForADay() {
        var gate = OSCGate(passphrase: "opus 67")
        #expect(!gate.isOpen(for: "a", at: .zero))
        #expect(gate.offer("opus 68", from: "a", at: .zero) == .wrong)
        #expect(gate.offer("opus 6", from: "a", at: .zero) == .wrong)
        #expect(gate.offer("", from: "a", at: .zero) == .wrong)
        #expect(gate.offer("opus 67", from: "a", at: .zero) == .opened)
        #expect(gate.isOpen(for: "a", at: .seconds(12 * 3_600 - 1)))
        #expect(!gate.isOpen(for: "a", at: .seconds(12 * 3_600)))
        #expect(!gate.isOpen(for: "b", at: .zero))
    }

    @Test func afterFiveWrongOnesEvenTheRightOneWaits() {
        var gate = OSCGate(passphrase: "opus 67")
        for _ in 0..<5 { #expect(gate.offer("x", from: "a", at: .seconds(1)) == .wrong) }
        #expect(gate.offer("opus 67", from: "a", at: .seconds(31)) == .waiting(seconds: 31))
        #expect(gate.offer("opus 67", from: "b", at: .seconds(31)) == .opened)
        #expect(gate.offer("x", from: "a", at: .seconds(61)) == .wrong)
        #expect(gate.offer("opus 67", from: "a", at: .seconds(61)) == .opened)
    }

    @Test func leasesEndAndAreRenewed() {
        var leases = LeaseTable(most: 2)
        func peer(_ port: Int) -> OSCPeer { OSCPeer(address: "127.0.0.1", port: port, transport: .udp) }
        func subscribe(_ port: Int, _ seconds: Double?, at now: Double) -> Bool {
            leases.subscribe(peer(port), seconds: seconds, at: .seconds(now))
        }
        func holders(at now: Double) -> [Int] { leases.holders(at: .seconds(now)).map(\.port).sorted() }
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
        var rates = SenderRates(messagesPerSecond: 10, burst: 20, most: 2)
        for _ in 0..<20 { #expect(rates.take(from: "a", at: .zero) == .goesOn) }
        #expect(rates.take(from: "a", at: .zero) == .tooFast(isFirst: true))
        #expect(rates.take(from: "a", at: .zero) == .tooFast(isFirst: false))
        #expect(rates.take(from: "b", at: .zero) == .goesOn)
        #expect(rates.take(from: "a", at: .milliseconds(100)) == .goesOn)
        #expect(rates.take(from: "a", at: .milliseconds(100)) == .tooFast(isFirst: true))
        // A clock that falls gives nothing away.
        #expect(rates.take(from: "a", at: .zero) == .tooFast(isFirst: false))
    }
}
