import Testing

@testable import Audience
@testable import Hosting

@Suite struct RelayFenceTests {
    private func live(_ epoch: String, _ sequence: Int, show: String? = "2026-11-21T19:30:00Z") -> [UInt8] {
        let show = show.map { #""show":"\#($0)","# } ?? ""
        return Array(#"{\#(show)"epoch":"\#(epoch)","sequence":\#(sequence),"measure":7}"#.utf8)
    }

    @Test func newerNumbersAreNewsAndTheSameIsKnown() {
        var fence = RelayFence()
        #expect(fence.judge(live("1.4", 10)) == .news)
        #expect(fence.judge(live("1.4", 10)) == .known)
        #expect(fence.judge(live("1.4", 11)) == .news)
        #expect(fence.judge(live("1.4", 10)) == .older)
    }

    @Test func olderEpochIsNotBelievedWhateverItsNumber() {
        var fence = RelayFence()
        #expect(fence.judge(live("2.0", 5)) == .news)
        #expect(fence.judge(live("1.99", 1_000)) == .older)
        #expect(fence.judge(live("2.1", 1)) == .news)
    }

    @Test func epochsAreComparedAsNumbers() {
        var fence = RelayFence()
        #expect(fence.judge(live("1.9", 1)) == .news)
        #expect(fence.judge(live("1.10", 1)) == .news)
        #expect(fence.judge(live("1.9", 2)) == .older)
    }

    @Test func laterShowIsBelievedThoughItsEpochsBeginAnew() {
        var fence = RelayFence()
        #expect(fence.judge(live("3.7", 90_000)) == .news)
        #expect(fence.judge(live("1.0", 0, show: "2026-11-22T19:30:00Z")) == .news)
        #expect(fence.judge(live("9.9", 99_999)) == .older)
    }

    @Test(arguments: [
        "", "null", "{}", "[]", #"{"epoch":"x","sequence":1}"#, #"{"epoch":"1.0"}"#, "\u{FFFD}{",
    ])
    func whatIsNoPositionChangesNothing(text: String) {
        var fence = RelayFence()
        #expect(fence.judge(live("1.0", 1)) == .news)
        #expect(fence.judge(Array(text.utf8)) == .notUnderstood)
        #expect(fence.newest?.sequence == 1)
    }
}
