import Basics
import Synchronization

/// The position at which a block ended in the live audio, and the capture time of the block's last sample.
public struct BlockStamp: Equatable, Sendable, BitwiseCopyable {
    /// Number of samples from the first one up to and including this block.
    public var endSampleCount: Int
    public var capturedAt: MonotonicInstant

    public init(endSampleCount: Int, capturedAt: MonotonicInstant) {
        self.endSampleCount = endSampleCount
        self.capturedAt = capturedAt
    }

    /// The capture time of a sample, computed from this block at the given sample rate.
    public func captureInstant(of sample: SampleTime, at rate: SampleRate) -> MonotonicInstant {
        let offset = Double(sample.count - endSampleCount) / rate.hertz * 1e9
        return MonotonicInstant(nanoseconds: capturedAt.nanoseconds &+ Int64(offset))
    }
}

/// A ring buffer that carries mono samples from the capture thread to the follower's thread.
///
/// One writer thread, one reader thread, no locks, no allocation after `init`. Samples that do not fit are counted as
/// owed: as soon as there is room, the same length of silence is written instead, so that the number of samples read
/// still tells the time in the live audio.
///
/// Cost: one copy of the samples and two atomic stores a block.
public final class SampleRing: @unchecked Sendable {
    // @unchecked: `samples` between `takenSamples` and `writtenSamples` belongs to the reader, the rest to the writer;
    // the two counters transfer ownership. Only the writer uses `owedSilence`.
    private let samples: UnsafeMutablePointer<Float>
    private let indexMask: Int
    /// The numbers of samples ever written and ever read; they cannot overflow in a machine's lifetime.
    private let writtenSamples = Atomic<Int>(0)
    private let takenSamples = Atomic<Int>(0)
    private let lostSamples = Atomic<Int>(0)
    private var owedSilence = 0
    private let newestStampSlot = LatestValueSlot<BlockStamp>()

    /// Makes an empty ring.
    /// - Parameter capacity: the number of samples; rounded up to a power of two, at most 2^28.
    public init(capacity: Int) {
        precondition((1...1 << 28).contains(capacity), "a ring holds 1 to 2^28 samples, not \(capacity)")
        var size = 1
        while size < capacity { size *= 2 }
        indexMask = size - 1
        samples = .allocate(capacity: size)
        samples.initialize(repeating: 0, count: size)
    }

    deinit { samples.deallocate() }

    public var capacity: Int { indexMask + 1 }

    /// The number of samples ready to be read.
    public var availableSamples: Int {
        writtenSamples.load(ordering: .acquiring) &- takenSamples.load(ordering: .relaxed)
    }

    /// The number of samples read so far, which is the position of the next sample in the live audio.
    public var readPosition: SampleTime { SampleTime(takenSamples.load(ordering: .relaxed)) }

    /// The number of samples that did not fit and became silence.
    public var overflowedSamples: Int { lostSamples.load(ordering: .relaxed) }

    /// The end of the newest block in the live audio, and its capture time; nil before the first block. May be read on
    /// any thread.
    public var newestBlockStamp: BlockStamp? { newestStampSlot.latestValue() }

    /// Appends a block of samples without waiting. Called on the capture thread.
    /// - Parameter captured: the capture time of the block's last sample.
    /// - Returns: the number of samples of the block that fitted.
    @discardableResult
    public func write(_ block: UnsafeBufferPointer<Float>, capturedAt captured: MonotonicInstant) -> Int {
        writeOwedSilence()
        let fitted = owedSilence == 0 ? append(block.baseAddress, count: block.count) : 0
        if fitted < block.count {
            owedSilence &+= block.count &- fitted
            lostSamples.wrappingAdd(block.count &- fitted, ordering: .relaxed)
        }
        publishStamp(captured)
        return fitted
    }

    /// Appends silence for audio that is known to be missing. Silence that does not fit is appended later and does not
    /// count as overflow. Called on the capture thread; never waits.
    public func writeSilence(count: Int, capturedAt captured: MonotonicInstant) {
        owedSilence &+= max(0, count)
        writeOwedSilence()
        publishStamp(captured)
    }

    /// Moves up to `buffer.count` samples into the buffer. Called on the follower's thread; never waits.
    /// - Returns: the number of samples that were moved; they are at the start of the buffer.
    public func read(into buffer: UnsafeMutableBufferPointer<Float>) -> Int {
        let start = takenSamples.load(ordering: .relaxed)
        let count = min(buffer.count, writtenSamples.load(ordering: .acquiring) &- start)
        guard count > 0, let target = buffer.baseAddress else { return 0 }
        let first = min(count, capacity - (start & indexMask))
        target.update(from: samples + (start & indexMask), count: first)
        (target + first).update(from: samples, count: count - first)
        takenSamples.store(start &+ count, ordering: .releasing)
        return count
    }

    private func writeOwedSilence() {
        if owedSilence > 0 { owedSilence &-= append(nil, count: owedSilence) }
    }

    /// Appends samples to the ring; if `source` is nil, silence.
    private func append(_ source: UnsafePointer<Float>?, count wanted: Int) -> Int {
        let end = writtenSamples.load(ordering: .relaxed)
        let count = min(wanted, capacity - (end &- takenSamples.load(ordering: .acquiring)))
        guard count > 0 else { return 0 }
        let first = min(count, capacity - (end & indexMask))
        if let source {
            (samples + (end & indexMask)).update(from: source, count: first)
            samples.update(from: source + first, count: count - first)
        } else {
            (samples + (end & indexMask)).update(repeating: 0, count: first)
            samples.update(repeating: 0, count: count - first)
        }
        writtenSamples.store(end &+ count, ordering: .releasing)
        return count
    }

    private func publishStamp(_ captured: MonotonicInstant) {
        newestStampSlot.deliver(
            BlockStamp(
                endSampleCount: writtenSamples.load(ordering: .relaxed) &+ owedSilence, capturedAt: captured))
    }
}
