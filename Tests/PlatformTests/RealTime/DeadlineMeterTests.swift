import Testing

@testable import Platform
@testable import TestHelpers

@Suite(.ownThreads) struct DeadlineMeterTests {
    @Test func nothingCountedReadsAsZero() {
        let reading = DeadlineMeter(limit: .milliseconds(10)).readStatistics()
        #expect(reading.hopCount == 0)
        #expect(reading.p999 == .zero)
        #expect(reading.longestHop == .zero)
    }

    @Test func countsOnlyWhatIsLongerThanTheLimit() {
        let meter = DeadlineMeter(limit: .milliseconds(10))
        for milliseconds in [1, 9, 10, 11, 50] {
            meter.recordHop(nanoseconds: Int64(milliseconds) * 1_000_000)
        }
        let reading = meter.readStatistics()
        #expect(reading.hopCount == 5)
        #expect(reading.hopsOverLimit == 2)
        #expect(reading.longestHop == .milliseconds(50))
        #expect(reading.hopLimit == .milliseconds(10))
    }

    /// One to a thousand microseconds, each once: the percentiles are known, the buckets err upwards by at
    /// most a sixteenth.
    @Test func percentilesAreExactToASixteenth() {
        let meter = DeadlineMeter(limit: .seconds(1))
        for microseconds in 1...1000 { meter.recordHop(nanoseconds: Int64(microseconds) * 1000) }
        let reading = meter.readStatistics()
        for (measured, truth) in [(reading.p50, 500), (reading.p99, 990), (reading.p999, 999)] {
            #expect(measured >= .microseconds(truth))
            #expect(measured <= .microseconds(truth) * 17 / 16)
        }
        #expect(reading.percentile(100) == .milliseconds(1))
        #expect(reading.percentile(0) <= .nanoseconds(1063))
    }

    @Test func bucketsTileTheWholeRangeWithoutGaps() {
        for index in 0..<DurationHistogramBuckets.bucketCount - 1 {
            let edge = DurationHistogramBuckets.upperEdge(index)
            #expect(DurationHistogramBuckets.index(of: edge) == index)
            #expect(DurationHistogramBuckets.index(of: edge + 1) == index + 1)
        }
        #expect(DurationHistogramBuckets.index(of: .max) == DurationHistogramBuckets.bucketCount - 1)
        #expect(DurationHistogramBuckets.upperEdge(DurationHistogramBuckets.bucketCount - 1) == .max)
    }

    @Test func absurdLengthsAreKept() {
        let meter = DeadlineMeter(limit: .seconds(Int64.max))
        meter.recordHop(nanoseconds: -1)
        meter.recordHop(nanoseconds: .max)
        meter.recordHop(from: MonotonicInstant(nanoseconds: 5), to: MonotonicInstant(nanoseconds: 3))
        #expect(meter.readStatistics().hopCount == 3)
        #expect(meter.readStatistics().hopsOverLimit == 0)
        #expect(meter.readStatistics().longestHop == .nanoseconds(Int64.max))
    }

    @Test func isReadWhileAnotherThreadRecords() throws {
        let meter = DeadlineMeter(limit: .zero)
        let recorder = try RealTimeThread(name: "recorder", priority: nil) { _ in
            for length in 1...10_000 { meter.recordHop(nanoseconds: Int64(length)) }
        }
        for _ in 0..<100 {
            let reading = meter.readStatistics()
            #expect(reading.p50 <= reading.p99)
        }
        recorder.stop()
        #expect(meter.readStatistics().hopCount == 10_000)
        #expect(meter.readStatistics().hopsOverLimit == 10_000)
    }
}
