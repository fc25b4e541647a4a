import Basics
import Features
import Sound
import Testing

@testable import Following

/// Every method follows by every feature.
@Suite struct FollowingMethodTests {
    private static let duet = Duet(measures: 8, seed: 3)
    private static let model = Result { try duet.model() }

    struct Means: Sendable {
        var method: FollowingMethod
        var features: FeatureKind
    }

    static let all = FollowingMethod.allCases.flatMap { method in
        FeatureKind.allCases.map { Means(method: method, features: $0) }
    }

    private func follower(_ means: Means) throws -> ConcertFollower {
        ConcertFollower(
            programme: ConcertProgramme(
                title: "Duet", pieceModels: [try Self.model.get()], features: means.features),
            sampleRate: Duet.rate, transforms: FFTWSpectrumMaker(), method: means.method)
    }

    @Test(arguments: all) func aSlowerPerformanceIsFollowed(means: Means) throws {
        let reports = try follower(means).reports(Self.duet.samples(tempo: 0.85)).map(\.positionReport)
        #expect(reports.count > 18 * 50)
        #expect(reports.worstError(from: 3, to: 17) { $0 * 0.85 } < 0.5)
    }

    @Test(arguments: all) func aPersonWhoSaysWhereTheMusicIsIsBelieved(means: Means) throws {
        let concert = try follower(means)
        let sound = Self.duet.samples()
        concert.takeOperatorPosition(at: ReferenceTime(seconds: 8))
        let reports = concert.reports(Array(sound[(8 * Int(Duet.rate.hertz))...])).map(\.positionReport)
        #expect(reports.worstError(from: 1, to: 7) { $0 + 8 } < 0.4)
    }

    @Test(arguments: all) func whatIsSaidDoesNotDependOnTheBlocks(means: Means) throws {
        let part = Array(Self.duet.samples()[..<(4 * Int(Duet.rate.hertz))])
        #expect(try follower(means).reports(part, block: 441) == follower(means).reports(part, block: 4096))
    }

    @Test(arguments: FeatureKind.allCases) func aModelIsReadyWithFramesOfItsFeatures(
        features: FeatureKind
    ) throws {
        let model = try Self.model.get()
        let ready = model.preparedForFollowing(by: features)
        #expect(ready.featureKind == features)
        #expect(ready.tiledFramesByRecording?.first?.dimensions == (features == .chroma ? 12 : 144))
        #expect(ready.timelineFrameCount == model.timelineFrameCount)
    }

    /// Another key is searched for in chroma as in bands.
    @Test(arguments: FeatureKind.allCases) func theFilterFindsAnotherKey(features: FeatureKind) throws {
        let concert = try follower(Means(method: .forwardFilter, features: features))
        let last = concert.reports(Self.duet.samples(semitones: 2)).last
        #expect(last?.positionReport.transpositionSemitones == 2)
    }
}
