import Alignment
import Basics
import Score
import Testing

@testable import Following

@Suite struct ReferenceModelTests {
    private func model(framesPerSecond: Int) throws -> ReferenceModel {
        ReferenceModel(
            pieceName: try PieceName("Made"),
            measures: try MeasureMap(
                marks: [PlayedMeasure(printed: 1, onset: ReferenceTime(seconds: 0))],
                end: ReferenceTime(seconds: 1)),
            framesPerSecond: framesPerSecond,
            framesByRecording: [
                ReferenceFeatureFrames(featureValues: [0, 0], dimensions: 2, powerByFrame: [0]).packed
            ])
    }

    @Test(arguments: [25, 50, 100])
    func aFrameEndsWhereItsTimeSays(framesPerSecond: Int) throws {
        let model = try model(framesPerSecond: framesPerSecond)
        #expect(model.time(ofFrame: 0).seconds == 1 / Double(framesPerSecond))
        #expect(model.time(ofFrame: Double(framesPerSecond - 1)).seconds == 1)
        #expect(model.frameNumber(at: ReferenceTime(seconds: 0)) == -1)
    }

    @Test func frameAndTimeAreEachOthersInverse() throws {
        let model = try model(framesPerSecond: 50)
        for frame in [0.0, 0.5, 17.25, 90_000] {
            // A double holds these to 1e-11.
            #expect(abs(model.frameNumber(at: model.time(ofFrame: frame)) - frame) < 1e-9)
        }
    }

    @Test func barsAreKnownByFrameAndNumberAndWhereSectionsOpen() throws {
        let marks = [1, 2, 1, 2, 3].enumerated().map {
            PlayedMeasure(printed: $0.element, onset: ReferenceTime(seconds: 1 + Double($0.offset)))
        }
        let model = ReferenceModel(
            pieceName: try PieceName("Made"),
            measures: try MeasureMap(marks: marks, end: ReferenceTime(seconds: 6)), framesPerSecond: 50,
            framesByRecording: [
                ReferenceFeatureFrames(featureValues: [0, 0], dimensions: 2, powerByFrame: [0]).packed
            ], sectionStartMeasures: [0, 4])
        let bars = model.referenceBars.bars
        #expect(bars.map(\.firstFrame) == [49, 99, 149, 199, 249])
        #expect(bars.map(\.printedNumber) == [1, 2, 1, 2, 3])
        // The third opens because the numbers begin again.
        #expect(bars.map(\.opensSection) == [true, false, true, false, true])
    }
}
