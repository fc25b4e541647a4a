import Alignment
import MusicalTime
import Score
import Testing

@testable import Following

@Suite struct ReferenceModelTests {
    private func model(framesPerSecond: Int) throws -> ReferenceModel {
        ReferenceModel(
            name: try PieceName("Made"),
            measures: try MeasureMap(
                marks: [PlayedMeasure(printed: 1, onset: ReferenceTime(seconds: 0))],
                end: ReferenceTime(seconds: 1)),
            framesPerSecond: framesPerSecond,
            references: [ReferenceFrames(values: [0, 0], dimensions: 2, power: [0])])
    }

    @Test(arguments: [25, 50, 100])
    func aFrameEndsWhereItsTimeSays(framesPerSecond: Int) throws {
        let model = try model(framesPerSecond: framesPerSecond)
        #expect(model.time(ofFrame: 0).seconds == 1 / Double(framesPerSecond))
        #expect(model.time(ofFrame: Double(framesPerSecond - 1)).seconds == 1)
        #expect(model.frame(at: ReferenceTime(seconds: 0)) == -1)
    }

    @Test func frameAndTimeAreEachOthersInverse() throws {
        let model = try model(framesPerSecond: 50)
        for frame in [0.0, 0.5, 17.25, 90_000] {
            // A double holds these to 1e-11.
            #expect(abs(model.frame(at: model.time(ofFrame: frame)) - frame) < 1e-9)
        }
    }

    @Test func barsAreKnownByFrameAndNumberAndWhereSectionsOpen() throws {
        let marks = [1, 2, 1, 2, 3].enumerated().map {
            PlayedMeasure(printed: $0.element, onset: ReferenceTime(seconds: 1 + Double($0.offset)))
        }
        let model = ReferenceModel(
            name: try PieceName("Made"),
            measures: try MeasureMap(marks: marks, end: ReferenceTime(seconds: 6)), framesPerSecond: 50,
            references: [ReferenceFrames(values: [0, 0], dimensions: 2, power: [0])], sections: [0, 4])
        let bars = model.landmarks.bars
        #expect(bars.map(\.frame) == [49, 99, 149, 199, 249])
        #expect(bars.map(\.printed) == [1, 2, 1, 2, 3])
        // The third opens because the numbers begin again.
        #expect(bars.map(\.opensSection) == [true, false, true, false, true])
    }
}
