import Platform
import Testing

@testable import TestHelpers

@Suite(.ownThreads) struct MailboxTests {
    @Test func isEmptyBeforeTheFirstDelivery() {
        #expect(LatestValueSlot<Int>().latestValue() == nil)
    }

    @Test func holdsTheNewestValueUntilTheNext() {
        let box = LatestValueSlot<Double>()
        for value in [1.5, -2, .infinity] {
            box.deliver(value)
            #expect(box.latestValue() == value)
            #expect(box.latestValue() == value)
        }
        #expect(box.deliveryCount == 3)
    }

    @Test func valuesOfAnySizeSurvive() {
        let byte = LatestValueSlot<UInt8>()
        byte.deliver(0xA5)
        #expect(byte.latestValue() == 0xA5)

        let odd = LatestValueSlot<Odd>()
        odd.deliver(Odd(wide: -1, narrow: 7, last: 9))
        #expect(odd.latestValue() == Odd(wide: -1, narrow: 7, last: 9))

        let optional = LatestValueSlot<Int64?>()
        optional.deliver(nil)
        #expect(optional.latestValue() == .some(nil))

        let nothing = LatestValueSlot<Nothing>()
        nothing.deliver(Nothing())
        #expect(nothing.latestValue() != nil)
    }

    /// Every word of a value is the same number, so a mixture of two deliveries would show.
    @Test func readersNeverSeeAMixture() throws {
        let box = LatestValueSlot<Row>()
        let writer = try RealTimeThread(name: "writer", priority: nil) { stop in
            var number: UInt64 = 0
            while !stop.isMade {
                number &+= 1
                box.deliver(Row(number))
            }
        }
        let second = try RealTimeThread(name: "second reader", priority: nil) { stop in
            while !stop.isMade { _ = box.latestValue() }
        }
        var newest: UInt64 = 0
        var mixtures = 0
        var steppedBack = 0
        var looks = 0
        // The writer may begin late.
        while looks < 100_000 || newest == 0 {
            looks += 1
            guard let row = box.latestValue() else { continue }
            if !row.isWhole { mixtures += 1 }
            if row.a < newest { steppedBack += 1 }
            newest = row.a
        }
        writer.stop()
        second.stop()
        #expect(mixtures == 0)
        #expect(steppedBack == 0)
        #expect(newest > 0)
    }
}

private struct Odd: BitwiseCopyable, Equatable {
    var wide: Int64
    var narrow: UInt16
    var last: UInt8
}

private struct Nothing: BitwiseCopyable {}

private struct Row: BitwiseCopyable {
    var a, b, c, d, e, f, g, h, i: UInt64

    init(_ n: UInt64) { (a, b, c, d, e, f, g, h, i) = (n, n, n, n, n, n, n, n, n) }

    var isWhole: Bool { [b, c, d, e, f, g, h, i].allSatisfy { $0 == a } }
}
