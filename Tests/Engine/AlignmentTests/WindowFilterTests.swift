import Foundation
import Testing

@testable import Alignment

@Suite struct WindowFilterTests {
    /// Small enough for the slow implementation.
    private static var parameters: ForwardFilterParameters {
        var parameters = ForwardFilterParameters()
        parameters.tempoCount = 7
        parameters.windowFrames = 256
        parameters.noteHoldProbability = 0.003
        parameters.pauseStartProbability = 0.002
        return parameters
    }

    private func filter(_ references: [ReferenceFeatureFrames], _ parameters: ForwardFilterParameters)
        -> WindowFilter
    {
        WindowFilter(
            referenceTiles: references.map {
                CompactTiles(frames: $0.featureValues, dimensions: $0.dimensions)
            },
            parameters: parameters)
    }

    private func weighed(
        _ frames: ReferenceFeatureFrames, _ frame: Int, _ parameters: ForwardFilterParameters
    )
        -> [Float]
    {
        let dimensions = frames.dimensions
        var live = [Float](repeating: 0, count: dimensions)
        frames.featureValues.withUnsafeBufferPointer { values in
            live.withUnsafeMutableBufferPointer {
                parameters.applyWeights(
                    values.baseAddress! + frame * dimensions, dimensions: dimensions, into: $0.baseAddress!)
            }
        }
        return live
    }

    private func rests(_ parameters: ForwardFilterParameters) -> [SlowForward.Rest] {
        [
            SlowForward.Rest(
                chance: parameters.noteHoldProbability, goingOn: parameters.noteHoldContinueProbability),
            SlowForward.Rest(
                chance: parameters.pauseStartProbability, goingOn: parameters.pauseContinueProbability),
        ]
    }

    /// Dot products with all frames of a reference; they have a suite of their own.
    private func similarities(_ tiles: CompactTiles, _ live: [Float]) -> [Double] {
        var output = [Float](repeating: 0, count: tiles.tileCount * CompactTiles.width)
        output.withUnsafeMutableBufferPointer { output in
            live.withUnsafeBufferPointer {
                tiles.similarities(
                    of: $0.baseAddress!, in: 0..<tiles.tileCount, into: output.baseAddress!)
            }
        }
        return output[..<tiles.frameCount].map(Double.init)
    }

    private func slow(_ frameCount: Int, _ parameters: ForwardFilterParameters, at frame: Int) -> SlowForward
    {
        var slow = SlowForward(
            grid: TempoGrid(
                slowest: parameters.slowestTempoRatio, fastest: parameters.fastestTempoRatio,
                count: parameters.tempoCount, spread: parameters.initialTempoSpread),
            frameCount: frameCount, drift: parameters.tempoChangeProbability, rests: rests(parameters))
        for offset in -3...3 where frame + offset >= 0 { slow.resting[1][frame + offset] = 1.0 / 7 }
        return slow
    }

    /// Both implementations on the same frames; after each what the second says.
    private func compare(
        reference: ReferenceFeatureFrames, live: ReferenceFeatureFrames, parameters: ForwardFilterParameters,
        noise: Double,
        from start: Int, _ check: (WindowFilter, SlowForward, _ logLikelihood: Double) -> Void
    ) {
        let fast = filter([reference], parameters)
        fast.awaitMusic(at: start)
        var slow = slow(reference.frameCount, parameters, at: start)
        let tiles = CompactTiles(frames: reference.featureValues, dimensions: reference.dimensions)
        var logLikelihood = 0.0
        let sharpness = Double(parameters.likelihoodSharpness)
        for frame in 0..<live.frameCount {
            let values = weighed(live, frame, parameters)
            values.withUnsafeBufferPointer {
                fast.advance($0.baseAddress!, noise: Float(noise), isDropout: false)
            }
            let similarity = similarities(tiles, values)
            // A held chord sounds like the reference; a pause sounds like noise wherever it is.
            let weight = similarity.map { exp(sharpness * $0) }
            let noiseWeight = [Double](repeating: exp(sharpness * noise), count: weight.count)
            slow.advance(weight: weight, restingWeights: [weight, noiseWeight])
            logLikelihood += log(slow.likelihood)
            check(fast, slow, logLikelihood)
        }
    }

    @Test(arguments: [UInt64(1), 2, 3])
    func aSlowImplementationSaysTheSame(seed: UInt64) {
        let melody = Melody(noteCount: 7, seed: seed)
        let (reference, live) = (melody.frames(), melody.frames(tempo: seed == 2 ? 0.8 : 1.2))
        #expect(reference.frameCount < 256 && reference.frameCount % 16 != 0)
        var worst = (logLikelihood: 0.0, standing: 0.0, marginal: 0.0, mean: 0.0, spread: 0.0)
        compare(
            reference: reference, live: live.part(0..<live.frameCount - 20), parameters: Self.parameters,
            noise: 0.5, from: 3
        ) {
            fast, slow, logLikelihood in
            worst.logLikelihood = max(worst.logLikelihood, abs(fast.logLikelihood - logLikelihood))
            worst.standing = max(worst.standing, abs(fast.standstillProbability - slow.standingShare))
            let marginal = slow.marginal
            let peak = fast.mostProbableFrame
            let near = max(0, peak - 20)...min(peak + 20, reference.frameCount - 1)
            let mass = marginal[near].reduce(0, +)
            let mean = near.reduce(0) { $0 + marginal[$1] * Double($1) } / mass
            let variance = near.reduce(0) { $0 + marginal[$1] * pow(Double($1) - mean, 2) } / mass
            worst.mean = max(worst.mean, abs(fast.meanFrameNearPeak - mean))
            worst.spread = max(worst.spread, abs(fast.spreadNearPeak - variance.squareRoot()))
            for frame in stride(from: 0, to: reference.frameCount, by: 7) {
                let last = min(frame + 6, reference.frameCount - 1)
                let wanted = marginal[frame...last].reduce(0, +)
                worst.marginal = max(worst.marginal, abs(fast.probability(from: frame, to: last) - wanted))
            }
        }
        // Single precision over a hundred steps, each rounded to 6e-8 of the values it adds.
        #expect(worst.logLikelihood < 1e-3)
        #expect(worst.standing < 1e-4)
        #expect(worst.marginal < 1e-4)
        #expect(worst.mean < 1e-2 && worst.spread < 1e-2)
    }

    @Test func theWindowLosesNothingThatMatters() {
        let melody = Melody(noteCount: 28, seed: 4)
        let (reference, live) = (melody.frames(), melody.frames(tempo: 1.8))
        #expect(reference.frameCount > 400)
        var bases: Set<Int> = []
        var worst = (logLikelihood: 0.0, outside: 0.0)
        // Up to where the window reaches the reference's end.
        compare(
            reference: reference, live: live.part(0..<live.frameCount - 40), parameters: Self.parameters,
            noise: 0.5, from: 0
        ) { fast, slow, logLikelihood in
            bases.insert(fast.windowStart)
            worst.logLikelihood = max(worst.logLikelihood, abs(fast.logLikelihood - logLikelihood))
            let inside = slow.marginal[fast.windowStart..<min(fast.windowStart + 256, reference.frameCount)]
            worst.outside = max(worst.outside, 1 - inside.reduce(0, +))
        }
        #expect(worst.logLikelihood < 0.01)
        #expect(worst.outside < 1e-3)
        #expect(bases.count > 2 && bases.allSatisfy { $0 % 16 == 0 })
    }

    @Test func itWaitsWhereItIsTold() {
        let reference = Melody(noteCount: 60).frames()
        let fast = filter([reference], Self.parameters)
        for frame in [0, 5, 300, reference.frameCount - 1] {
            fast.awaitMusic(at: frame)
            #expect(
                fast.meanFrameNearPeak == Double(frame) && fast.standstillProbability == 1
                    && fast.logLikelihood == 0)
            #expect(fast.windowStart <= frame && frame < fast.windowStart + 256)
        }
    }

    @Test func aStartGoesOnAtItsTempo() {
        let melody = Melody(noteCount: 60)
        let reference = melody.frames()
        for tempo in [0.6, 1.0, 1.7] {
            let fast = filter([reference], Self.parameters)
            fast.placeMusic(at: 200, spreadFrames: 10, tempo: Float(tempo))
            let nothing = [Float](repeating: 0, count: reference.dimensions)
            for _ in 0..<50 {
                nothing.withUnsafeBufferPointer {
                    fast.advance($0.baseAddress!, noise: 0, isDropout: true)
                }
            }
            // Seven tempi are 1.36 apart, and the mean of a bell in logarithms lies above its centre.
            #expect(abs(fast.meanTempo() / tempo - 1) < 0.15)
            #expect(abs(fast.meanFrameNearPeak - 200 - 50 * tempo) < 15)
        }
    }

    @Test func throughADropoutNoMassIsLost() {
        let reference = Melody(noteCount: 60).frames()
        let fast = filter([reference], Self.parameters)
        fast.placeMusic(at: 200, spreadFrames: 5, tempo: 1)
        let nothing = [Float](repeating: 0, count: reference.dimensions)
        for _ in 0..<60 {
            nothing.withUnsafeBufferPointer { fast.advance($0.baseAddress!, noise: 0.3, isDropout: true) }
            #expect(abs(fast.probability(from: 0, to: reference.frameCount - 1) - 1) < 1e-4)
        }
        // Held as often as it moves: 0.003 a step, for five steps. A pause explains a gap worse.
        #expect(fast.standstillProbability < 0.02)
    }

    @Test func theMassOfNoFramesIsNone() {
        let reference = Melody(noteCount: 60).frames()
        let fast = filter([reference], Self.parameters)
        fast.awaitMusic(at: 0)
        #expect(fast.probability(from: 500, to: 600) == 0)
        #expect(fast.probability(from: -20, to: -1) == 0)
    }
}
