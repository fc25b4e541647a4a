import Podium
import Testing

@testable import Audience

@Suite struct RelayFenceTests {
    private func order(_ epoch: String, _ sequence: Int64, show: String = "2026-11-21T19:30:00Z") throws
        -> RelayMessage.Order
    {
        RelayMessage.Order(showID: show, epoch: try #require(BatonEpoch(epoch)), sequence: sequence)
    }

    @Test func newerNumbersAreNewsAndTheSameIsKnown() throws {
        var fence = RelayFence()
        #expect(fence.judge(try order("1.4", 10), of: "live") == .newer)
        #expect(fence.judge(try order("1.4", 10), of: "live") == .repeated)
        #expect(fence.judge(try order("1.4", 11), of: "live") == .newer)
        #expect(fence.judge(try order("1.4", 10), of: "live") == .older)
    }

    @Test func olderEpochIsNotBelievedWhateverItsNumber() throws {
        var fence = RelayFence()
        #expect(fence.judge(try order("2.0", 5), of: "title") == .newer)
        #expect(fence.judge(try order("1.99", 1_000), of: "title") == .older)
        #expect(fence.judge(try order("2.1", 1), of: "title") == .newer)
    }

    @Test func epochsAreComparedAsNumbers() throws {
        var fence = RelayFence()
        #expect(fence.judge(try order("1.9", 1), of: "live") == .newer)
        #expect(fence.judge(try order("1.10", 1), of: "live") == .newer)
        #expect(fence.judge(try order("1.9", 2), of: "live") == .older)
    }

    @Test func laterShowIsBelievedThoughItsEpochsBeginAnew() throws {
        var fence = RelayFence()
        #expect(fence.judge(try order("3.7", 90_000), of: "live") == .newer)
        #expect(fence.judge(try order("1.0", 0, show: "2026-11-22T19:30:00Z"), of: "live") == .newer)
        #expect(fence.judge(try order("9.9", 99_999), of: "live") == .older)
    }

    /// A title that was announced before the last hand-over is still the title.
    @Test func sectionsDoNotHoldEachOtherBack() throws {
        var fence = RelayFence()
        #expect(fence.judge(try order("1.5", 50), of: "live") == .newer)
        #expect(fence.judge(try order("1.4", 40), of: "title") == .newer)
    }

    @Test func messageIsReadAsItWasWrittenAndNotIfItWasCut() throws {
        let message = RelayMessage(order: try order("1.4", 10), json: Array(#"{"measure":7}"#.utf8))
        #expect(RelayMessage(message.payload) == message)
        for end in 0..<message.payload.count {
            #expect(RelayMessage(Array(message.payload[..<end])) == nil, "cut at \(end)")
        }
    }

    @Test(arguments: [
        "", "\n", "{}", "\u{FFFD}{", "show 1.0 1", "show 1 1\n{}", "show 1.0 x\n{}", "a show 1.0 1\n{}",
        "show 1.0 1\nno JSON",
    ])
    func whatIsNoMessageIsRefused(text: String) { #expect(RelayMessage(Array(text.utf8)) == nil) }
}
