import Basics
import Testing

@testable import Alignment

@Suite struct DistancePriorTests {
    private static let parameters = ForwardFilterParameters()
    private static let passage = whole(Melody(noteCount: 24, seed: 71).frames())
    private static let between = whole(Melody(noteCount: 96, seed: 72).frames())
    private static let length = passage.frameCount
    /// Where the passage returns.
    private static let secondTime = length + between.frameCount
    /// A passage, something else, and the passage again.
    private static let reference = ReferenceFeatureFrames(
        featureValues: passage.featureValues + between.featureValues + passage.featureValues,
        dimensions: passage.dimensions,
        powerByFrame: passage.powerByFrame + between.powerByFrame + passage.powerByFrame)
    /// Bars of one second.
    private static let bars = ReferenceBars(
        bars: (0..<reference.frameCount / 50).map { .init(firstFrame: 50 * $0, printedNumber: $0 + 1) })

    /// The frames without the last ones, so that both copies are pooled in the same way.
    private static func whole(_ frames: ReferenceFeatureFrames) -> ReferenceFeatureFrames {
        frames.part(0..<frames.frameCount / 50 * 50)
    }

    /// The reference if the passage is played a little differently the first time.
    private static let differentFirstTime = ReferenceFeatureFrames(
        featureValues: passage.mixed(with: .noise(length, seed: 9), share: 0.005).featureValues
            + Array(reference.featureValues.dropFirst(passage.featureValues.count)),
        dimensions: reference.dimensions, powerByFrame: reference.powerByFrame)

    /// A search that has heard the passage, and cannot know which time it is.
    private func searchThatHeardThePassage(
        trusting frame: Int?, in reference: ReferenceFeatureFrames = Self.reference,
        parameters: ForwardFilterParameters = Self.parameters
    ) -> WholeReferenceSearch {
        let search = WholeReferenceSearch(
            reference: CompactTiles(frames: reference.featureValues, dimensions: reference.dimensions),
            parameters: parameters)
        search.setBars(Self.bars)
        if let frame { search.trustBar(at: frame) }
        let live = Self.passage.part(100..<300)
        live.featureValues.withUnsafeBufferPointer { values in
            for frame in 0..<live.frameCount {
                _ = search.advance(values.baseAddress! + frame * live.dimensions, isDropout: false)
            }
        }
        return search
    }

    @Test func ofTwoCopiesTheOneThatIsNearerToTheLastTrustedPlaceIsTaken() {
        for trusted in [Self.length, Self.secondTime] {
            let place = searchThatHeardThePassage(trusting: trusted)
                .mostProbablePlace(awayFrom: nil, reachFrames: 0)
            let copy = trusted == Self.length ? 300 : Self.secondTime + 300
            #expect(abs(place.frame - copy) < 10)
            #expect(place.mass > 0.4)
        }
    }

    @Test func whereThePassageIsCertainTheNearerCopyNeedsOnlySomeOfTheProbability() {
        for isCertain in [true, false] {
            var parameters = Self.parameters
            parameters.certainCopiesProbability = isCertain ? 0.8 : 1.1
            let search = searchThatHeardThePassage(
                trusting: Self.length, in: Self.differentFirstTime, parameters: parameters)
            let near = search.probability(around: 300, reachFrames: 50)
            #expect(near > 0.05 && near < 0.3)
            let place = search.mostProbablePlace(awayFrom: nil, reachFrames: 0)
            #expect(abs(place.frame - (isCertain ? 300 : Self.secondTime + 300)) < 10)
        }
    }

    @Test func whereNothingIsKnownEitherCopyMayBeTakenButOnlyItsOwnProbabilityCounts() {
        let search = searchThatHeardThePassage(trusting: nil)
        let mass = search.mostProbablePlace(awayFrom: nil, reachFrames: 0).mass
        #expect(mass > 0.4 && mass < 0.6)
        search.trustBar(at: Self.secondTime)
        search.forgetTrustedBar()
        #expect(search.mostProbablePlace(awayFrom: nil, reachFrames: 0).mass == mass)
    }

    @Test func aPassageThatOccursOnceIsFoundHoweverFarAway() {
        let search = WholeReferenceSearch(
            reference: CompactTiles(
                frames: Self.reference.featureValues, dimensions: Self.reference.dimensions),
            parameters: Self.parameters)
        search.setBars(Self.bars)
        search.trustBar(at: 0)
        let (first, last) = (Self.secondTime - 300, Self.secondTime - 50)
        let live = Self.reference.part(first..<last)
        live.featureValues.withUnsafeBufferPointer { values in
            for frame in 0..<live.frameCount {
                _ = search.advance(values.baseAddress! + frame * live.dimensions, isDropout: false)
            }
        }
        let place = search.mostProbablePlace(awayFrom: 0, reachFrames: 75)
        #expect(abs(place.frame - last) < 50)
    }

    @Test func aBarEightBarsAwayIsAQuarterAsLikelyAsThePresentOne() {
        let prior = DistancePrior(reference: Self.bars, pooledFrameCount: 400, parameters: Self.parameters)
        #expect(!prior.hasTrustedBar)
        prior.trustBar(at: 500)
        #expect(prior.hasTrustedBar)
        // Bar 10 holds pooled frames 100 to 109.
        #expect(prior[100] == prior[109])
        #expect(prior[100] == 4 * prior[180])
        #expect(prior[20] == prior[180])
        #expect(prior[110] < prior[109] && prior[99] < prior[100])
    }

    @Test func anOperatorsBarIsTrustedUntilThePieceBeginsAgain() throws {
        let filter = ForwardFilter(references: [Self.reference])
        filter.setBars(Self.bars)
        #expect(filter.wholeReferenceSearch.knownDistancePrior == nil)
        filter.takeOperatorPosition(at: FeatureFrameIndex(Self.secondTime + 100), tempo: nil)
        let prior = try #require(filter.wholeReferenceSearch.knownDistancePrior)
        #expect(prior[(Self.secondTime + 100) / 5] > prior[20])
        filter.begin(at: FeatureFrameIndex(0))
        #expect(filter.wholeReferenceSearch.knownDistancePrior == nil)
    }

    @Test func withoutBarsNoPlaceIsPreferred() {
        let filter = ForwardFilter(references: [Self.reference])
        filter.trustBar(at: FeatureFrameIndex(Self.secondTime))
        #expect(filter.wholeReferenceSearch.knownDistancePrior == nil)
    }

    @Test func afterAStopTheSameCopyOfThePassageIsFound() {
        for start in [0, Self.secondTime] {
            var hearing = Hearing(Self.reference, start: start)
            hearing.filter.setBars(Self.bars)
            for frame in stride(from: 0, to: 300, by: 50) {
                hearing.hear(Self.passage.part(frame..<frame + 50))
                hearing.filter.trustBar(at: FeatureFrameIndex(start + frame + 40))
            }
            hearing.hear(.noise(400, seed: 5))
            let again = hearing.hear(Self.passage.part(100..<400))
            #expect(abs((again.last?.referenceFrame ?? 0) - Double(start + 400)) < 25)
        }
    }
}
