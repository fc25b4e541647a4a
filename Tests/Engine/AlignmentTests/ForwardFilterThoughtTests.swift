import Basics
import Testing

@testable import Alignment

@Suite struct ForwardFilterThoughtTests {
    private static let reference = Melody(noteCount: 95, seed: 21).frames()
    private static let rows = 60

    /// What is thought after each frame.
    private func thoughts(
        of live: ReferenceFeatureFrames, on reference: ReferenceFeatureFrames = reference, start: Int? = 0
    ) -> [[Float]] {
        let filter = ForwardFilter(references: [reference])
        filter.begin(at: start.map { FeatureFrameIndex($0) })
        return live.featureValues.withUnsafeBufferPointer { values in
            (0..<live.frameCount).map { frame in
                _ = filter.advance(
                    LiveFeatureFrame(featureValues: values.baseAddress! + frame * live.dimensions))
                var sums = [Float](repeating: 0, count: Self.rows)
                filter.addProbabilities(to: &sums)
                return sums
            }
        }
    }

    @Test func aThoughtIsAProbability() {
        let noise = ReferenceFeatureFrames.noise(300, seed: 5)
        for live in [Self.reference, noise, Self.reference.part(900..<1200)] {
            for thought in thoughts(of: live) {
                #expect(thought.allSatisfy { $0 >= 0 })
                // Single precision over some hundred terms.
                #expect(thought.reduce(0, +) <= 1 + 1e-4)
            }
        }
    }

    @Test(arguments: [1, 1.25])
    func theRidgeIsWhereTheMusicIs(tempo: Double) {
        let live = Melody(noteCount: 95, seed: 21).frames(tempo: tempo)
        let rowFrames = Double(Self.reference.frameCount) / Double(Self.rows)
        for (frame, thought) in thoughts(of: live).enumerated().dropFirst(100).dropLast(100) {
            let row = min(Int(Double(frame) * tempo / rowFrames), Self.rows - 1)
            let near = thought[max(row - 1, 0)...min(row + 1, Self.rows - 1)].reduce(0, +)
            #expect(near > 0.9, "frame \(frame)")
        }
    }

    @Test func aSteadyAdvanceIsNoStaircase() {
        // The mean row goes on in every half second, though a row is longer than that.
        let means = thoughts(of: Self.reference).map { thought in
            thought.enumerated().reduce(Float(0)) { $0 + Float($1.offset) * $1.element }
                / max(thought.reduce(0, +), 1e-9)
        }
        for frame in stride(from: 200, to: Self.reference.frameCount - 200, by: 25) {
            let step =
                (means[frame + 25] - means[frame]) / 25 * Float(Self.reference.frameCount) / Float(Self.rows)
            #expect(abs(step - 1) < 0.7, "frame \(frame)")
        }
    }

    @Test func aPassageThatComesTwiceIsTwoRidges() {
        let passage = Self.reference.part(0..<600)
        let between = Self.reference.part(800..<1000)
        let twice = ReferenceFeatureFrames(
            featureValues: between.featureValues + passage.featureValues + between.featureValues
                + passage.featureValues,
            dimensions: passage.dimensions,
            powerByFrame: between.powerByFrame + passage.powerByFrame + between.powerByFrame
                + passage.powerByFrame)
        let last = thoughts(of: passage.part(0..<500), on: twice, start: 200).last ?? []
        let half = Self.rows / 2
        let row = 700 * half / 800
        let first = last[(row - 1)...(row + 1)].reduce(0, +)
        let second = last[(half + row - 1)...(half + row + 1)].reduce(0, +)
        #expect(first > 0.2 && second > 0.2, "\(first) and \(second)")
        #expect(first + second > 0.8)
    }

    @Test func lookingChangesNothing() {
        let unseen = ForwardFilter(references: [Self.reference])
        let seen = ForwardFilter(references: [Self.reference])
        unseen.begin(at: FeatureFrameIndex(0))
        seen.begin(at: FeatureFrameIndex(0))
        var sums = [Float](repeating: 0, count: 7)
        Self.reference.featureValues.withUnsafeBufferPointer { values in
            for frame in 0..<400 {
                let live = LiveFeatureFrame(
                    featureValues: values.baseAddress! + frame * Self.reference.dimensions)
                #expect(unseen.advance(live) == seen.advance(live))
                seen.addProbabilities(to: &sums)
            }
        }
    }

    @Test func aReferenceShorterThanASearchFrameIsNoTrouble() {
        let short = Self.reference.part(0..<3)
        for thought in thoughts(of: short, on: short) { #expect(thought.reduce(0, +) <= 1 + 1e-4) }
        let filter = ForwardFilter(references: [short])
        var none: [Float] = []
        filter.addProbabilities(to: &none)
        #expect(none.isEmpty)
    }
}
