import Basics
import Concert
import Testing

@Suite struct PacketInspectorTests {
    private let welcome = try! PushMessage(title: "Welcome", body: "Enjoy.", style: .auto)

    /// Hears these counts 200 ms apart, each as its own measure; `nil` is a message.
    private func hear(_ counts: [UInt64?], with inspector: inout PacketInspector) throws -> [PacketVerdict] {
        var now = Duration.zero
        return try counts.map { count in
            now += .milliseconds(200)
            let bytes = try count.map { try packet(Int($0 % 1_000), count: $0).bytes } ?? welcome.bytes
            return inspector.receive(bytes, at: now)
        }
    }

    @Test func aCleanStreamHasNothingToReport() throws {
        var inspector = PacketInspector()
        _ = try hear((568...600).map { $0 }, with: &inspector)
        #expect(inspector.shownPacket == (try packet(600, count: 600)))
        #expect(inspector.tally.arrivedPackets == 33)
        #expect(inspector.tally.lost == 0)
        #expect(inspector.longestGap == .milliseconds(200))
        #expect(abs(inspector.packetsPerSecond(at: .seconds(7)) - 5) < 1e-9)
        #expect(inspector.newestPacketAge(at: .seconds(7)) == .milliseconds(400))
    }

    @Test func messagesTakeCountsAndAreNotLost() throws {
        var inspector = PacketInspector()
        let verdicts = try hear([1, 2, nil, 4, 5, nil, 7, nil], with: &inspector)
        #expect(inspector.tally.lost == 0)
        #expect(inspector.tally.messages == 3)
        #expect(verdicts[2] == .message(welcome, isNew: true))
        #expect(verdicts[5] == .message(welcome, isNew: false))
        #expect(inspector.repeatedMessage == welcome)
    }

    @Test func aMissedPacketIsCounted() throws {
        var inspector = PacketInspector()
        _ = try hear([1, 2, 5, nil, 7, 100], with: &inspector)
        #expect(inspector.tally.lost == 2 + 92)
    }

    @Test func anOvertakenPacketIsDroppedAndNoLongerLost() throws {
        var inspector = PacketInspector()
        let verdicts = try hear([1, 2, 4, 3, 5], with: &inspector)
        #expect(verdicts[3] == .late(try packet(3, count: 3)))
        #expect(inspector.shownPacket?.packetCount == 5)
        #expect(inspector.tally.late == 1)
        #expect(inspector.tally.lost == 0)
    }

    @Test func aPacketHeardTwiceIsDropped() throws {
        var inspector = PacketInspector()
        let verdicts = try hear([1, 1, 2, 2, 3, 3, 1], with: &inspector)
        #expect(verdicts[1] == .duplicate(try packet(1, count: 1)))
        #expect(inspector.tally.duplicates == 4)
        #expect(inspector.tally.late == 0)
        #expect(inspector.tally.restarts == 0)
    }

    @Test func aPacketFromBeforeWeJoinedIsLateAndNothingElse() throws {
        var inspector = PacketInspector()
        _ = try hear([100, 99, 101], with: &inspector)
        #expect(inspector.tally.late == 1)
        #expect(inspector.tally.lost == 0)
    }

    @Test func aCountThatFallsFarIsANewSender() throws {
        var inspector = PacketInspector()
        let verdicts = try hear([500, 501, 1, 2, 4], with: &inspector)
        #expect(verdicts[2] == .restarted(try packet(1, count: 1)))
        #expect(inspector.tally.restarts == 1)
        #expect(inspector.tally.lost == 1)
        #expect(inspector.shownPacket?.packetCount == 4)
    }

    @Test func aSenderThatRestartsEarlyIsNoticedWithinASecond() throws {
        var inspector = PacketInspector()
        let verdicts = try hear((1...20).map { $0 } + (1...8).map { $0 }, with: &inspector)
        #expect(verdicts[24] == .restarted(try packet(5, count: 5)))
        #expect(inspector.tally.restarts == 1)
        #expect(inspector.tally.duplicates == 0)
        #expect(inspector.tally.lost == 0)
        #expect(inspector.shownPacket?.packetCount == 8)
    }

    @Test func stragglersAreNoNewSender() throws {
        var inspector = PacketInspector()
        _ = try hear([1, 10, 2, 3, 11, 4, 5, 12, 6, 7, 8, 9, 13], with: &inspector)
        #expect(inspector.tally.restarts == 0)
        #expect(inspector.tally.late == 8)
        #expect(inspector.tally.lost == 0)
    }

    @Test func aSilenceIsMeasured() throws {
        var inspector = PacketInspector(allowedGap: .milliseconds(500))
        for (count, at) in [(1, 0), (2, 500), (3, 1_001), (4, 3_000)] {
            _ = inspector.receive(try packet(1, count: UInt64(count)).bytes, at: .milliseconds(at))
        }
        #expect(inspector.longestGap == .milliseconds(1_999))
        #expect(inspector.tally.longGaps == 2)
    }

    @Test func theRateForgetsWhatIsLongAgo() throws {
        var inspector = PacketInspector()
        _ = try hear([1, 2, 3], with: &inspector)
        #expect(inspector.packetsPerSecond(at: .seconds(5)) > 4.9)
        #expect(inspector.packetsPerSecond(at: .seconds(6)) == 0)
    }

    @Test func aMessageUnheardForLongIsOver() throws {
        var inspector = PacketInspector()
        _ = try hear([1, nil] + (3...33).map { $0 }, with: &inspector)
        #expect(inspector.repeatedMessage == nil)
    }

    @Test func whatIsNotAPacketIsCountedAndShownToNobody() throws {
        var inspector = PacketInspector()
        let error = ExplainedError("The packet has no '; ' between a piece name and a measure.")
        #expect(inspector.receive(bytes("hello"), at: .zero) == .malformed(error))
        #expect(inspector.tally.malformed == 1)
        #expect(inspector.shownPacket == nil)
        #expect(inspector.newestPacketAge(at: .zero) == nil)
    }

    @Test func noOrderOfCountsEndsIt() throws {
        var generator = SeededRandomGenerator(seed: 11)
        var inspector = PacketInspector()
        for _ in 0..<50_000 {
            let width = UInt64.random(in: 0...63, using: &generator)
            let count = UInt64.random(in: .min ... .max, using: &generator) >> width
            let arrival = Duration.milliseconds(Int.random(in: 0...100_000, using: &generator))
            let bytes = Bool.random(using: &generator) ? try packet(1, count: count).bytes : welcome.bytes
            _ = inspector.receive(bytes, at: arrival)
        }
        #expect(inspector.tally.arrivedPackets == 50_000)
    }
}
