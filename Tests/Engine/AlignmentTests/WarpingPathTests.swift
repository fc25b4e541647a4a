import Testing

@testable import Alignment

@Suite struct WarpingPathTests {
    /// Stands still on the second side at 2…4, on the first side at 5.
    let path = WarpingPath(
        [(0, 0), (1, 2), (2, 3), (3, 3), (4, 3), (5, 4), (5, 5), (5, 6), (7, 7)].map {
            WarpingPath.FramePair(firstRecordingFrame: $0.0, secondRecordingFrame: $0.1)
        })

    @Test func betweenTwoPairsThePathIsStraight() {
        #expect(path.secondFrame(forFirst: 0.5) == 1)
        #expect(path.secondFrame(forFirst: 6) == 6)
        #expect(path.firstFrame(forSecond: 1) == 0.5)
        #expect(path.firstFrame(forSecond: 6.5) == 6)
    }

    @Test func whereOneSideStandsStillTheMiddleBelongsToIt() {
        #expect(path.secondFrame(forFirst: 5) == 5)
        #expect(path.firstFrame(forSecond: 3) == 3)
        #expect(path.secondFrame(forFirst: 3) == 3)
    }

    @Test func beyondItsEndsThePathGoesOnAtTheSameSpeed() {
        #expect(path.secondFrame(forFirst: -2) == -2)
        #expect(path.secondFrame(forFirst: 10) == 10)
        #expect(path.firstFrame(forSecond: -0.5) == -0.5)
        #expect(path.firstFrame(forSecond: 7.25) == 7.25)
    }

    @Test func neitherAnswerEverGoesBack() {
        let places = stride(from: -1.0, through: 9, by: 0.125)
        #expect(
            zip(places, places.dropFirst()).allSatisfy {
                path.secondFrame(forFirst: $0) <= path.secondFrame(forFirst: $1)
            })
        #expect(
            zip(places, places.dropFirst()).allSatisfy {
                path.firstFrame(forSecond: $0) <= path.firstFrame(forSecond: $1)
            })
    }

    @Test func onePairIsAPath() {
        let point = WarpingPath([.init(firstRecordingFrame: 3, secondRecordingFrame: 8)])
        #expect(point.secondFrame(forFirst: 3) == 8)
        #expect(point.secondFrame(forFirst: 4.5) == 9.5)
    }

    @Test func aPathThatGoesBackIsAMistakeOfTheProgram() async {
        await #expect(processExitsWith: .failure) { _ = WarpingPath([]) }
        await #expect(processExitsWith: .failure) {
            _ = WarpingPath([
                .init(firstRecordingFrame: 1, secondRecordingFrame: 1),
                .init(firstRecordingFrame: 2, secondRecordingFrame: 0),
            ])
        }
        await #expect(processExitsWith: .failure) {
            _ = WarpingPath([
                .init(firstRecordingFrame: 1, secondRecordingFrame: 1),
                .init(firstRecordingFrame: 1, secondRecordingFrame: 1),
            ])
        }
    }
}
