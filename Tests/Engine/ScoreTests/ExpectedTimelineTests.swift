import Basics
import Score
import Testing

@Suite struct ExpectedTimelineTests {
    private func timeline(_ lengths: [Double]) throws -> ExpectedTimeline {
        var onset = 10.0
        var marks: [PlayedMeasure] = []
        for (index, length) in lengths.enumerated() {
            marks.append(PlayedMeasure(printed: index + 1, onset: ReferenceTime(seconds: onset)))
            onset += length
        }
        return ExpectedTimeline(try MeasureMap(marks: marks, end: ReferenceTime(seconds: onset)))
    }

    @Test func evenMusicKeepsItsDurations() throws {
        let even = try timeline(Array(repeating: 2, count: 40))
        #expect((0..<40).allSatisfy { even.duration(ofMeasure: $0) == 2 })
        #expect(even.start(ofMeasure: 40) == 80)
        #expect(even.seconds(at: ScorePosition(played: 7, fraction: 0.25)) == 14.5)
        #expect(even.speed(ofTempo: 1.3, inMeasure: 7) == 1.3)
    }

    @Test func aBroadMeasureIsExpectedToBeHalfAsBroad() throws {
        var lengths = Array(repeating: 3.0, count: 20)
        lengths[9] = 4
        let broad = try timeline(lengths)
        #expect(abs(broad.duration(ofMeasure: 9) - 3.464) < 0.001)
        #expect(broad.duration(ofMeasure: 8) == 3)
        // At the reference's own tempo, the position crosses the measure in the reference's time.
        let seconds: Double = broad.duration(ofMeasure: 9) / broad.speed(ofTempo: 1, inMeasure: 9)
        #expect(abs(seconds - 4) < 1e-9)
    }

    @Test func aFermataIsExpectedToBeAFifthLongerThanItsNeighbours() throws {
        var lengths = Array(repeating: 2.0, count: 20)
        lengths[9] = 5
        let seconds = try timeline(lengths).duration(ofMeasure: 9)
        #expect(abs(seconds - 2.4) < 1e-9)
    }

    @Test func aHurriedMeasureIsExpectedToBeHalfAsHurried() throws {
        var lengths = Array(repeating: 4.0, count: 20)
        lengths[9] = 3
        #expect(try abs(timeline(lengths).duration(ofMeasure: 9) - 12.0.squareRoot()) < 1e-12)
    }

    @Test func anUpbeatStaysShort() throws {
        let lengths = [0.5] + Array(repeating: 2.0, count: 20)
        let upbeat = try timeline(lengths)
        #expect(upbeat.duration(ofMeasure: 0) == 0.5 && upbeat.speed(ofTempo: 1.2, inMeasure: 0) == 1.2)
    }

    @Test func aMeasureMuchLongerThanItsNeighboursIsLongMusic() throws {
        var lengths = Array(repeating: 2.0, count: 20)
        lengths[9] = 6.5
        #expect(try timeline(lengths).duration(ofMeasure: 9) == 6.5)
    }

    @Test func aSlowSectionIsExpectedToBeSlow() throws {
        let slow = try timeline(Array(repeating: 1, count: 20) + Array(repeating: 3, count: 20))
        #expect(slow.duration(ofMeasure: 30) == 3)
        #expect(slow.duration(ofMeasure: 10) == 1)
    }

    @Test func oneMeasureHasOnlyItself() throws {
        #expect(try timeline([9]).duration(ofMeasure: 0) == 9)
    }

    @Test func positionsOutsideTheMusicCountAsTheNearestInIt() throws {
        let even = try timeline([2, 2, 2])
        #expect(even.seconds(at: ScorePosition(played: -3, fraction: 0)) == 0)
        #expect(even.seconds(at: ScorePosition(played: 9, fraction: 2)) == 6)
        #expect(even.seconds(at: ScorePosition(played: 1, fraction: .nan)) == 2)
        #expect(even.start(ofMeasure: 9) == 6)
        #expect(even.duration(ofMeasure: 9) == 2)
    }
}
