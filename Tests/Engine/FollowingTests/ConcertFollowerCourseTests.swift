import Basics
import Score
import Testing

@testable import Following

@Suite struct ConcertFollowerCourseTests {
    /// Ten measures of two seconds.
    private let measures: MeasureMap

    init() throws {
        measures = try MeasureMap(
            marks: (0..<10).map {
                PlayedMeasure(printed: $0 + 1, onset: ReferenceTime(seconds: 2 * Double($0)))
            },
            end: ReferenceTime(seconds: 20))
    }

    /// What one follower says in a stretch of live time.
    private struct Line {
        var from: Double
        var tempo = 1.0
        var state = FollowerState.following
        var confidence = 1.0
    }

    /// Plays a scene of 50 hops a second and gathers the moves.
    private func moves(
        _ course: inout NextPieceDetector, seconds: Double, at start: Double = 0, current: Line,
        beside: Line? = nil,
        isQuiet: Bool = false, hasNext: Bool = true
    ) -> [NextPieceDetector.PieceAction] {
        (0..<Int(seconds * 50)).map { hop in
            let passed = Double(hop) / 50
            return course.decideAfterHop(
                current: report(current, after: passed, live: start + passed),
                beside: beside.map { report($0, after: passed, live: start + passed) }, isQuiet: isQuiet,
                measures: measures, hasNext: hasNext)
        }.filter { $0 != .stay }
    }

    private func report(_ line: Line, after passed: Double, live: Double) -> PositionReport {
        let reference = ReferenceTime(seconds: line.from + passed * line.tempo)
        let position = measures.position(at: reference)
        return PositionReport(
            liveTime: LiveTime(seconds: live), referenceTime: reference, position: position,
            printedMeasure: measures.marks[position.played].printed, tempo: TempoRatio(line.tempo),
            confidence: line.confidence, state: line.state)
    }

    @Test func inTheMiddleNothingHappens() {
        var course = NextPieceDetector()
        #expect(moves(&course, seconds: 15, current: Line(from: 0)) == [])
    }

    @Test func restInTheLastMeasuresIsTheEnd() {
        var course = NextPieceDetector()
        let resting = Line(from: 17, tempo: 0)
        #expect(moves(&course, seconds: 1.4, current: resting) == [])
        #expect(moves(&course, seconds: 0.2, at: 1.4, current: resting) == [.listenForNext])
        #expect(course.isBetweenPieces)
    }

    @Test func restBeforeTheLastMeasuresIsNot() {
        var course = NextPieceDetector()
        #expect(moves(&course, seconds: 20, current: Line(from: 9, tempo: 0)) == [])
    }

    @Test func theFollowersOwnWordIsTheEnd() {
        var course = NextPieceDetector()
        #expect(moves(&course, seconds: 0.1, current: Line(from: 3, state: .finished)) == [.listenForNext])
    }

    @Test func theLastPieceIsNotLeft() {
        var course = NextPieceDetector()
        let resting = Line(from: 19.9, tempo: 0)
        #expect(moves(&course, seconds: 30, current: resting, isQuiet: true, hasNext: false) == [])
    }

    @Test func aClearBeginningIsTakenUpOnce() {
        var course = NextPieceDetector()
        let over = Line(from: 19.9, tempo: 0)
        #expect(moves(&course, seconds: 2, current: over) == [.listenForNext])
        let waiting = Line(from: 0, tempo: 0, state: .waiting)
        #expect(moves(&course, seconds: 60, at: 2, current: over, beside: waiting) == [])
        let beginning = Line(from: 0, confidence: 0.3)
        #expect(moves(&course, seconds: 1.4, at: 62, current: over, beside: beginning) == [])
        let going = Line(from: 1.4, confidence: 0.3)
        #expect(moves(&course, seconds: 0.2, at: 63.4, current: over, beside: going).first == .goToNext)
        #expect(!course.isBetweenPieces)
    }

    @Test func noiseInASilentRoomIsNoBeginning() {
        var course = NextPieceDetector()
        let over = Line(from: 19.9, tempo: 0)
        _ = moves(&course, seconds: 2, current: over)
        let dreaming = moves(
            &course, seconds: 10, at: 2, current: over, beside: Line(from: 0), isQuiet: true)
        #expect(!dreaming.contains(.goToNext))
        #expect(dreaming.allSatisfy { $0 == .listenForNext })
    }

    @Test func whatDoesNotMoveLikeMusicIsNoBeginning() {
        var course = NextPieceDetector()
        let over = Line(from: 19.9, tempo: 0)
        _ = moves(&course, seconds: 2, current: over)
        let creeping = Line(from: 0, tempo: 0.1)
        #expect(!moves(&course, seconds: 7, at: 2, current: over, beside: creeping).contains(.goToNext))
    }

    @Test func aPauseOfTheComposersEndsTheListening() {
        var course = NextPieceDetector()
        let pausing = Line(from: 10, tempo: 0)
        let waiting = Line(from: 0, tempo: 0, state: .waiting)
        #expect(moves(&course, seconds: 5, current: pausing, isQuiet: true) == [.listenForNext])
        #expect(!course.isBetweenPieces)
        let going = moves(
            &course, seconds: 4, at: 5, current: Line(from: 10),
            beside: Line(from: waiting.from, tempo: 0, state: .waiting, confidence: 0))
        #expect(going == [.stopListening])
    }

    @Test func aMistakeIsUndone() {
        var course = NextPieceDetector()
        let over = Line(from: 17, tempo: 0)
        _ = moves(&course, seconds: 2, current: over)
        _ = moves(&course, seconds: 1.6, at: 2, current: over, beside: Line(from: 0, confidence: 0.3))
        // The one before is heard beside now, and it goes on where it rested.
        let back = moves(
            &course, seconds: 4, at: 3.6, current: Line(from: 2, confidence: 0.1),
            beside: Line(from: 17.2, tempo: 0.5))
        #expect(back == [.returnToPrevious])
    }

    @Test func whoProvesItselfIsNotTakenBack() {
        var course = NextPieceDetector()
        let over = Line(from: 19.9, tempo: 0)
        _ = moves(&course, seconds: 2, current: over)
        _ = moves(&course, seconds: 1.6, at: 2, current: over, beside: Line(from: 0, confidence: 0.3))
        // The piece before hears something alike elsewhere.
        let after = moves(
            &course, seconds: 12, at: 3.6, current: Line(from: 1.6, confidence: 0.3), beside: Line(from: 4))
        #expect(after == [.forgetPrevious])
    }
}
