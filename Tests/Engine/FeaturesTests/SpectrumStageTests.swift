import Basics
import Foundation
import Testing

@testable import Features

struct SpectrumStageTests {
    private func spectrum(_ samples: [Float], rate: SampleRate = .ofTests) -> (long: [Float], short: [Float])
    {
        let listener = Listener(rate: rate)
        listener.hear(samples)
        let stage = listener.stage
        return (
            Array(UnsafeBufferPointer(start: stage.longPowerSpectrum, count: stage.longBlockLength / 2 + 1)),
            Array(UnsafeBufferPointer(start: stage.shortPowerSpectrum, count: stage.shortBlockLength / 2 + 1))
        )
    }

    @Test func silenceHasNoPower() {
        let (long, short) = spectrum(samples(silence, seconds: 0.5))
        #expect(long.allSatisfy { $0 == 0 })
        #expect(short.allSatisfy { $0 == 0 })
    }

    /// A Hann window's own spectrum ends at its second bin.
    @Test func directCurrentStaysInTheFirstTwoBins() {
        let (long, _) = spectrum([Float](repeating: 0.5, count: 11_025))
        #expect(long[0] > long[1])
        let total = long.reduce(0, +)
        // Rounding of single precision, squared and summed over some two thousand bins.
        #expect(long[2...].reduce(0, +) < total * 1e-6)
    }

    /// The spectrum of one sample is flat, as high as the window where the sample is.
    @Test func anImpulseHasAFlatSpectrum() {
        var signal = [Float](repeating: 0, count: 22_050)
        let length = Listener().stage.longBlockLength
        signal[signal.count - length / 2] = 1
        let (long, _) = spectrum(signal)
        // In the middle the window is 1.
        #expect(long.allSatisfy { abs($0 - 1) < 1e-4 })
    }

    /// A slow transform by the definition, in double precision, from the samples alone.
    @Test(arguments: [22_050.0, 44_100, 48_000])
    func aSlowTransformAgrees(hertz: Double) {
        let rate = SampleRate(hertz: hertz)
        let signal = samples(melody([57, 64, 69], each: 0.15), seconds: 0.4, rate: rate)
        let (long, short) = spectrum(signal, rate: rate)
        for power in [long, short] {
            let length = (power.count - 1) * 2
            let block = signal.suffix(length).enumerated().map { index, sample in
                Double(sample) * (0.5 - 0.5 * cos(2 * .pi * (Double(index) + 0.5) / Double(length)))
            }
            let loudest = Double(power.max() ?? 0)
            for bin in stride(from: 0, to: power.count, by: 7) {
                var (real, imaginary) = (0.0, 0.0)
                for (index, value) in block.enumerated() {
                    let angle = 2 * .pi * Double(bin) * Double(index) / Double(length)
                    real += value * cos(angle)
                    imaginary -= value * sin(angle)
                }
                let exact = real * real + imaginary * imaginary
                // Single precision keeps seven digits; the FFT loses some of one.
                #expect(abs(Double(power[bin]) - exact) < 1e-5 * loudest + 1e-9)
            }
        }
    }

    @Test(arguments: [8_000.0, 11_025, 22_050, 44_100, 48_000, 96_000])
    func aSecondHasFiftyHopsThatEndWhereTimeSays(hertz: Double) {
        let rate = SampleRate(hertz: hertz)
        let listener = Listener(rate: rate)
        listener.hear(samples(silence, seconds: 1, rate: rate), blocks: 1000)
        #expect(listener.hops.count == 50)
        for (index, hop) in listener.hops.enumerated() {
            #expect(hop.frameIndex == FeatureFrameIndex(index))
            // Half a sample where a hop is no whole number of them.
            #expect(abs(hop.endSample.seconds(at: rate) - Double(index + 1) / 50) <= 0.5 / hertz + 1e-12)
        }
    }

    @Test func aHopIsSummedUp() {
        let hop = 441
        let listener = Listener()
        listener.hear(
            [Float](repeating: 0, count: hop) + [Float](repeating: -0.5, count: hop)
                + (0..<hop).map { $0 % 3 == 0 ? 0.25 : 0 })
        #expect(listener.hops.map(\.peakMagnitude) == [0, 0.5, 0.25])
        #expect(listener.hops.map(\.zeroSampleShare) == [1, 0, 2.0 / 3])
        // Sums of equal numbers: rounding in the last digits only.
        for (hop, power) in zip(listener.hops, [0, 0.25, 0.0625 / 3] as [Float]) {
            #expect(abs(hop.meanSquare - power) < 1e-5)
        }
    }

    @Test func samplesThatAreNotFiniteCountAsSilence() {
        let clean = samples(tone(hertz(60)), seconds: 0.5)
        var dirty = clean
        var mended = clean
        for (index, value) in [(100, Float.nan), (4_000, .infinity), (4_001, -.infinity), (9_000, .nan)] {
            dirty[index] = value
            mended[index] = 0
        }
        let (heard, expected) = (Listener(), Listener())
        heard.hear(dirty)
        expected.hear(mended)
        #expect(heard.frames == expected.frames)
        #expect(heard.hops == expected.hops)
    }
}
