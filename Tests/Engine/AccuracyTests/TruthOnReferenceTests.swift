import Testing

@testable import Accuracy

@Suite struct TruthOnReferenceTests {
    /// Begin of each live measure in the reference; measures are two seconds, the first begins at 1.
    private func begins(_ live: [Int], on reference: [Int]) throws -> [Double?] {
        let seen = GroundTruthOnReference(try Made.truth(live), reference: try Made.map(reference))
        return seen.referenceIntervalsByMeasure.map { $0?.lowerBound }
    }

    @Test func aRepeatOfBothSidesIsTwoPlaces() throws {
        #expect(try begins([1, 2, 1, 2, 3], on: [1, 2, 1, 2, 3]) == [1, 3, 5, 7, 9])
    }

    @Test func aRepeatLeftOutIsAJumpAhead() throws {
        #expect(try begins([1, 2, 3], on: [1, 2, 1, 2, 3]) == [1, 3, 9])
    }

    @Test func aRestartGoesBack() throws {
        #expect(try begins([1, 2, 3, 2, 3, 4], on: [1, 2, 3, 4]) == [1, 3, 5, 3, 5, 7])
    }

    @Test func aMeasureTheReferenceHasNotIsNowhere() throws {
        #expect(try begins([1, 9, 2], on: [1, 2]) == [1, nil, 3])
    }

    @Test func theWayIsBrokenWhereTheMusicJumps() throws {
        let truth = try Made.truth([1, 2, 5, 6])
        let seen = GroundTruthOnReference(truth, reference: try Made.map(Array(1...6)))
        let ends = seen.pathSegments(of: truth).map { [$0[0].reference, $0[$0.count - 1].reference] }
        #expect(ends == [[1, 5], [9, 13]])
    }

    @Test func theWayIsFlatWithinAHold() throws {
        let truth = try Made.truth([1, 2, 3], holds: [.init(start: 4, endSeconds: 4.5)])
        let seen = GroundTruthOnReference(truth, reference: try Made.map([1, 2, 3]))
        let way = seen.pathSegments(of: truth)[0]
        let held = way.filter { $0.live == 4 || $0.live == 4.5 }.map(\.reference)
        #expect(held.count == 2 && held[0] == held[1])
        // A second of the one and a half that are played.
        #expect(abs((held.first ?? 0) - (3 + 2 / 1.5)) < 1e-4)
    }
}
