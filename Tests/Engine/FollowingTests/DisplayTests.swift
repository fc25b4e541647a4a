import Alignment
import Basics
import Score
import Testing

@testable import Following

@Suite struct DisplayTests {
    /// Thirty measures of two seconds that begin after one.
    private static let measures = 30

    private func display(at start: Double? = 1) throws -> DisplayedPosition {
        let marks = (0..<Self.measures).map {
            PlayedMeasure(printed: $0 + 101, onset: ReferenceTime(seconds: 1 + 2 * Double($0)))
        }
        var display = DisplayedPosition(
            model: ReferenceModel(
                pieceName: try PieceName("Made"),
                measures: try MeasureMap(
                    marks: marks, end: ReferenceTime(seconds: 1 + 2 * Double(Self.measures))),
                framesPerSecond: 50,
                framesByRecording: [
                    ReferenceFeatureFrames(featureValues: [0, 0], dimensions: 2, powerByFrame: [0]).packed
                ]))
        display.begin(at: start.map { ReferenceTime(seconds: $0) })
        return display
    }

    private enum Trust { case sure, doubtful }

    /// Says where the music is, in seconds of reference, for one frame.
    private func say(
        _ display: inout DisplayedPosition, _ seconds: Double, _ trust: Trust = .sure, jumped: Bool = false,
        hasBegun: Bool = true, standing: Double = 0, isDropout: Bool = false
    ) -> PositionReport {
        let isSure = trust == .sure
        var estimate = MusicAlignmentEstimate(
            frame: seconds * 50 - 1, tempo: .unity, mass: isSure ? 1 : 0.01, fit: isSure ? 2.5 : -1.5,
            standing: standing, jumped: jumped, hasBegun: hasBegun)
        estimate.supportsCalibratedConfidence = true
        estimate.gainOverAnyOrder = isSure ? 0.8 : -0.5
        estimate.shortfallFromBest = isSure ? 0.2 : 3
        return display.makeReport(
            estimate, live: LiveTime(seconds: 0), isQuiet: false, isDropout: isDropout)
    }

    /// Goes on in tempo from one second of reference to another.
    private func play(
        _ display: inout DisplayedPosition, from start: Double, to end: Double, _ trust: Trust = .sure
    ) -> [PositionReport] {
        stride(from: start, to: end, by: 0.02).map { say(&display, $0, trust) }
    }

    /// While the first bar was awaited, the music was found elsewhere: players try passages.
    @Test func aBeginningElsewhereIsShownOnceItHasBeenSureForSeconds() throws {
        var display = try display()
        for _ in 0..<50 { #expect(say(&display, 1, hasBegun: false).state == .waiting) }
        #expect(say(&display, 31, jumped: true).state == .lost)
        #expect(play(&display, from: 31, to: 33.8).allSatisfy { $0.state == .lost })
        #expect(play(&display, from: 33.8, to: 36).last?.state == .following)
    }

    @Test func whatIsHeardIsShown() throws {
        var display = try display()
        let last = try #require(play(&display, from: 1, to: 10.01).last)
        #expect(abs((last.referenceTime?.seconds ?? 0) - 10) < 0.02)
        #expect(last.position?.played == 4 && last.printedMeasure == 105)
        #expect(abs((last.position?.fraction ?? 0) - 0.5) < 0.01)
        #expect(last.state == .following && last.confidence > 0.9)
    }

    @Test func beforeTheMusicBeginsTheStartIsShown() throws {
        var display = try display(at: 21)
        for _ in 0..<200 {
            let report = say(&display, 22.4, .doubtful, hasBegun: false, standing: 1)
            #expect(report.state == .waiting && report.referenceTime?.seconds == 21)
            #expect(report.position == ScorePosition(played: 10, fraction: 0))
        }
    }

    @Test func smallCorrectionsNeverStepBack() throws {
        var display = try display()
        var shown = 0.0
        for frame in 0..<1000 {
            // Trembles by two seconds to either side around a steady tempo.
            let tremble = 2 * Double((frame * 7919) % 201 - 100) / 100
            let report = say(&display, max(3 + Double(frame) * 0.02 + tremble, 0))
            #expect((report.referenceTime?.seconds ?? 0) >= shown)
            shown = report.referenceTime?.seconds ?? 0
        }
    }

    @Test func aJumpIsShownAtOnce() throws {
        var display = try display()
        _ = play(&display, from: 1, to: 40)
        #expect(say(&display, 11, jumped: true).referenceTime?.seconds == 11)
        _ = play(&display, from: 11, to: 15)
        #expect(say(&display, 51, jumped: true).referenceTime?.seconds == 51)
    }

    @Test func aLargeStepBackIsBelievedWhenItLasts() throws {
        var display = try display()
        _ = play(&display, from: 1, to: 40)
        let reports = play(&display, from: 20, to: 22)
        #expect(reports[..<50].allSatisfy { ($0.referenceTime?.seconds ?? 0) > 39.9 })
        #expect(abs((reports.last?.referenceTime?.seconds ?? 0) - 22) < 0.05)
    }

    @Test func whileLostTheLastPositionStays() throws {
        var display = try display()
        _ = play(&display, from: 1, to: 20)
        let doubtful = play(&display, from: 20, to: 40, .doubtful)
        let lost = try #require(doubtful.firstIndex { $0.state == .lost })
        // Half a second of doubt comes first, and confidence itself needs time to fall.
        #expect(lost > 25 && lost < 300)
        #expect(Set(doubtful[lost...].map(\.referenceTime)).count == 1)
        #expect(doubtful[lost...].allSatisfy { $0.state == .lost && $0.confidence < 0.3 })
        let again = play(&display, from: 40, to: 46)
        #expect(again.last?.state == .following)
        #expect(abs((again.last?.referenceTime?.seconds ?? 0) - 46) < 0.05)
    }

    @Test func aJumpEndsBeingLost() throws {
        var display = try display()
        _ = play(&display, from: 1, to: 20)
        _ = play(&display, from: 20, to: 40, .doubtful)
        let leapt = say(&display, 31, jumped: true)
        #expect(leapt.state == .lost && (leapt.referenceTime?.seconds ?? 99) < 29)
        let believed = play(&display, from: 31.02, to: 34)
        #expect(believed.last?.state == .following)
        #expect(abs((believed.last?.referenceTime?.seconds ?? 0) - 34) < 0.05)
    }

    @Test func aPlaceThatIsNotBelievedIsNotShown() throws {
        var display = try display()
        _ = play(&display, from: 1, to: 40)
        _ = play(&display, from: 40, to: 40.9, .doubtful)
        let shown = say(&display, 40.9, .doubtful).referenceTime
        let leapt = [say(&display, 11, .doubtful, jumped: true)] + play(&display, from: 11, to: 14, .doubtful)
        #expect(leapt.allSatisfy { $0.state == .lost && $0.referenceTime == shown })
        // The next report is after the shown place and no correction: the music has gone on to it.
        let believed = play(&display, from: 14, to: 18)
        #expect(abs((believed.last?.referenceTime?.seconds ?? 0) - 18) < 0.05)
        let following = believed.filter { $0.state == .following }
        #expect(following.allSatisfy { ($0.referenceTime?.seconds ?? 99) < 18.1 })
    }

    @Test func afterLongOtherMusicAFarPlaceMustProveItself() throws {
        var display = try display()
        _ = play(&display, from: 1, to: 10)
        _ = (0..<500).map { _ in say(&display, 10, .doubtful) }
        let near = [say(&display, 12, jumped: true)] + play(&display, from: 12, to: 13)
        #expect(near.last?.state == .following)
        _ = (0..<500).map { _ in say(&display, 13, .doubtful) }
        let far = [say(&display, 48, jumped: true)] + play(&display, from: 48, to: 51)
        let shown = try #require(far.firstIndex { $0.state == .following })
        #expect((100...130).contains(shown))
    }

    @Test func afterAStopABarBeforeIsFoundAtOnce() throws {
        var display = try display()
        _ = play(&display, from: 1, to: 50)
        _ = (0..<500).map { _ in say(&display, 50, .doubtful) }
        let again = [say(&display, 20, jumped: true)] + play(&display, from: 20, to: 22)
        let shown = try #require(again.firstIndex { $0.state == .following })
        #expect(shown < 60)
    }

    @Test func aHallInWhichItIsNeverQuiteSureIsFoundSlowly() throws {
        var display = try display()
        _ = play(&display, from: 1, to: 10)
        _ = (0..<500).map { _ in say(&display, 10, .doubtful) }
        let states = stride(from: 12.0, to: 40, by: 0.02).map { place -> FollowerState in
            var estimate = MusicAlignmentEstimate(
                frame: place * 50 - 1, tempo: .unity, mass: 1, fit: 2, standing: 0, jumped: false)
            estimate.supportsCalibratedConfidence = true
            estimate.gainOverAnyOrder = 0.25
            estimate.shortfallFromBest = 1.7
            let report = display.makeReport(
                estimate, live: LiveTime(seconds: 0), isQuiet: false, isDropout: false)
            return report.state
        }
        let found = try #require(states.firstIndex(of: .following))
        #expect(found > 8 * 50 && states[found...].allSatisfy { $0 == .following })
    }

    /// Goes on in tempo with a confidence that rises to three quarters, as in a hall.
    private func playHalfSure(_ display: inout DisplayedPosition, from start: Double, seconds: Double)
        -> [PositionReport]
    {
        stride(from: start, to: start + seconds, by: 0.02).map { place in
            var estimate = MusicAlignmentEstimate(
                frame: place * 50 - 1, tempo: .unity, mass: 1, fit: 2, standing: 0, jumped: false)
            estimate.supportsCalibratedConfidence = true
            estimate.gainOverAnyOrder = 0.25
            estimate.shortfallFromBest = 1.7
            return display.makeReport(
                estimate, live: LiveTime(seconds: 0), isQuiet: false, isDropout: false)
        }
    }

    @Test func aWayThatHasGoneOnIsFoundSoonerThanAnotherPlace() throws {
        func secondsFromLikelyToFound(at place: Double) throws -> Double {
            var display = try display()
            _ = play(&display, from: 1, to: 10)
            #expect(play(&display, from: 10, to: 20, .doubtful).last?.state == .lost)
            let reports = playHalfSure(&display, from: place, seconds: 25)
            #expect(reports.allSatisfy { $0.confidence < 0.8 })
            let likely = try #require(reports.firstIndex { $0.confidence > 0.6 })
            let found = try #require(reports.firstIndex { $0.state != .lost })
            return Double(found - likely) / 50
        }
        let onItsWay = try secondsFromLikelyToFound(at: 20)
        #expect(abs(onItsWay - 2) < 0.1)
        let elsewhere = try [secondsFromLikelyToFound(at: 2), secondsFromLikelyToFound(at: 34)]
        #expect(elsewhere.allSatisfy { $0 >= 8 })
    }

    @Test func theWayIsThatOfThePerformancesOwnTempo() throws {
        var display = try display()
        /// Says where a performance at half the tempo is.
        func hear(_ seconds: Double, gain: Double, shortfall: Double) -> FollowerState {
            var estimate = MusicAlignmentEstimate(
                frame: seconds * 50 - 1, tempo: TempoRatio(0.5), mass: 1, fit: 2, standing: 0, jumped: false)
            estimate.supportsCalibratedConfidence = true
            estimate.gainOverAnyOrder = gain
            estimate.shortfallFromBest = shortfall
            return display.makeReport(
                estimate, live: LiveTime(seconds: 0), isQuiet: false, isDropout: false
            ).state
        }
        for frame in 0..<2000 { _ = hear(1 + 0.01 * Double(frame), gain: 0.9, shortfall: 0.2) }
        for frame in 2000..<2600 { _ = hear(1 + 0.01 * Double(frame), gain: -0.5, shortfall: 3) }
        let states = (2600..<3300).map { hear(1 + 0.01 * Double($0), gain: 0.29, shortfall: 1.6) }
        #expect(states[0] == .lost)
        // Six seconds until the doubt has faded, and two of proof; at the reference's tempo it would be three seconds
        // ahead by then.
        #expect(try #require(states.firstIndex { $0 != .lost }) < 500)
    }

    @Test func aFifthOfASecondBelowFourFifthsIsDoubted() throws {
        var display = try display()
        _ = play(&display, from: 1, to: 10)
        let reports = play(&display, from: 10, to: 11.5, .doubtful)
        let below = try #require(reports.firstIndex { $0.confidence < 0.8 })
        #expect(reports[..<(below + 9)].allSatisfy { $0.state == .following })
        #expect(reports[below + 10].state == .coasting)
        // What is doubted is still shown.
        let shown = try #require(reports[below + 10].referenceTime)
        #expect(abs(shown.seconds - (10 + 0.02 * Double(below + 10))) < 0.05)
    }

    @Test func aPlaceThatIsHalfSureIsDoubtedButNotLost() throws {
        var display = try display()
        _ = play(&display, from: 1, to: 10)
        // Doubted for longer than three seconds, but for less than that below the limit of doubt.
        let doubted = play(&display, from: 10, to: 11.2, .doubtful)
        #expect(doubted.allSatisfy { $0.state != .lost })
        let reports = playHalfSure(&display, from: 11.2, seconds: 20)
        #expect(reports.prefix(200).contains { $0.state == .coasting })
        #expect(reports.allSatisfy { $0.state != .lost })
        #expect(abs((reports.last?.referenceTime?.seconds ?? 0) - 31.2) < 0.05)
    }

    @Test func anUnknownBeginningIsLostUntilFound() throws {
        var display = try display(at: nil)
        let searching = play(&display, from: 1, to: 15, .doubtful)
        #expect(searching.allSatisfy { $0.state == .lost && $0.referenceTime?.seconds == 1 })
        let found = [say(&display, 33, jumped: true)] + play(&display, from: 33, to: 36)
        #expect(found.last?.state == .following && (found.last?.referenceTime?.seconds ?? 0) > 35.9)
    }

    @Test func theEndIsReachedAndStays() throws {
        var display = try display()
        _ = play(&display, from: 1, to: 61)
        let after = (0..<100).map { _ in say(&display, 61) }
        #expect(after.last?.state == .finished)
        #expect(after.last?.position == ScorePosition(played: Self.measures - 1, fraction: 1))
        // Neither doubt nor applause that resembles the last measures changes that.
        let applause = play(&display, from: 50, to: 60, .doubtful) + play(&display, from: 55, to: 60)
        #expect(applause.allSatisfy { $0.state == .finished && $0.position == after.last?.position })
    }

    @Test func afterTheEndTheMusicMayJumpBack() throws {
        var display = try display()
        _ = play(&display, from: 1, to: 61)
        _ = (0..<100).map { _ in say(&display, 61) }
        let report = say(&display, 5, jumped: true)
        #expect(report.state == .following && report.referenceTime?.seconds == 5)
    }

    @Test func standingAndGapsAreCoasting() throws {
        var display = try display()
        _ = play(&display, from: 1, to: 10)
        #expect(say(&display, 10, standing: 0.9).state == .coasting)
        #expect(say(&display, 10.02, isDropout: true).state == .coasting)
        #expect(say(&display, 10.04).state == .following)
    }

    @Test func aNewBeginningForgetsTheOldOne() throws {
        var display = try display()
        let first = play(&display, from: 1, to: 61) + (0..<100).map { _ in say(&display, 61) }
        display.begin(at: ReferenceTime(seconds: 1))
        let second = play(&display, from: 1, to: 61) + (0..<100).map { _ in say(&display, 61) }
        #expect(first == second)
    }

    @Test func aMethodWithoutCalibrationIsTakenAtItsWord() throws {
        var display = try display(at: nil)
        for (mass, confidence) in [(0.3, 0.3), (1.5, 1), (-1, 0)] {
            let report = display.makeReport(
                MusicAlignmentEstimate(
                    frame: 249, tempo: .unity, mass: mass, fit: 0, standing: 0, jumped: false),
                live: LiveTime(seconds: 0), isQuiet: false, isDropout: false)
            #expect(report.confidence == confidence)
            #expect(report.state == .following && report.referenceTime?.seconds == 5)
        }
    }

    @Test func whatIsShownLiesInThePiece() throws {
        var display = try display()
        for seconds in [-1e6, -1, 0, 30, 61, 1e6] {
            let report = say(&display, seconds, jumped: true)
            #expect((0..<Self.measures).contains(report.position?.played ?? -1))
            #expect((0...1).contains(report.position?.fraction ?? -1))
        }
    }
}
