import Testing

@testable import Alignment

@Suite struct FrameSeriesTests {
    @Test func aRiseIsWhatIsMoreThanBefore() {
        let frames = ReferenceFeatureFrames(
            featureValues: [0, 5, 2, 5, 1, 9, 4, 0], dimensions: 2, powerByFrame: [0, 0, 0, 0])
        #expect(FrameSeries.rise(frames, bands: 0..<1, lag: 1) == [0, 2, 0, 3])
        #expect(FrameSeries.rise(frames, bands: 0..<2, lag: 2) == [0, 0, 5, 2])
    }

    @Test func shiftedValuesStopAtTheEnds() {
        #expect(FrameSeries.shifted([1, 2, 3], by: 1) == [2, 3, 3])
        #expect(FrameSeries.shifted([1, 2, 3], by: -2) == [1, 1, 1])
        #expect(FrameSeries.shifted([], by: 1) == [])
    }

    @Test func maximaAndMeansLookToBothSides() {
        #expect(FrameSeries.maxima([1, 5, 2, 0, 3], reach: 1) == [5, 5, 5, 3, 3])
        #expect(FrameSeries.means([2, 2, 2, 2], reach: 3) == [2, 2, 2, 2])
    }

    @Test func aConstantSoundIsItsOwnMean() {
        let (plain, compressed) = FrameSeries.compressed([3, 3, 3, 3], relativeTo: 2)
        // The mean and a quarter of it stand below the fraction: 1 / 1.25, and its logarithm is that of 2.6.
        #expect(plain.allSatisfy { abs($0 - 0.8) < 1e-5 })
        #expect(compressed.allSatisfy { abs($0 - 0.955_511_4) < 1e-5 })
    }

    @Test func anotherHarmonyIsAChangeAndTheSameIsNone() {
        let change = FrameSeries.change(
            [1, 0, 1, 0, 1, 0, 0, 1, 0, 1, 0, 1], dimensions: 2, bands: 0..<2, reach: 2)
        #expect(abs(change[3] - 1) < 1e-5)
        #expect(abs(change[1]) < 1e-5)
    }

    @Test func octavesFoldToOnePitchClass() {
        var values = [Float](repeating: 0, count: 48)
        (values[1], values[13], values[5], values[40]) = (1, 2, 4, 8)
        let frames = ReferenceFeatureFrames(featureValues: values, dimensions: 48, powerByFrame: [0])
        let chroma = FrameSeries.chroma(frames, bands: 24)
        #expect(chroma[1] == 3)
        #expect(chroma[5] == 4)
        #expect(chroma[4] == 0)
    }
}
