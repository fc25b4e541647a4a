import Basics
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

    /// A strophe, something else, and the strophe with another voice above it.
    private static let strophes: ReferenceFeatureFrames = {
        let first = reference.part(0..<800)
        let between = Melody(noteCount: 40, seed: 22).frames()
        let second = first.mixed(with: Melody(noteCount: 95, seed: 23).frames().part(0..<800), share: 0.6)
        return ReferenceFeatureFrames(
            featureValues: first.featureValues + between.featureValues + second.featureValues,
            dimensions: first.dimensions,
            powerByFrame: first.powerByFrame + between.powerByFrame + second.powerByFrame)
    }()

    @Test func aMomentThatSoundsLikeAnotherStropheDoesNotEndThisOne() {
        let second = Self.strophes.frameCount - 800
        for explainingGain in [0.1, 99] {
            var parameters = ForwardFilterParameters()
            parameters.explainingGain = explainingGain
            var hearing = Hearing(Self.strophes, parameters: parameters)
            hearing.hear(Self.strophes.part(0..<500))
            hearing.hear(Self.strophes.part(second + 500..<second + 500 + 90))
            hearing.hear(Self.strophes.part(500 + 90..<760))
            #expect(hearing.jumps == (explainingGain == 99 ? 2 : 0))
        }
    }

    @Test func aStropheThatGoesOnLikeAnotherIsLeftForIt() {
        let second = Self.strophes.frameCount - 800
        var hearing = Hearing(Self.strophes)
        hearing.hear(Self.strophes.part(0..<400))
        let after = hearing.hear(Self.strophes.part(second + 400..<second + 790))
        #expect(abs((after.last?.referenceFrame ?? 0) - Double(second + 790)) < 25)
    }

    @Test func aDropoutSpeaksNeitherForAPlaceNorAgainstIt() {
        var hearing = Hearing(Self.reference)
        hearing.hear(Self.reference.part(0..<400))
        hearing.hear(.silence(100), isDropout: true)
        let heard = hearing.filter.heardFrames
        #expect((heard.firstNumber..<heard.endNumber).allSatisfy { heard[$0].fit == 0 })
        hearing.hear(Self.reference.part(500..<505))
        #expect((heard.firstNumber..<heard.endNumber).allSatisfy { abs(heard[$0].fit) < 50 })
    }

    @Test func musicWhoseBeginningWasNotHeardIsFoundWhereItHasComeTo() throws {
        var hearing = Hearing(Self.reference)
        hearing.hear(.noise(1200, seed: 7))
        let after = hearing.hear(Self.reference.part(1250..<1500))
        let jump = try #require(after.firstIndex { $0.hasJumped })
        #expect(jump - after.startIndex < 150)
        #expect(abs(after[jump].referenceFrame - Double(1250 + jump - after.startIndex)) < 25)
    }

    @Test func aPersonsWordNeedsNoProofAndAFoundPlaceDoes() {
        var hearing = Hearing(Self.reference, start: nil)
        hearing.hear(Self.reference.part(700..<710))
        #expect(!hearing.filter.isPositionProven)
        hearing.filter.takeOperatorPosition(at: FeatureFrameIndex(710), tempo: nil)
        #expect(hearing.filter.isPositionProven)
        hearing.filter.takeUp(at: FeatureFrameIndex(710), tempo: .unity)
        #expect(!hearing.filter.isPositionProven)
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
