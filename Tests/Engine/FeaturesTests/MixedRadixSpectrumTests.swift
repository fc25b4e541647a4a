import Features
import Foundation
import Sound
import Testing

/// The transform of the engine in pages, against the definition.
@Suite struct MixedRadixSpectrumTests {
    /// Powers by the definition of the transform, in O(n²).
    private func slowPowers(_ block: [Float]) -> [Double] {
        let count = block.count
        return (0...count / 2).map { bin in
            var (real, imaginary) = (0.0, 0.0)
            for (index, sample) in block.enumerated() {
                let angle = -2 * Double.pi * Double(bin * index % count) / Double(count)
                real += Double(sample) * cos(angle)
                imaginary += Double(sample) * sin(angle)
            }
            return real * real + imaginary * imaginary
        }
    }

    @Test(arguments: [2, 4, 6, 10, 14, 16, 30, 60, 22, 90, 98, 128, 338, 450, 512, 750, 1_024, 882])
    func powersAreThoseOfTheDefinition(length: Int) {
        var state: UInt32 = 1
        let block = (0..<length).map { _ in
            state = state &* 1_664_525 &+ 1_013_904_223
            return Float(state >> 8) / Float(1 << 23) - 1
        }
        let spectrum = MixedRadixSpectrum(blockLength: length)
        for (index, sample) in block.enumerated() { spectrum.input[index] = sample }
        var powers = [Float](repeating: 0, count: length / 2 + 1)
        powers.withUnsafeMutableBufferPointer { spectrum.transform(into: $0.baseAddress!) }
        let expected = slowPowers(block)
        let most = expected.max() ?? 1
        for (bin, power) in powers.enumerated() {
            #expect(abs(Double(power) - expected[bin]) < 2e-6 * most, "bin \(bin) of \(length)")
        }
    }

    @Test(arguments: [4_096, 8_192, 8_820, 9_408]) func blocksOfTheEngineHaveThePowersOfFFTW(length: Int) {
        let (own, other) = (MixedRadixSpectrum(blockLength: length), FFTWSpectrum(blockLength: length))
        for index in 0..<length {
            let sample = Float(sin(0.37 * Double(index)) + 0.3 * cos(1.91 * Double(index) + 0.2))
            (own.input[index], other.input[index]) = (sample, sample)
        }
        let powers = [own, other as any SpectrumTransform].map { spectrum in
            var powers = [Float](repeating: 0, count: length / 2 + 1)
            powers.withUnsafeMutableBufferPointer { spectrum.transform(into: $0.baseAddress!) }
            return powers
        }
        let most = powers[1].max() ?? 1
        for bin in powers[0].indices {
            #expect(abs(powers[0][bin] - powers[1][bin]) < 1e-5 * most, "bin \(bin) of \(length)")
        }
    }

    @Test func aSineIsOneBin() {
        let length = 8_192
        let spectrum = MixedRadixSpectrum(blockLength: length)
        for index in 0..<length {
            spectrum.input[index] = Float(cos(2 * Double.pi * 100 * Double(index) / Double(length)))
        }
        var powers = [Float](repeating: 0, count: length / 2 + 1)
        powers.withUnsafeMutableBufferPointer { spectrum.transform(into: $0.baseAddress!) }
        let height = Float(length / 2) * Float(length / 2)
        #expect(abs(powers[100] / height - 1) < 1e-5)
        #expect(powers.enumerated().allSatisfy { $0.offset == 100 || $0.element < height * 1e-9 })
    }
}
