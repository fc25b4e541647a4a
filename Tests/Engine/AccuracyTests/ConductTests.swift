import Testing

@testable import Accuracy

@Suite struct ConductTests {
    private func conduct(_ truth: GroundTruth, _ trace: FollowTrace) -> FollowerBehaviour {
        FollowerBehaviour(truth: truth, trace: trace, samples: SampledPositions(truth: truth, trace: trace))
    }

    @Test func aStepBackIsCountedOnce() throws {
        let truth = try Made.truth(Array(1...10))
        let found = conduct(truth, Made.trace(truth) { $0 < 11 ? $1 : max(1, $1 - 2) })
        #expect(found.backwardStepCount == 1)
        #expect(conduct(truth, Made.trace(truth)).backwardStepCount == 0)
    }

    @Test func aRepeatExcusesOneStepBack() throws {
        let truth = try Made.truth(Array(1...6) + Array(3...8))
        #expect(conduct(truth, Made.trace(truth)).backwardStepCount == 0)
        let twice = Made.trace(truth) { $0 > 19 && $0 < 20 ? $1 - 2 : $1 }
        #expect(conduct(truth, twice).backwardStepCount == 1)
    }

    @Test func knownWrongIsDoubtOrState() throws {
        let truth = try Made.truth(Array(1...20))
        let wrong = { (time: Double, place: Double) -> Double? in time < 21 ? place : max(1, place - 5) }
        #expect(conduct(truth, Made.trace(truth, measure: wrong)).admittedShareOfWrongSeconds == 0)
        let doubting = Made.trace(truth, measure: wrong, confidence: { $0 < 21 ? 1 : 0.4 })
        #expect(conduct(truth, doubting).admittedShareOfWrongSeconds == 1)
        let lost = Made.trace(truth, measure: wrong, state: { $0 < 31 ? .following : .lost })
        #expect(abs((conduct(truth, lost).admittedShareOfWrongSeconds ?? 0) - 0.5) < 0.02)
        #expect(abs((conduct(truth, lost).longestStaySecondsByState[.lost] ?? 0) - 10) < 0.05)
        #expect(conduct(truth, Made.trace(truth)).admittedShareOfWrongSeconds == nil)
    }

    @Test func aPlaceIsDecidedOnceItIsRightAndShownAsCertain() throws {
        let truth = try Made.truth(Array(1...20))
        let jump = MusicDisruption(kind: "cut", end: 11)
        func seconds(_ trace: FollowTrace, _ disruption: MusicDisruption? = jump) -> [Double?] {
            FollowerBehaviour(
                truth: truth, trace: trace, samples: SampledPositions(truth: truth, trace: trace),
                disruption: disruption
            ).secondsUntilDecided
        }
        let wrong = { (time: Double, place: Double) -> Double? in (11..<15) ~= time ? 1 : place }
        let wrongThenUndecided = Made.trace(
            truth, measure: wrong, state: { (15..<20.05) ~= $0 ? .undecided : .following })
        let cases: [(FollowTrace, Double)] = [
            (Made.trace(truth), 0), (Made.trace(truth, measure: wrong), 4), (wrongThenUndecided, 9.1),
        ]
        for (trace, expected) in cases {
            let measured = try #require(seconds(trace).first ?? nil)
            #expect(abs(measured - expected) < 0.15, "\(expected) s")
        }
        #expect(seconds(Made.trace(truth, state: { $0 > 12 ? .undecided : .following })) == [nil])
        #expect(seconds(Made.trace(truth), nil).isEmpty)
        let unscored = MusicDisruption(kind: "before", end: 1, isRecoveryScored: false)
        #expect(seconds(Made.trace(truth), unscored).isEmpty)
    }

    @Test func aWrongBarIsCertainUnlessDoubtIsAdmittedOrTheMusicIsAwaited() throws {
        let truth = try Made.truth(Array(1...20))
        let wrong = { (time: Double, place: Double) -> Double? in time < 21 ? place : max(1, place - 5) }
        let all = conduct(truth, Made.trace(truth, measure: wrong))
        #expect(all.wrongSeconds > 10 && all.wrongCertainSeconds == all.wrongSeconds)
        let perHour = try #require(all.wrongCertainSecondsPerHour)
        #expect(abs(perHour - 3_600 * all.wrongSeconds / all.judgedSeconds) < 0.001)
        for state in [FollowTrace.State.undecided, .coasting, .lost, .waiting] {
            let half = conduct(
                truth, Made.trace(truth, measure: wrong, state: { $0 < 31 ? .following : state }))
            #expect(abs(half.wrongCertainSeconds - half.wrongSeconds / 2) < 0.5, "\(state)")
        }
        let doubted = conduct(truth, Made.trace(truth, state: { $0 < 31 ? .following : .undecided }))
        #expect(doubted.wrongCertainSecondsPerHour == 0)
        let share = try #require(doubted.doubtedShareOfRightSeconds)
        #expect(share > 0.2 && share < 0.6)
    }
}
