import Testing

@testable import Audience
@testable import Hosting

@Suite struct RelayFenceTests {
    private func live(_ epoch: String, _ sequence: Int, show: String? = "2026-11-21T19:30:00Z") -> [UInt8] {
        let show = show.map { #""show":"\#($0)","# } ?? ""
        return Array(#"{\#(show)"epoch":"\#(epoch)","sequence":\#(sequence),"measure":7}"#.utf8)
    }

    @Test func newerNumbersAreNewsAndTheSameIsKnown() {
        var fence = RelayMessageFilter()
        #expect(fence.classifyMessage(live("1.4", 10)) == .newer)
        #expect(fence.classifyMessage(live("1.4", 10)) == .repeated)
        #expect(fence.classifyMessage(live("1.4", 11)) == .newer)
        #expect(fence.classifyMessage(live("1.4", 10)) == .older)
    }

    @Test func olderEpochIsNotBelievedWhateverItsNumber() {
        var fence = RelayMessageFilter()
        #expect(fence.classifyMessage(live("2.0", 5)) == .newer)
        #expect(fence.classifyMessage(live("1.99", 1_000)) == .older)
        #expect(fence.classifyMessage(live("2.1", 1)) == .newer)
    }

    @Test func epochsAreComparedAsNumbers() {
        var fence = RelayMessageFilter()
        #expect(fence.classifyMessage(live("1.9", 1)) == .newer)
        #expect(fence.classifyMessage(live("1.10", 1)) == .newer)
        #expect(fence.classifyMessage(live("1.9", 2)) == .older)
    }

    @Test func laterShowIsBelievedThoughItsEpochsBeginAnew() {
        var fence = RelayMessageFilter()
        #expect(fence.classifyMessage(live("3.7", 90_000)) == .newer)
        #expect(fence.classifyMessage(live("1.0", 0, show: "2026-11-22T19:30:00Z")) == .newer)
        #expect(fence.classifyMessage(live("9.9", 99_999)) == .older)
    }

    @Test(arguments: [
        "", "null", "{}", "[]", #"{"epoch":"x","sequence":1}"#, #"{"epoch":"1.0"}"#, "\u{FFFD}{",
    ])
    func whatIsNoPositionChangesNothing(text: String) {
        var fence = RelayMessageFilter()
        #expect(fence.classifyMessage(live("1.0", 1)) == .newer)
        #expect(fence.classifyMessage(Array(text.utf8)) == .unreadable)
        #expect(fence.newest?.sequence == 1)
    }
}
