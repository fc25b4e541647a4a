import Basics
import Synchronization

/// Measures the input level once a period. The capture thread writes the values; any thread may read them without a
/// lock.
public final class LevelMeter: Sendable {
    /// One reading of the input level. Levels are linear: 1 is full scale.
    public struct Reading: Equatable, Sendable {
        /// The greatest absolute sample of the newest period.
        public var peak: Float
        public var rms: Float
        /// The peak level for a display: it jumps to each higher peak and then falls by 20 dB a second, so that a slow
        /// display misses no peak.
        public var heldPeak: Float
        /// Number of samples at full scale since the start.
        public var clippedSamples: Int
        /// Seconds for which the input has stayed below -90 dBFS.
        public var silentFor: Seconds
    }

    private static let fullScale: Float = 32_767.0 / 32_768
    private static let silenceThreshold: Float = 3.1623e-5

    // Floats stored as their bit patterns. Each value is valid by itself; two values may come from neighbouring
    // periods.
    private let peak = Atomic<UInt32>(0)
    private let rms = Atomic<UInt32>(0)
    private let heldPeak = Atomic<UInt32>(0)
    private let clippedSamples = Atomic<Int>(0)
    private let silentSamples = Atomic<Int>(0)
    private let sampleRateHertz = Atomic<UInt64>((48_000.0).bitPattern)

    init() {}

    public func readLevels() -> Reading {
        Reading(
            peak: Float(bitPattern: peak.load(ordering: .relaxed)),
            rms: Float(bitPattern: rms.load(ordering: .relaxed)),
            heldPeak: Float(bitPattern: heldPeak.load(ordering: .relaxed)),
            clippedSamples: clippedSamples.load(ordering: .relaxed),
            silentFor: Seconds(
                Double(silentSamples.load(ordering: .relaxed))
                    / Double(bitPattern: sampleRateHertz.load(ordering: .relaxed))))
    }

    func set(rate: SampleRate) { sampleRateHertz.store(rate.hertz.bitPattern, ordering: .relaxed) }

    /// Measures one period of samples. Called on the capture thread.
    func measure(_ samples: UnsafeBufferPointer<Float>) {
        guard !samples.isEmpty else { return }
        var greatest: Float = 0
        var squares: Float = 0
        var atFullScale = 0
        for sample in samples {
            let size = abs(sample)
            if size > greatest { greatest = size }
            if size >= Self.fullScale { atFullScale += 1 }
            squares += sample * sample
        }
        publish(
            peak: greatest, rms: (squares / Float(samples.count)).squareRoot(), count: samples.count,
            clipped: atFullScale)
    }

    /// Measures a period of silence. Called on the capture thread.
    func measureSilence(count: Int) { publish(peak: 0, rms: 0, count: count, clipped: 0) }

    private func publish(peak now: Float, rms level: Float, count: Int, clipped more: Int) {
        peak.store(now.bitPattern, ordering: .relaxed)
        rms.store(level.bitPattern, ordering: .relaxed)
        let seconds = Float(count) / Float(Double(bitPattern: sampleRateHertz.load(ordering: .relaxed)))
        // 1 - ln(10)·t approximates a fall of 20 dB a second for the short times between periods; never below 0.
        let fallen = Float(bitPattern: heldPeak.load(ordering: .relaxed)) * max(0, 1 - 2.3026 * seconds)
        heldPeak.store(max(now, fallen).bitPattern, ordering: .relaxed)
        if more > 0 { clippedSamples.wrappingAdd(more, ordering: .relaxed) }
        if now <= Self.silenceThreshold {
            silentSamples.wrappingAdd(count, ordering: .relaxed)
        } else {
            silentSamples.store(0, ordering: .relaxed)
        }
    }
}
