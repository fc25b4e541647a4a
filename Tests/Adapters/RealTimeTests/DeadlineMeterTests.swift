import Testing

@testable import RealTime
@testable import TestHelpers

@Suite(.ownThreads) struct DeadlineMeterTests {
    @Test func nothingCountedReadsAsZero() {
        let reading = DeadlineMeter(limit: .milliseconds(10)).reading()
        #expect(reading.count == 0)
        #expect(reading.p999 == .zero)
        #expect(reading.longest == .zero)
    }

    @Test func countsOnlyWhatIsLongerThanTheLimit() {
        let meter = DeadlineMeter(limit: .milliseconds(10))
        for milliseconds in [1, 9, 10, 11, 50] { meter.record(nanoseconds: Int64(milliseconds) * 1_000_000) }
        let reading = meter.reading()
        #expect(reading.count == 5)
        #expect(reading.overruns == 2)
        #expect(reading.longest == .milliseconds(50))
        #expect(reading.limit == .milliseconds(10))
    }

    /// One to a thousand microseconds, each once: the percentiles are known, the buckets err upwards by at
    /// most a sixteenth.
    @Test func percentilesAreExactToASixteenth() {
        let meter = DeadlineMeter(limit: .seconds(1))
        for microseconds in 1...1000 { meter.record(nanoseconds: Int64(microseconds) * 1000) }
        let reading = meter.reading()
        for (measured, truth) in [(reading.p50, 500), (reading.p99, 990), (reading.p999, 999)] {
            #expect(measured >= .microseconds(truth))
            #expect(measured <= .microseconds(truth) * 17 / 16)
        }
        #expect(reading.percentile(100) == .milliseconds(1))
        #expect(reading.percentile(0) <= .nanoseconds(1063))
    }

    @Test func bucketsTileTheWholeRangeWithoutGaps() {
        for index in 0..<HistogramBucket.bucketCount - 1 {
            let edge = HistogramBucket.upperEdge(index)
            #expect(HistogramBucket.index(of: edge) == index)
            #expect(HistogramBucket.index(of: edge + 1) == index + 1)
        }
        #expect(HistogramBucket.index(of: .max) == HistogramBucket.bucketCount - 1)
        #expect(HistogramBucket.upperEdge(HistogramBucket.bucketCount - 1) == .max)
    }

    @Test func absurdLengthsAreKept() {
        let meter = DeadlineMeter(limit: .seconds(Int64.max))
        meter.record(nanoseconds: -1)
        meter.record(nanoseconds: .max)
        meter.record(from: MonotonicInstant(nanoseconds: 5), to: MonotonicInstant(nanoseconds: 3))
        #expect(meter.reading().count == 3)
        #expect(meter.reading().overruns == 0)
        #expect(meter.reading().longest == .nanoseconds(Int64.max))
    }

    @Test func isReadWhileAnotherThreadRecords() throws {
        let meter = DeadlineMeter(limit: .zero)
        let recorder = try RealTimeThread(name: "recorder", priority: nil) { _ in
            for length in 1...10_000 { meter.record(nanoseconds: Int64(length)) }
        }
        for _ in 0..<100 {
            let reading = meter.reading()
            #expect(reading.p50 <= reading.p99)
        }
        recorder.stop()
        #expect(meter.reading().count == 10_000)
        #expect(meter.reading().overruns == 10_000)
    }
}
