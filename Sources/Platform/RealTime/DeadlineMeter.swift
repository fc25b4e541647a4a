import Synchronization

/// Measures the duration of each hop, and counts the hops over the deadline. A hop is one turn of the measured work,
/// such as the processing of one block of audio.
///
/// Each octave of durations has sixteen buckets, so a percentile is exact to 1/16 of its value (and to the nanosecond
/// below 32 ns). The eight kilobytes are allocated once. One thread writes, any thread reads; no locks.
///
/// Source for the bucket layout: G. Tene, HdrHistogram, hdrhistogram.org.
public final class DeadlineMeter: @unchecked Sendable {
    // @unchecked: everything the pointer refers to is atomic, and initialised before the meter is shared.
    private let bucketCounts: UnsafeMutablePointer<Atomic<Int>>
    private let hopsOverLimit = Atomic<Int>(0)
    private let longestHopNanoseconds = Atomic<Int64>(0)
    private let hopLimitNanoseconds: Int64

    /// Makes an empty meter.
    /// - Parameter limit: the deadline of one hop; a longer hop is an overrun.
    public init(limit: Duration) {
        hopLimitNanoseconds = limit.wholeNanoseconds
        bucketCounts = .allocate(capacity: DurationHistogramBuckets.bucketCount)
        for index in 0..<DurationHistogramBuckets.bucketCount {
            (bucketCounts + index).initialize(to: Atomic(0))
        }
    }

    deinit {
        bucketCounts.deinitialize(count: DurationHistogramBuckets.bucketCount)
        bucketCounts.deallocate()
    }

    /// Counts one hop. A negative duration counts as zero. Cost: two to four atomic operations.
    @_noLocks
    public func recordHop(nanoseconds: Int64) {
        let length = max(0, nanoseconds)
        bucketCounts[DurationHistogramBuckets.index(of: UInt64(length))].wrappingAdd(1, ordering: .relaxed)
        if length > hopLimitNanoseconds { hopsOverLimit.wrappingAdd(1, ordering: .relaxed) }
        if length > longestHopNanoseconds.load(ordering: .relaxed) {
            longestHopNanoseconds.store(length, ordering: .relaxed)
        }
    }

    /// Counts one hop by the instants at which it began and ended.
    @_noLocks
    public func recordHop(from start: MonotonicInstant, to end: MonotonicInstant) {
        recordHop(nanoseconds: end.nanoseconds &- start.nanoseconds)
    }

    /// Returns the counts so far. Hops recorded during the call may or may not be included.
    public func readStatistics() -> DeadlineStatistics {
        let counts = (0..<DurationHistogramBuckets.bucketCount).map {
            bucketCounts[$0].load(ordering: .relaxed)
        }
        return DeadlineStatistics(
            hopCountsByBucket: counts, hopLimit: .nanoseconds(hopLimitNanoseconds),
            hopsOverLimit: hopsOverLimit.load(ordering: .relaxed),
            longestHop: .nanoseconds(longestHopNanoseconds.load(ordering: .relaxed)))
    }
}

/// The counts of a ``DeadlineMeter`` at one moment.
public struct DeadlineStatistics: Equatable, Sendable {
    public let hopCount: Int
    public let hopLimit: Duration
    /// The number of hops that took longer than the limit.
    public let hopsOverLimit: Int
    public let longestHop: Duration
    private let hopCountsByBucket: [Int]

    init(hopCountsByBucket: [Int], hopLimit: Duration, hopsOverLimit: Int, longestHop: Duration) {
        self.hopCountsByBucket = hopCountsByBucket
        self.hopLimit = hopLimit
        self.hopsOverLimit = hopsOverLimit
        self.longestHop = longestHop
        hopCount = hopCountsByBucket.reduce(0, +)
    }

    public var p50: Duration { percentile(50) }
    public var p99: Duration { percentile(99) }
    public var p999: Duration { percentile(99.9) }

    /// Returns the duration that this percentage of the hops did not exceed; at most 1/16 too long. Zero if nothing was
    /// counted.
    /// - Parameter percent: 0…100.
    public func percentile(_ percent: Double) -> Duration {
        guard hopCount > 0 else { return .zero }
        let wanted = Swift.max(1, Int((Double(hopCount) * percent / 100).rounded(.up)))
        var seen = 0
        for (index, hops) in hopCountsByBucket.enumerated() {
            seen += hops
            if seen >= wanted {
                return min(
                    longestHop, .nanoseconds(Int64(clamping: DurationHistogramBuckets.upperEdge(index))))
            }
        }
        return longestHop
    }
}

/// Maps durations to buckets of a histogram, sixteen equal steps in each octave: the four bits below the leading one
/// choose the step.
enum DurationHistogramBuckets {
    static let bucketCount = 61 * 16

    static func index(of value: UInt64) -> Int {
        guard value >= 16 else { return Int(value) }
        let octave = 63 - value.leadingZeroBitCount
        return (octave - 3) * 16 + Int(value >> UInt64(octave - 4)) & 15
    }

    /// Returns the greatest value that belongs to a bucket.
    static func upperEdge(_ index: Int) -> UInt64 {
        guard index >= 16 else { return UInt64(index) }
        let shift = UInt64(index / 16 - 1)
        return (UInt64(16 + index % 16) << shift) &+ (1 << shift) &- 1
    }
}

extension Duration {
    /// The duration in nanoseconds, at most some 292 years.
    fileprivate var wholeNanoseconds: Int64 {
        let (seconds, overflow) = components.seconds.multipliedReportingOverflow(by: 1_000_000_000)
        return overflow ? .max : seconds &+ components.attoseconds / 1_000_000_000
    }
}
