import Features
import FFTWTransform
import MusicalTime
import Testing

@testable import Following

/// Every method follows by every feature.
@Suite struct FollowingMethodTests {
    private static let duet = Duet(measures: 8, seed: 3)
    private static let model = Result { try duet.model() }

    struct Means: Sendable {
        var method: FollowingMethod
        var features: FrameFeatures
    }

    static let all = FollowingMethod.allCases.flatMap { method in
        FrameFeatures.allCases.map { Means(method: method, features: $0) }
    }

    private func follower(_ means: Means) throws -> ConcertFollower {
        ConcertFollower(
            programme: Programme(title: "Duet", models: [try Self.model.get()], features: means.features),
            rate: Duet.rate, transforms: FFTWSpectrumMaker(), method: means.method)
    }

    @Test(arguments: all) func aSlowerPerformanceIsFollowed(means: Means) throws {
        let reports = try follower(means).reports(Self.duet.samples(tempo: 0.85)).map(\.report)
        #expect(reports.count > 18 * 50)
        #expect(reports.worstError(from: 3, to: 17) { $0 * 0.85 } < 0.5)
    }

    @Test(arguments: all) func aPersonWhoSaysWhereTheMusicIsIsBelieved(means: Means) throws {
        let concert = try follower(means)
        let sound = Self.duet.samples()
        concert.anchor(at: ReferenceTime(seconds: 8))
        let reports = concert.reports(Array(sound[(8 * Int(Duet.rate.hertz))...])).map(\.report)
        #expect(reports.worstError(from: 1, to: 7) { $0 + 8 } < 0.4)
    }

    @Test(arguments: all) func whatIsSaidDoesNotDependOnTheBlocks(means: Means) throws {
        let part = Array(Self.duet.samples()[..<(4 * Int(Duet.rate.hertz))])
        #expect(try follower(means).reports(part, block: 441) == follower(means).reports(part, block: 4096))
    }

    @Test(arguments: FrameFeatures.allCases) func aModelIsReadyWithFramesOfItsFeatures(
        features: FrameFeatures
    ) throws {
        let model = try Self.model.get()
        let ready = model.readyToFollow(by: features)
        #expect(ready.features == features)
        #expect(ready.tiles?.first?.dimensions == (features == .bands ? 144 : 12))
        #expect(ready.frameCount == model.frameCount)
    }

    /// Another key is searched for in chroma as in bands.
    @Test(arguments: FrameFeatures.allCases) func theFilterFindsAnotherKey(features: FrameFeatures) throws {
        let concert = try follower(Means(method: .forwardFilter, features: features))
        let last = concert.reports(Self.duet.samples(semitones: 2)).last
        #expect(last?.report.transpositionSemitones == 2)
    }
}
