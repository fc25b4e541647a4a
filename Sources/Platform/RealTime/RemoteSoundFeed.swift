import Synchronization

/// Sound that comes in bursts from another device, such as a tablet's microphone, for a capture thread.
///
/// One thread writes at a time, the capture thread reads; no locks, no allocation after `init`. The number of samples
/// tells the time. If the capture thread has put silence in the place of sound that was late, as much of what comes
/// later is left out.
public final class RemoteSoundFeed: @unchecked Sendable {
    // @unchecked: `leftOut` belongs to the writer; everything else is atomic or safe for one writer and one reader.
    private let ring: SampleRing
    private let silencedSamples = Atomic<Int>(0)
    private let reportedDelay = Atomic<Int64>(0)
    private var leftOut = 0

    /// - Parameter capacity: the number of samples that may wait for the capture thread.
    public init(capacity: Int) { ring = SampleRing(capacity: capacity) }

    /// The number of samples that came too late, so that silence was heard in their place.
    public var lateSamples: Int { silencedSamples.load(ordering: .relaxed) }

    /// The nanoseconds from the capture of a sample until it is written here, as the other device estimates them.
    public var delayNanoseconds: Int64 {
        get { reportedDelay.load(ordering: .relaxed) }
        set { reportedDelay.store(newValue, ordering: .relaxed) }
    }

    // MARK: The writer

    /// Begins with the sound of another device: none of its samples are left out for silence before it.
    public func begin() { leftOut = silencedSamples.load(ordering: .acquiring) }

    /// Appends samples; leaves out those in whose place silence was heard.
    public func write(_ samples: UnsafeBufferPointer<Float>) {
        let rest = UnsafeBufferPointer(rebasing: samples.dropFirst(samplesToLeaveOut(of: samples.count)))
        if !rest.isEmpty { ring.write(rest, capturedAt: MonotonicClock.now) }
    }

    /// Appends silence for samples that are known to be lost.
    public func writeSilence(count: Int) {
        let rest = count - samplesToLeaveOut(of: count)
        if rest > 0 { ring.writeSilence(count: rest, capturedAt: MonotonicClock.now) }
    }

    private func samplesToLeaveOut(of count: Int) -> Int {
        let number = min(count, silencedSamples.load(ordering: .acquiring) - leftOut)
        leftOut += number
        return number
    }

    // MARK: The capture thread

    /// Moves waiting samples into the buffer; never waits.
    /// - Returns: the number of samples; they are at the start of the buffer.
    public func read(into buffer: UnsafeMutableBufferPointer<Float>) -> Int { ring.read(into: buffer) }

    /// Notes that the capture thread has put silence in the place of late sound.
    public func noteSilence(count: Int) {
        silencedSamples.wrappingAdd(count, ordering: .releasing)
    }

    /// Drops what waits, because the sound of this device is not wanted now.
    public func drop(using buffer: UnsafeMutableBufferPointer<Float>) {
        while ring.read(into: buffer) > 0 {}
    }
}
