import Testing

@testable import Features

@Suite struct FrameRefinementTests {
    private static let bandCount = FeatureParameters().pitchCount
    private static let network = FrameRefinementNetwork.fitted

    /// A frame whose values come in no order.
    private static func frame(seed: UInt64) -> [Float] {
        var state = seed
        return (0..<2 * bandCount).map { _ in
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            let value = Float(state >> 40) / Float(1 << 24)
            return value < 0.7 ? 0 : value * value * 0.3
        }
    }

    private static func refined(_ frame: [Float]) -> [Float] {
        var values = frame
        values.withUnsafeMutableBufferPointer { FrameRefinement().refine($0.baseAddress!) }
        return values
    }

    /// The same in the plainest way: one product after the other.
    private static func refinedSlowly(_ frame: [Float]) -> [Float] {
        func value(_ values: [Float], _ row: Int, _ band: Int) -> Float {
            (0..<bandCount).contains(band) ? values[row * bandCount + band] : 0
        }
        var found = [Float]()
        for unit in 0..<8 {
            for band in 0..<bandCount {
                var sum: Float = 0
                for part in 0..<2 {
                    for place in 0..<25 {
                        sum +=
                            network.firstKernels[(unit * 2 + part) * 25 + place]
                            * value(frame, part, band + place - 12)
                    }
                }
                found.append(max(sum, 0))
            }
        }
        var result = [Float]()
        for part in 0..<2 {
            var values = (0..<bandCount).map { band in
                var sum = frame[part * bandCount + band]
                for unit in 0..<8 {
                    for place in 0..<13 {
                        sum +=
                            network.secondKernels[(part * 8 + unit) * 13 + place]
                            * value(found, unit, band + place - 6)
                    }
                }
                return max(sum, 0) * network.bandWeights[part * bandCount + band]
            }
            let squares = values.reduce(network.quietNorms[part] * network.quietNorms[part]) { $0 + $1 * $1 }
            for band in 0..<bandCount { values[band] /= squares.squareRoot() }
            result += values
        }
        return result
    }

    @Test(arguments: [1, 2, 3] as [UInt64]) func theFastWayIsTheSlowWay(seed: UInt64) {
        let frame = Self.frame(seed: seed)
        let (fast, slow) = (Self.refined(frame), Self.refinedSlowly(frame))
        #expect(zip(fast, slow).allSatisfy { abs($0 - $1) < 1e-5 })
        // A frame that came back as it was would prove nothing.
        #expect(zip(fast, frame).contains { abs($0 - $1) > 0.05 })
    }

    @Test func nothingIsHeardInSilence() {
        let silence = [Float](repeating: 0, count: 2 * Self.bandCount)
        #expect(Self.refined(silence) == silence)
        let nearly = Self.frame(seed: 4).map { $0 * 0.001 }
        #expect(Self.refined(nearly).allSatisfy { $0 < 0.01 })
    }

    @Test(arguments: [5, 6] as [UInt64]) func eachPartHasAtMostUnitNorm(seed: UInt64) {
        let loud = Self.refined(Self.frame(seed: seed).map { $0 * 3 })
        for part in 0..<2 {
            let values = loud[part * Self.bandCount..<(part + 1) * Self.bandCount]
            let norm = values.reduce(0) { $0 + $1 * $1 }.squareRoot()
            #expect(norm <= 1 && norm > 0.8)
            #expect(values.allSatisfy { $0 >= 0 })
        }
    }

    @Test func aFrameIsRefinedTheSameAfterAnyOther() {
        let refinement = FrameRefinement()
        var (first, other, again) = (Self.frame(seed: 7), Self.frame(seed: 8), Self.frame(seed: 7))
        for index in 0..<3 {
            switch index {
            case 0: first.withUnsafeMutableBufferPointer { refinement.refine($0.baseAddress!) }
            case 1: other.withUnsafeMutableBufferPointer { refinement.refine($0.baseAddress!) }
            default: again.withUnsafeMutableBufferPointer { refinement.refine($0.baseAddress!) }
            }
        }
        #expect(first == again && first != other)
    }

    @Test func aBuilderOfRefinedFramesRefinesThoseOfBands() {
        let tune = melody([60, 64, 67])
        let bands = frames(tune, seconds: 1)
        let refined = frames(tune, seconds: 1, features: .refined)
        #expect(bands.count == refined.count && bands.count > 20)
        #expect(zip(bands, refined).allSatisfy { Self.refined($0) == $1 })
    }
}
