import MusicalTime
import RealModule

/// Collects samples and computes two power spectra for each hop, which is the time from one frame to the next.
///
/// Both windows end at the hop's newest sample, for the live music as for the references, so that their lags are equal
/// and cancel in an alignment. Belongs to one thread; after `init` no allocation, no lock. Cost: two FFTs a hop.
public final class SpectrumAnalyser {
    public let parameters: FeatureParameters
    public let rate: SampleRate
    let longBlock: Int
    let shortBlock: Int
    /// Power of the long window's bins; valid until the next hop.
    let longPower: UnsafeMutablePointer<Float>
    /// Power of the short window's bins; valid until the next hop.
    let shortPower: UnsafeMutablePointer<Float>

    private let longTransform: any SpectrumTransform
    private let shortTransform: any SpectrumTransform
    private let longWindow: [Float]
    private let shortWindow: [Float]
    /// The newest samples, each written twice so that every window is contiguous in memory.
    private let history: UnsafeMutablePointer<Float>
    private var historyEnd = 0
    private var sampleCount = 0
    private var frameCount = 0
    private var peak: Float = 0
    private var energy: Float = 0
    private var zeros = 0
    private var hopStart = 0

    public init(parameters: FeatureParameters, rate: SampleRate, transforms: any SpectrumTransformMaker) {
        self.parameters = parameters
        self.rate = rate
        longBlock = Self.blockLength(seconds: parameters.longWindowSeconds, rate: rate)
        shortBlock = Self.blockLength(seconds: parameters.shortWindowSeconds, rate: rate)
        longTransform = transforms.makeTransform(blockLength: longBlock)
        shortTransform = transforms.makeTransform(blockLength: shortBlock)
        longWindow = Self.hann(longBlock)
        shortWindow = Self.hann(shortBlock)
        history = .allocate(capacity: 2 * longBlock)
        history.initialize(repeating: 0, count: 2 * longBlock)
        longPower = .allocate(capacity: longBlock / 2 + 1)
        longPower.initialize(repeating: 0, count: longBlock / 2 + 1)
        shortPower = .allocate(capacity: shortBlock / 2 + 1)
        shortPower.initialize(repeating: 0, count: shortBlock / 2 + 1)
    }

    deinit {
        history.deallocate()
        longPower.deallocate()
        shortPower.deallocate()
    }

    /// The largest sample that is believed: 36 dB above full scale. No real sound is larger, and a single larger value
    /// would keep the running level too high for minutes.
    private static let loudestSample: Float = 64

    /// Takes samples up to the end of the current hop.
    /// - Parameters:
    ///   - samples: one channel, full scale ±1; values that are not finite or absurdly large
    ///     count as silence.
    ///   - taken: receives the number of samples used; pass the rest in the next call.
    /// - Returns: a summary of the hop once it is complete and its spectra are computed; nil before that.
    public func addSamples(_ samples: UnsafeBufferPointer<Float>, taken: inout Int) -> HopSummary? {
        let end = sampleTime(ofFrameEnd: frameCount)
        let count = min(samples.count, end - sampleCount)
        for index in 0..<count {
            var sample = samples[index]
            if !(abs(sample) <= Self.loudestSample) { sample = 0 }
            history[historyEnd] = sample
            history[historyEnd + longBlock] = sample
            historyEnd += 1
            if historyEnd == longBlock { historyEnd = 0 }
            peak = max(peak, abs(sample))
            if sample == 0 { zeros += 1 }
            energy += sample * sample
        }
        taken = count
        sampleCount += count
        guard sampleCount == end else { return nil }
        transform(longTransform, longWindow, longPower)
        transform(shortTransform, shortWindow, shortPower)
        let length = Float(max(sampleCount - hopStart, 1))
        let summary = HopSummary(
            frame: FrameIndex(frameCount), end: SampleTime(sampleCount), peak: peak, power: energy / length,
            zeroShare: Float(zeros) / length)
        frameCount += 1
        hopStart = sampleCount
        peak = 0
        energy = 0
        zeros = 0
        return summary
    }

    /// Returns the sample count at which a frame ends. If a hop is not a whole number of samples, the rounding is
    /// spread evenly.
    private func sampleTime(ofFrameEnd frame: Int) -> Int {
        Int((Double(frame + 1) * rate.hertz / Double(parameters.framesPerSecond)).rounded())
    }

    private func transform(
        _ transform: any SpectrumTransform, _ window: [Float], _ power: UnsafeMutablePointer<Float>
    ) {
        let length = transform.blockLength
        let source = history + (historyEnd + longBlock - length)
        let input = transform.input
        window.withUnsafeBufferPointer { window in
            for index in 0..<length { input[index] = source[index] * window[index] }
        }
        transform.transform(into: power)
    }

    private static func hann(_ length: Int) -> [Float] {
        (0..<length).map { Float(0.5 - 0.5 * Double.cos(2 * .pi * (Double($0) + 0.5) / Double(length))) }
    }

    /// Returns the block length nearest to the requested one that is even and has no prime factor above 5, because FFTs
    /// of such lengths are fast.
    private static func blockLength(seconds: Double, rate: SampleRate) -> Int {
        let wished = max(Int((seconds * rate.hertz).rounded()), 16)
        func isQuick(_ length: Int) -> Bool {
            var rest = length
            for prime in [2, 3, 5] { while rest % prime == 0 { rest /= prime } }
            return rest == 1 && length % 2 == 0
        }
        var distance = 0
        while true {
            if isQuick(wished - distance) { return wished - distance }
            if isQuick(wished + distance) { return wished + distance }
            distance += 1
        }
    }
}

/// The level and the end of one hop of samples. The hop's feature frame is built separately.
public struct HopSummary: Sendable, Hashable {
    public var frame: FrameIndex
    /// The number of samples up to and including the hop's last one.
    public var end: SampleTime
    /// The largest magnitude among the hop's samples, full scale 1.
    public var peak: Float
    /// The mean square of the hop's samples.
    public var power: Float
    /// The share of the hop's samples that are exactly zero, 0…1. It is 1 when a device or a cable has gone silent.
    public var zeroShare: Float

    public init(frame: FrameIndex, end: SampleTime, peak: Float, power: Float, zeroShare: Float) {
        self.frame = frame
        self.end = end
        self.peak = peak
        self.power = power
        self.zeroShare = zeroShare
    }
}
