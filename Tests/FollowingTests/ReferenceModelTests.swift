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
                marks: [MeasureMark(printed: 1, onset: ReferenceTime(seconds: 0))],
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
}
