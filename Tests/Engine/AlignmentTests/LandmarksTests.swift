import Testing

@testable import Alignment

@Suite struct LandmarksTests {
    private static let parameters = ForwardFilterParameters()

    /// Eight bars of 50 frames, of which the second four repeat the first, and four more.
    private static let landmarks = ReferenceBars(
        bars: [1, 2, 3, 4, 1, 2, 3, 4, 5, 6, 7, 8].enumerated().map {
            ReferenceBars.Bar(
                firstFrame: $0.offset * 50, printedNumber: $0.element, opensSection: $0.offset == 4)
        })

    private func weight(_ bar: Int, from present: Int, isJumpLikely: Bool) -> Float {
        Self.landmarks.continuationWeight(
            of: bar, from: present, isJumpLikely: isJumpLikely, parameters: Self.parameters)
    }

    @Test(arguments: [(-10, 0), (0, 0), (49, 0), (50, 1), (599, 11), (9999, 11)])
    func aFrameBelongsToTheBarThatBeganLast(frame: Int, bar: Int) {
        #expect(Self.landmarks.barIndex(at: frame) == bar)
    }

    @Test func whoGoesOnOnlyLeavesThePathWhereTheScoreSaysSo() {
        // Behind the fourth bar the repeat is taken, or left out; behind its second time it may be taken again.
        #expect((0..<12).filter { weight($0, from: 3, isJumpLikely: false) > 0 } == [8])
        #expect((0..<12).filter { weight($0, from: 7, isJumpLikely: false) > 0 } == [4])
        #expect((0..<12).allSatisfy { weight($0, from: 9, isJumpLikely: false) == 0 })
    }

    @Test func whoHasStoppedGoesOnNearby() {
        #expect((0..<12).allSatisfy { weight($0, from: 10, isJumpLikely: true) > 0 })
        #expect(weight(9, from: 10, isJumpLikely: true) > weight(1, from: 10, isJumpLikely: true))
        // The first bar of a section is likelier than its neighbours.
        #expect(weight(4, from: 10, isJumpLikely: true) > weight(5, from: 10, isJumpLikely: true))
    }

    /// A melody, once more, and another one: the repeat is left out.
    @Test func aRepeatLeftOutIsFoundSoonerWhereItIsKnown() {
        let first = Melody(noteCount: 24, seed: 61).frames()
        let second = Melody(noteCount: 24, seed: 62).frames()
        let length = first.frameCount
        let reference = ReferenceFeatureFrames(
            featureValues: first.featureValues + first.featureValues + second.featureValues,
            dimensions: first.dimensions,
            powerByFrame: first.powerByFrame + first.powerByFrame + second.powerByFrame)
        func massBehindTheRepeat(_ landmarks: ReferenceBars?) -> Double {
            let search = WholeReferenceSearch(
                reference: CompactTiles(frames: reference.featureValues, dimensions: reference.dimensions),
                parameters: Self.parameters)
            if let landmarks { search.setBars(landmarks) }
            search.concentrateProbability(in: 0, tempo: 1)
            let live = first.featureValues + second.featureValues.prefix(10 * second.dimensions)
            live.withUnsafeBufferPointer { values in
                for frame in 0..<length + 10 {
                    search.updateJumpTargets(present: min(frame, length - 1))
                    _ = search.advance(values.baseAddress! + frame * first.dimensions, isDropout: false)
                }
            }
            return search.probability(around: 2 * length + 10, reachFrames: 30)
        }
        let half = length / 2
        let starts = [0, half, length, length + half, 2 * length, 2 * length + half]
        let known = ReferenceBars(
            bars: zip(starts, [1, 2, 1, 2, 3, 4]).map {
                ReferenceBars.Bar(firstFrame: $0.0, printedNumber: $0.1)
            })
        let (without, with) = (massBehindTheRepeat(nil), massBehindTheRepeat(known))
        #expect(with > 2 * without || with > 0.9)
        #expect(with > without)
    }
}
