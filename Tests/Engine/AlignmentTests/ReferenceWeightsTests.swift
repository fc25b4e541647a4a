import Testing

@testable import Alignment

@Suite struct ReferenceWeightsTests {
    /// The weights after some frames in which each reference fitted equally well all the time.
    private func weights(_ similarities: [Float], recordings: Int? = nil, frames: Int)
        -> ReferenceRecordingWeights
    {
        let weights = ReferenceRecordingWeights(
            roomNumbers: similarities.indices.map { $0 < recordings ?? similarities.count ? 0 : 1 },
            parameters: ForwardFilterParameters())
        for _ in 0..<frames {
            for (reference, similarity) in similarities.enumerated() {
                weights.addSimilarity(similarity, of: reference)
            }
            weights.computeWeights()
        }
        return weights
    }

    @Test func allReferencesCountAlikeAtFirst() {
        let weights = ReferenceRecordingWeights(
            roomNumbers: [0, 0, 0, 0], parameters: ForwardFilterParameters())
        #expect((0..<4).allSatisfy { weights[$0] == 0.25 })
    }

    @Test(arguments: [1, 50, 5000]) func theWeightsSumToOne(frames: Int) {
        let weights = weights([0.61, 0.62, 0.58, 0.6], frames: frames)
        #expect(abs((0..<4).reduce(0) { $0 + weights[$1] } - 1) < 1e-5)
    }

    @Test func theReferenceThatFitsBestSoonCountsAlone() {
        let weights = weights([0.5, 0.56, 0.52], frames: 500)
        #expect(weights[1] > 0.99 && weights[0] == 0 && weights[2] == 0)
    }

    @Test func copiesInRoomsDoNotCountAtFirst() {
        let weights = ReferenceRecordingWeights(
            roomNumbers: [0, 0, 1, 1, 1, 1, 1, 1], parameters: ForwardFilterParameters())
        #expect((0..<8).map { weights[$0] } == [0.5, 0.5, 0, 0, 0, 0, 0, 0])
    }

    @Test func copiesInRoomsHaveSixTenthsUntilTheFitsAreFollowed() {
        let weights = weights([0.5, 0.5, 0.1, 0.1, 0.1], recordings: 2, frames: 0)
        weights.fixBeforeStart(expecting: nil)
        func hear() {
            for reference in 0..<5 { weights.addSimilarity(reference == 0 ? 0.6 : 0.3, of: reference) }
            weights.computeWeights()
        }
        for _ in 0..<200 { hear() }
        let expected: [Float] = [0.2, 0.2, 0.2, 0.2, 0.2]
        #expect((0..<5).allSatisfy { abs(weights[$0] - expected[$0]) < 1e-6 })
        weights.followFits()
        hear()
        #expect(weights[0] > 0.99)
    }

    /// Two recordings, and a copy of each in the rooms 1 and 3.
    private let roomNumbers = [0, 0, 1, 3, 1, 3]

    @Test func anExpectedRoomCountsForHalfBeforeTheStart() {
        let weights = ReferenceRecordingWeights(
            roomNumbers: roomNumbers, parameters: ForwardFilterParameters())
        weights.fixBeforeStart(expecting: RoomShares(0, 0, 0, 1))
        let expected: [Float] = [0.1, 0.1, 0.075, 0.325, 0.075, 0.325]
        #expect((0..<6).allSatisfy { abs(weights[$0] - expected[$0]) < 1e-5 })
        #expect(abs(weights.roomShares[3] - 0.65) < 1e-5)
        // A room that no reference was copied into leaves the others as they are.
        weights.fixBeforeStart(expecting: RoomShares(0, 0, 1, 0))
        #expect(abs(weights[0] - 0.2) < 1e-5 && abs(weights[3] - 0.15) < 1e-5)
    }

    @Test(arguments: [nil, RoomShares(0, 0, 0, 1)])
    func anExpectedRoomIsTakenSoonerAndLeftIfAnotherOneFits(expected: RoomShares?) {
        func shareOfThird(whereFits fit: [Float], frames: Int) -> Float {
            let weights = ReferenceRecordingWeights(
                roomNumbers: [0, 1, 2, 3], parameters: ForwardFilterParameters())
            weights.fixBeforeStart(expecting: expected)
            weights.followFits()
            for _ in 0..<frames {
                for (reference, similarity) in fit.enumerated() {
                    weights.addSimilarity(similarity, of: reference)
                }
                weights.computeWeights()
            }
            return weights.roomShares[3]
        }
        let soon = shareOfThird(whereFits: [0.5, 0.5, 0.5, 0.51], frames: 50)
        #expect(expected == nil ? soon < 0.1 : soon > 0.4)
        #expect(shareOfThird(whereFits: [0.54, 0.5, 0.5, 0.5], frames: 1000) < 0.05)
    }

    @Test func aCopyInARoomMustFitBetterThanTheRecording() {
        #expect(weights([0.5, 0.508], recordings: 1, frames: 2000)[0] > 0.5)
        #expect(weights([0.5, 0.54], recordings: 1, frames: 2000)[1] > 0.9)
        // Soon after the beginning it must fit better by more.
        #expect(weights([0.5, 0.52], recordings: 1, frames: 50)[0] > 0.9)
    }

    @Test func manyReferencesThatFitAlikeAllCount() {
        let weights = weights([Float](repeating: 0.5, count: 64), frames: 100)
        #expect((0..<64).allSatisfy { abs(weights[$0] - 1 / 64) < 1e-5 })
    }

    @Test func aReferenceThatFitsAgainCountsAgain() {
        let weights = weights([0.6, 0.4], frames: 3000)
        #expect(weights[1] == 0)
        for _ in 0..<3000 {
            weights.addSimilarity(0.4, of: 0)
            weights.addSimilarity(0.6, of: 1)
            weights.computeWeights()
        }
        #expect(weights[1] > 0.9)
    }

    @Test func anotherWindowTakesTheWeightsOver() {
        let known = weights([0.5, 0.6], frames: 300)
        let new = ReferenceRecordingWeights(
            roomNumbers: [0, 0], parameters: ForwardFilterParameters())
        new.copy(known)
        #expect(new[0] == known[0] && new[1] == known[1])
    }
}
