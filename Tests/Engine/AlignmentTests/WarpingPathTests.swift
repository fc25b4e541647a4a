import Testing

@testable import Alignment

@Suite struct WarpingPathTests {
    /// Stands still on the second side at 2…4, on the first side at 5.
    let path = WarpingPath(
        [(0, 0), (1, 2), (2, 3), (3, 3), (4, 3), (5, 4), (5, 5), (5, 6), (7, 7)].map {
            WarpingPath.Pair(first: $0.0, second: $0.1)
        })

    @Test func betweenTwoPairsThePathIsStraight() {
        #expect(path.second(forFirst: 0.5) == 1)
        #expect(path.second(forFirst: 6) == 6)
        #expect(path.first(forSecond: 1) == 0.5)
        #expect(path.first(forSecond: 6.5) == 6)
    }

    @Test func whereOneSideStandsStillTheMiddleBelongsToIt() {
        #expect(path.second(forFirst: 5) == 5)
        #expect(path.first(forSecond: 3) == 3)
        #expect(path.second(forFirst: 3) == 3)
    }

    @Test func beyondItsEndsThePathGoesOnAtTheSameSpeed() {
        #expect(path.second(forFirst: -2) == -2)
        #expect(path.second(forFirst: 10) == 10)
        #expect(path.first(forSecond: -0.5) == -0.5)
        #expect(path.first(forSecond: 7.25) == 7.25)
    }

    @Test func neitherAnswerEverGoesBack() {
        let places = stride(from: -1.0, through: 9, by: 0.125)
        #expect(
            zip(places, places.dropFirst()).allSatisfy {
                path.second(forFirst: $0) <= path.second(forFirst: $1)
            })
        #expect(
            zip(places, places.dropFirst()).allSatisfy {
                path.first(forSecond: $0) <= path.first(forSecond: $1)
            })
    }

    @Test func onePairIsAPath() {
        let point = WarpingPath([.init(first: 3, second: 8)])
        #expect(point.second(forFirst: 3) == 8)
        #expect(point.second(forFirst: 4.5) == 9.5)
    }

    @Test func aPathThatGoesBackIsAMistakeOfTheProgram() async {
        await #expect(processExitsWith: .failure) { _ = WarpingPath([]) }
        await #expect(processExitsWith: .failure) {
            _ = WarpingPath([.init(first: 1, second: 1), .init(first: 2, second: 0)])
        }
        await #expect(processExitsWith: .failure) {
            _ = WarpingPath([.init(first: 1, second: 1), .init(first: 1, second: 1)])
        }
    }
}
