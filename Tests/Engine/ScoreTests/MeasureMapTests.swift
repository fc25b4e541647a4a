import Basics
import Foundation
import Testing

@testable import Score

@Suite struct MeasureMapTests {
    /// Measures 1 2 1 2 3: the first two repeated, of different lengths, starting at half a second.
    private let map: MeasureMap

    init() throws {
        map = try Self.map([(1, 0.5), (2, 2.5), (1, 4), (2, 6.5), (3, 8)], end: 10)
    }

    private static func map(
        _ rows: [(printed: Int, seconds: Double)], end: Double
    ) throws(MeasureMapFault) -> MeasureMap {
        try MeasureMap(
            marks: rows.map { PlayedMeasure(printed: $0.printed, onset: ReferenceTime(seconds: $0.seconds)) },
            end: ReferenceTime(seconds: end))
    }

    private func position(_ seconds: Double) -> ScorePosition {
        map.position(at: ReferenceTime(seconds: seconds))
    }

    @Test func aBarLineBelongsToTheMeasureItOpens() {
        for (played, mark) in map.marks.enumerated() {
            #expect(map.position(at: mark.onset) == ScorePosition(played: played, fraction: 0))
            let before = position(mark.onset.seconds.nextDown)
            #expect(before.played == max(played - 1, 0))
            #expect(played == 0 || before.fraction > 0.999)
        }
    }

    @Test func halfWayThroughTimeIsHalfWayThroughTheMeasure() {
        #expect(position(1.5) == ScorePosition(played: 0, fraction: 0.5))
        #expect(position(5.25) == ScorePosition(played: 2, fraction: 0.5))
        #expect(position(9) == ScorePosition(played: 4, fraction: 0.5))
    }

    @Test func outsideTheMusicPositionsAreClamped() {
        let start = ScorePosition(played: 0, fraction: 0)
        let finish = ScorePosition(played: 4, fraction: 1)
        for seconds in [0.5, 0, -3, -Double.infinity, .nan] {
            #expect(position(seconds) == start, "\(seconds)")
        }
        for seconds in [10, 10.5, 1e300, Double.infinity] {
            #expect(position(seconds) == finish, "\(seconds)")
        }
    }

    @Test func timeOfPositionIsTheInverse() {
        for step in 0...950 {
            let seconds = 0.5 + Double(step) / 100
            let back = map.time(of: position(seconds)).seconds
            // Two roundings of a fraction of a few seconds.
            #expect(abs(back - seconds) < 1e-12)
        }
    }

    @Test func timesOfPositionsOutsideAreClamped() {
        func seconds(_ played: Int, _ fraction: Double) -> Double {
            map.time(of: ScorePosition(played: played, fraction: fraction)).seconds
        }
        #expect(seconds(-1, 0) == 0.5)
        #expect(seconds(.min, 0) == 0.5)
        #expect(seconds(99, 0) == 8)
        #expect(seconds(.max, 1) == 10)
        #expect(seconds(1, 7) == 4)
        #expect(seconds(1, -7) == 2.5)
        #expect(seconds(1, .nan) == 2.5)
    }

    @Test func theMeasureAfterTheLastIsTheEnd() {
        #expect(map.onset(after: 0).seconds == 2.5)
        #expect(map.onset(after: 4).seconds == 10)
        #expect(map.onset(after: .max).seconds == 10)
        #expect(map.onset(after: -1).seconds == 0.5)
        #expect(map.onset(after: .min).seconds == 0.5)
    }

    @Test func aRepeatedBarHasOneNumberAndTwoPlaces() {
        #expect(map.firstPlayedIndex(printed: 2) == 1)
        #expect(map.playedIndices(printed: 2) == [1, 3])
        #expect(map.playedIndices(printed: 3) == [4])
        #expect(map.firstPlayedIndex(printed: 9) == nil)
        #expect(map.playedIndices(printed: 9).isEmpty)
    }

    @Test func oneMeasureIsEnough() throws {
        let single = try Self.map([(7, 0)], end: 4)
        #expect(single.position(at: ReferenceTime(seconds: 1)) == ScorePosition(played: 0, fraction: 0.25))
        #expect(single.position(at: ReferenceTime(seconds: 99)) == ScorePosition(played: 0, fraction: 1))
    }

    @Test func searchingAgreesWithLookingAtEveryMeasure() throws {
        for count in 1...33 {
            let grown = try Self.map((0..<count).map { ($0, Double($0 * $0)) }, end: 2_000)
            for step in 0...2_200 {
                let time = ReferenceTime(seconds: Double(step) / 2)
                #expect(grown.position(at: time).played == grown.marks.lastIndex { $0.onset <= time })
            }
        }
    }

    @Test func wrongListsAreRefusedByRow() {
        #expect(throws: MeasureMapFault.empty) { try Self.map([], end: 1) }
        #expect(throws: MeasureMapFault.invalidTime(row: 0, printed: 1, seconds: -1)) {
            try Self.map([(1, -1)], end: 1)
        }
        #expect(throws: MeasureMapFault.invalidTime(row: 1, printed: 2, seconds: .infinity)) {
            try Self.map([(1, 0), (2, .infinity)], end: 1)
        }
        #expect(throws: MeasureMapFault.onsetsNotRising(row: 1, printed: 2, seconds: 1, before: 1)) {
            try Self.map([(1, 1), (2, 1)], end: 3)
        }
        #expect(throws: MeasureMapFault.endsBeforeLastMeasure(end: 2, last: 2)) {
            try Self.map([(1, 1), (2, 2)], end: 2)
        }
        #expect(throws: MeasureMapFault.self) { try Self.map([(1, 1)], end: .infinity) }
        #expect(throws: MeasureMapFault.self) { try Self.map([(1, .nan)], end: 3) }
    }

    @Test func faultsCountRowsAsPeopleDo() {
        #expect(
            MeasureMapFault.onsetsNotRising(row: 1, printed: 2, seconds: 1, before: 1.5).sentence
                == "Row 2 starts measure 2 at 1.0 s, not after the row before it (1.5 s); "
                + "put the rows in the order in which they are played.")
        #expect(MeasureMapFault.invalidTime(row: .max, printed: 1, seconds: .nan).sentence.hasPrefix("Row "))
    }

    @Test func aStoredMapIsCheckedWhenItComesBack() throws {
        let stored = try JSONEncoder().encode(map)
        #expect(try JSONDecoder().decode(MeasureMap.self, from: stored) == map)
        let falling = Data(#"{"marks":[{"printed":1,"onset":2},{"printed":2,"onset":1}],"end":3}"#.utf8)
        #expect(throws: (any Error).self) { try JSONDecoder().decode(MeasureMap.self, from: falling) }
        let empty = Data(#"{"marks":[],"end":3}"#.utf8)
        #expect(throws: (any Error).self) { try JSONDecoder().decode(MeasureMap.self, from: empty) }
    }
}

@Suite struct ScorePositionTests {
    @Test func positionsAreOrderedByMeasureAndThenByFraction() {
        let places = [
            ScorePosition(played: 0, fraction: 0), ScorePosition(played: 0, fraction: 0.9),
            ScorePosition(played: 1, fraction: 0), ScorePosition(played: 10, fraction: 0.1),
        ]
        #expect(places.reversed().sorted() == places)
    }
}
