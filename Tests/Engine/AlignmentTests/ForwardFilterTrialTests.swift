import MusicalTime
import Testing

@testable import Alignment

@Suite struct ForwardFilterTrialTests {
    private static let reference = Melody(noteCount: 95, seed: 21).frames()

    private static var withoutLookBack: ForwardFilterParameters {
        var parameters = ForwardFilterParameters()
        parameters.lookBackFrames = 0
        return parameters
    }

    /// The number of frames after which a jump from one frame to another is noticed; nil if it never is.
    private func framesToNotice(
        left: Int, entered: Int, parameters: ForwardFilterParameters = ForwardFilterParameters()
    ) -> Int? {
        var hearing = Hearing(Self.reference, parameters: parameters)
        hearing.hear(Self.reference.part(0..<left))
        let after = hearing.hear(Self.reference.part(entered..<entered + 450))
        return after.firstIndex { $0.hasJumped }.map { $0 - after.startIndex }
    }

    @Test(arguments: [(400, 1000), (1100, 500), (900, 0)])
    func aJumpIsNoticedSoonerByWhatWasHeardBeforeItWasTried(left: Int, entered: Int) throws {
        let without = try #require(
            framesToNotice(left: left, entered: entered, parameters: Self.withoutLookBack))
        let with = try #require(framesToNotice(left: left, entered: entered))
        #expect(with < without)
    }

    @Test func framesFromBeforeTheJumpOnlyTakeTheTimeToGoThroughThem() throws {
        // The new place does not explain them, so the trial begins anew until the jump is reached.
        var parameters = ForwardFilterParameters()
        parameters.lookBackFrames = 200
        let long = try #require(framesToNotice(left: 700, entered: 200, parameters: parameters))
        let without = try #require(
            framesToNotice(left: 700, entered: 200, parameters: Self.withoutLookBack))
        #expect(long < without + 200 / 8)
    }

    @Test func theFollowedPlaceIsTheRightOneAtOnceAfterAJump() throws {
        var hearing = Hearing(Self.reference)
        hearing.hear(Self.reference.part(0..<400))
        let after = hearing.hear(Self.reference.part(1000..<1400))
        let jump = try #require(after.firstIndex { $0.hasJumped })
        #expect(abs(after[jump].referenceFrame - Double(1000 + jump - after.startIndex)) < 12)
    }

    @Test func aGivenPlaceIsTriedByNothingThatWasHeardBefore() {
        var hearing = Hearing(Self.reference)
        hearing.hear(Self.reference.part(0..<400))
        hearing.filter.takeOperatorPosition(at: FeatureFrameIndex(1000), tempo: nil)
        #expect(hearing.filter.heardFrames.firstNumber == hearing.filter.heardFrames.endNumber)
        hearing.hear(Self.reference.part(1000..<1010))
        hearing.filter.begin(at: FeatureFrameIndex(0))
        #expect(hearing.filter.heardFrames.firstNumber == hearing.filter.heardFrames.endNumber)
    }

    @Test func aRivalExplainsEightFramesAHopUntilItHasCaughtUp() {
        let filter = Hearing(Self.reference).filter
        for _ in 0..<40 {
            filter.heardFrames.add(
                HeardFrames.Frame(fit: 1, logLikelihood: -0.5),
                weightedValues: Array(repeating: 0, count: Self.reference.dimensions))
        }
        filter.rivalWindow.placeMusic(at: 300, spreadFrames: 25, tempo: 1)
        filter.trial = RivalTrial(referenceFrame: 340, tempo: 1, nextNumber: 0)
        var hops = 0
        while let trial = filter.trial, trial.nextNumber < filter.heardFrames.endNumber, hops < 10 {
            _ = filter.advanceTrial()
            hops += 1
        }
        #expect(hops == 5)
    }
}
