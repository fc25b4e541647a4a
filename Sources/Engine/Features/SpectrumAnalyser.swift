import Basics
import RealModule

/// Collects samples and computes two power spectra for each hop, which is the time from one frame to the next.
///
/// Both windows end at the hop's newest sample, for the live music as for the references, so that their lags are equal
/// and cancel in an alignment. Belongs to one thread; after `init` no allocation, no lock. Cost: two FFTs a hop.
public final class SpectrumAnalyser {
    public let parameters: FeatureParameters
    public let sampleRate: SampleRate
    let longBlockLength: Int
    let shortBlockLength: Int
    /// Power of the long window's bins; valid until the next hop.
    let longPowerSpectrum: UnsafeMutablePointer<Float>
    /// Power of the short window's bins; valid until the next hop.
    let shortPowerSpectrum: UnsafeMutablePointer<Float>

    private let longTransform: any SpectrumTransform
    private let shortTransform: any SpectrumTransform
    private let longWindow: [Float]
    private let shortWindow: [Float]
    /// The newest samples, each written twice so that every window is contiguous in memory.
    private let sampleHistory: UnsafeMutablePointer<Float>
    private var historyEnd = 0
    private var sampleCount = 0
    private var frameCount = 0
    private var hopPeak: Float = 0
    private var hopEnergy: Float = 0
    private var hopZeroSampleCount = 0
    private var hopStartSample = 0

    public init(parameters: FeatureParameters, sampleRate: SampleRate, transforms: any SpectrumTransformMaker)
    {
        self.parameters = parameters
        self.sampleRate = sampleRate
        longBlockLength = Self.blockLength(seconds: parameters.longWindowSeconds, rate: sampleRate)
        shortBlockLength = Self.blockLength(seconds: parameters.shortWindowSeconds, rate: sampleRate)
        longTransform = transforms.makeTransform(blockLength: longBlockLength)
        shortTransform = transforms.makeTransform(blockLength: shortBlockLength)
        longWindow = Self.hannWindow(longBlockLength)
        shortWindow = Self.hannWindow(shortBlockLength)
        sampleHistory = .allocate(capacity: 2 * longBlockLength)
        sampleHistory.initialize(repeating: 0, count: 2 * longBlockLength)
        longPowerSpectrum = .allocate(capacity: longBlockLength / 2 + 1)
        longPowerSpectrum.initialize(repeating: 0, count: longBlockLength / 2 + 1)
        shortPowerSpectrum = .allocate(capacity: shortBlockLength / 2 + 1)
        shortPowerSpectrum.initialize(repeating: 0, count: shortBlockLength / 2 + 1)
    }

    deinit {
        sampleHistory.deallocate()
        longPowerSpectrum.deallocate()
        shortPowerSpectrum.deallocate()
    }

    /// The largest sample that is believed: 36 dB above full scale. No real sound is larger, and a single larger value
    /// would keep the running level too high for minutes.
    public static let loudestBelievedSample: Float = 64

    /// Takes samples up to the end of the current hop.
    /// - Parameters:
    ///   - samples: one channel, full scale ±1; values that are not finite or absurdly large
    ///     count as silence.
    ///   - taken: receives the number of samples used; pass the rest in the next call.
    /// - Returns: a summary of the hop once it is complete and its spectra are computed; nil before that.
    public func addSamples(_ samples: UnsafeBufferPointer<Float>, taken: inout Int) -> AudioHopSummary? {
        let end = sampleTime(ofFrameEnd: frameCount)
        let count = min(samples.count, end - sampleCount)
        for index in 0..<count {
            var sample = samples[index]
            if !(abs(sample) <= Self.loudestBelievedSample) { sample = 0 }
            sampleHistory[historyEnd] = sample
            sampleHistory[historyEnd + longBlockLength] = sample
            historyEnd += 1
            if historyEnd == longBlockLength { historyEnd = 0 }
            hopPeak = max(hopPeak, abs(sample))
            if sample == 0 { hopZeroSampleCount += 1 }
            hopEnergy += sample * sample
        }
        taken = count
        sampleCount += count
        guard sampleCount == end else { return nil }
        computePowerSpectrum(longTransform, longWindow, longPowerSpectrum)
        computePowerSpectrum(shortTransform, shortWindow, shortPowerSpectrum)
        let length = Float(max(sampleCount - hopStartSample, 1))
        let summary = AudioHopSummary(
            frameIndex: FeatureFrameIndex(frameCount), endSample: SampleTime(sampleCount),
            peakMagnitude: hopPeak, meanSquare: hopEnergy / length,
            zeroSampleShare: Float(hopZeroSampleCount) / length)
        frameCount += 1
        hopStartSample = sampleCount
        hopPeak = 0
        hopEnergy = 0
        hopZeroSampleCount = 0
        return summary
    }

    /// The number of samples in the long window.
    package var longWindowLength: Double { Double(longBlockLength) }

    /// Copies the powers of the long window's bins from the newest hop, up to a frequency. Allocates; not for the lanes.
    package func longSpectrum(upTo hertz: Double) -> [Float] {
        let count = min(Int(hertz * Double(longBlockLength) / sampleRate.hertz), longBlockLength / 2) + 1
        return Array(UnsafeBufferPointer(start: longPowerSpectrum, count: count))
    }

    /// Returns the sample count at which a frame ends. If a hop is not a whole number of samples, the rounding is
    /// spread evenly.
    private func sampleTime(ofFrameEnd frame: Int) -> Int {
        Int((Double(frame + 1) * sampleRate.hertz / Double(parameters.framesPerSecond)).rounded())
    }

    private func computePowerSpectrum(
        _ transform: any SpectrumTransform, _ window: [Float], _ power: UnsafeMutablePointer<Float>
    ) {
        let length = transform.blockLength
        let source = sampleHistory + (historyEnd + longBlockLength - length)
        let input = transform.input
        window.withUnsafeBufferPointer { window in
            for index in 0..<length { input[index] = source[index] * window[index] }
        }
        transform.transform(into: power)
    }

    private static func hannWindow(_ length: Int) -> [Float] {
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
public struct AudioHopSummary: Sendable, Hashable {
    public var frameIndex: FeatureFrameIndex
    /// The number of samples up to and including the hop's last one.
    public var endSample: SampleTime
    /// The largest magnitude among the hop's samples, full scale 1.
    public var peakMagnitude: Float
    /// The mean square of the hop's samples.
    public var meanSquare: Float
    /// The share of the hop's samples that are exactly zero, 0…1. It is 1 when a device or a cable has gone silent.
    public var zeroSampleShare: Float

    public init(
        frameIndex: FeatureFrameIndex, endSample: SampleTime, peakMagnitude: Float, meanSquare: Float,
        zeroSampleShare: Float
    ) {
        self.frameIndex = frameIndex
        self.endSample = endSample
        self.peakMagnitude = peakMagnitude
        self.meanSquare = meanSquare
        self.zeroSampleShare = zeroSampleShare
    }
}
