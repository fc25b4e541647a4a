import Foundation
import Testing

@testable import DiaryFiles

/// The times at which a source may be asked.
struct RequestPaceTests {
    @Test func twoRequestsNeverBeginWithinTheInterval() {
        var pace = RequestPace(interval: .seconds(1))
        #expect(pace.decide(at: .zero) == .now)
        #expect(pace.decide(at: .milliseconds(999)) == .wait(until: .seconds(1)))
        #expect(pace.decide(at: .seconds(1)) == .now)
        #expect(pace.decide(at: .milliseconds(1_500)) == .wait(until: .seconds(2)))
    }

    @Test func aDayHoldsAsManyAsItsOperatorAllows() {
        var pace = RequestPace(interval: .seconds(1), mostInADay: 3)
        for second in 0..<3 { #expect(pace.decide(at: .seconds(second)) == .now) }
        #expect(pace.decide(at: .seconds(3)) == .dayIsFull)
        #expect(pace.decide(at: RequestPace.day) == .now)
    }

    @Test func aPauseHoldsAndHasABound() {
        var pace = RequestPace(interval: .seconds(1))
        pace.pause(for: .seconds(5), at: .zero)
        #expect(pace.decide(at: .seconds(4)) == .paused(.seconds(1)))
        #expect(pace.decide(at: .seconds(5)) == .now)
        pace.pause(for: .seconds(1_000_000), at: .seconds(6))
        #expect(pace.decide(at: .seconds(6) + RequestPace.longestPause) == .now)
    }

    @Test func retryAfterIsReadAsSecondsAndAsADate() throws {
        let now = Date(timeIntervalSince1970: 1_445_412_480)
        #expect(SourceRequests.pause("120") == .seconds(120))
        #expect(SourceRequests.pause("Wed, 21 Oct 2015 07:29:00 GMT", now: now) == .seconds(60))
        for wrong in ["-3", "soon", ""] { #expect(SourceRequests.pause(wrong) == nil, "\(wrong)") }
        #expect(SourceRequests.pause(nil) == nil)
    }
}
