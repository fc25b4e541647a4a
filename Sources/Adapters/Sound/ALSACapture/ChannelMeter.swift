import Synchronization

/// The level of each channel of a device, to find out on which input the microphone is. The capture thread writes; any
/// thread may read without a lock.
public final class ChannelMeter: Sendable {
    /// Of a device with more channels, only the first of them are measured.
    public static let mostChannels = 64

    // Floats stored as their bit patterns.
    private let peaks: InlineArray<64, Atomic<UInt32>> = .init { _ in Atomic(0) }
    private let channelCount = Atomic<Int>(0)

    init() {}

    /// The held peak of each channel, linear: 1 is full scale. It falls by 20 dB a second.
    public func readPeaks() -> [Float] {
        (0..<channelCount.load(ordering: .relaxed)).map {
            Float(bitPattern: peaks[$0].load(ordering: .relaxed))
        }
    }

    func begin(channelCount count: Int) {
        for index in peaks.indices { peaks[index].store(0, ordering: .relaxed) }
        channelCount.store(min(count, Self.mostChannels), ordering: .relaxed)
    }

    /// Takes the peaks of one period and sets them to 0 for the next. Called on the capture thread.
    func measure(_ newest: UnsafeMutableBufferPointer<Float>, seconds: Float) {
        // 1 - ln(10)·t approximates a fall of 20 dB a second for short times; never below 0.
        let share = max(0, 1 - 2.3026 * seconds)
        for index in 0..<min(newest.count, Self.mostChannels) {
            let held = Float(bitPattern: peaks[index].load(ordering: .relaxed)) * share
            peaks[index].store(max(newest[index], held).bitPattern, ordering: .relaxed)
            newest[index] = 0
        }
    }
}
