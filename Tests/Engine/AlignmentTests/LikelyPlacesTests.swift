import Basics
import Testing

@testable import Alignment

@Suite struct LikelyPlacesTests {
    private static let melody = Melody(noteCount: 95, seed: 41)
    private static let reference = melody.frames()

    @Test func theyAreAtMostThreeInTheOrderOfTheirComing() {
        var places = LikelyReferencePlaces()
        #expect(places.isEmpty)
        for number in 0..<5 {
            places.append(LikelyReferencePlace(referenceFrame: Double(number), probability: 0.1))
        }
        #expect(places.map(\.referenceFrame) == [0, 1, 2])
    }

    @Test func whileNothingIsHeardThereAreNone() {
        var hearing = Hearing(Self.reference, start: nil)
        #expect(hearing.hear(.silence(100), isDropout: true).allSatisfy { $0.likelyPlaces.isEmpty })
    }

    @Test func whereTheMusicIsComesFirst() throws {
        var hearing = Hearing(Self.reference)
        let last = try #require(hearing.hear(Self.reference.part(0..<600)).last)
        let first = try #require(last.likelyPlaces.first)
        #expect(abs(first.referenceFrame - 600) < 25)
        #expect(first.probability > 0.8 && first.probability <= 1)
    }

    /// The same bars twice in the reference: both are named, with about the same belief.
    @Test func aRepeatedPassageIsNamedTwice() throws {
        let part = Self.reference.part(200..<700)
        let between = ReferenceFeatureFrames.noise(400, seed: 3)
        let twice = ReferenceFeatureFrames(
            featureValues: part.featureValues + between.featureValues + part.featureValues,
            dimensions: part.dimensions,
            powerByFrame: part.powerByFrame + between.powerByFrame + part.powerByFrame)
        var hearing = Hearing(twice, start: nil)
        let last = try #require(hearing.hear(part.part(60..<400)).last)
        let frames = last.likelyPlaces.map(\.referenceFrame).sorted()
        try #require(frames.count == 2, "\(Array(last.likelyPlaces))")
        #expect(abs(frames[0] - 400) < 25 && abs(frames[1] - 1300) < 25)
        #expect(last.likelyPlaces.allSatisfy { $0.probability > 0.3 })
        #expect(last.likelyPlaces.reduce(0) { $0 + $1.probability } <= 1.001)
    }

    @Test func aPersonsWordIsWhereTheMusicMayBe() throws {
        var hearing = Hearing(Self.reference)
        hearing.hear(Self.reference.part(0..<500))
        hearing.filter.takeOperatorPosition(at: FeatureFrameIndex(1200), tempo: nil)
        let said = try #require(hearing.hear(Self.reference.part(1200..<1201)).last)
        let first = try #require(said.likelyPlaces.first)
        #expect(abs(first.referenceFrame - 1200) < 50 && first.probability > 0.8)
    }
}
