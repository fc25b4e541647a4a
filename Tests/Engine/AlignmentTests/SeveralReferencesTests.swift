import Basics
import Testing

@testable import Alignment

/// More references never make it worse.
@Suite struct SeveralReferencesTests {
    private static let melody = Melody(noteCount: 95, seed: 21)
    private static let reference = melody.frames()

    /// How far estimates are from where the music is, on average over the later part, in frames.
    private func meanError(_ references: ReferenceFeatureFrames..., live: ReferenceFeatureFrames) -> Double {
        let filter = ForwardFilter(references: references)
        filter.begin(at: FeatureFrameIndex(0))
        var sum = 0.0
        live.featureValues.withUnsafeBufferPointer { values in
            for frame in 0..<live.frameCount {
                let said = filter.advance(
                    LiveFeatureFrame(featureValues: values.baseAddress! + frame * live.dimensions))
                if frame >= 100 { sum += abs(said.referenceFrame - Double(frame)) }
            }
        }
        return sum / Double(live.frameCount - 100)
    }

    /// A recording that has nothing to do with the music is soon not listened to.
    @Test func aUselessReferenceDoesNoHarm() {
        let live = Self.reference.part(0..<1200).mixed(with: .noise(1200, seed: 8), share: 0.5)
        let useless = ReferenceFeatureFrames.noise(Self.reference.frameCount, seed: 9)
        let alone = meanError(Self.reference, live: live)
        #expect(meanError(Self.reference, useless, live: live) < alone + 2)
        #expect(meanError(Self.reference, useless, useless, live: live) < alone + 2)
    }

    @Test func aSecondReferenceThatIsNearerHelps() {
        let live = Self.reference.part(0..<1200).mixed(with: .noise(1200, seed: 8), share: 0.5)
        let far = Self.reference.mixed(
            with: .noise(Self.reference.frameCount, seed: 10), share: 0.5)
        #expect(meanError(far, Self.reference, live: live) <= meanError(far, live: live))
    }
}
