import Basics
import Testing

@testable import Alignment

@Suite struct OnlineTimeWarpingTests {
    private func warping(
        _ reference: ReferenceFeatureFrames,
        _ settings: OnlineTimeWarpingSettings = OnlineTimeWarpingSettings()
    ) -> OnlineTimeWarping {
        OnlineTimeWarping(
            referenceTiles: TiledReferenceFrames(
                frames: reference.featureValues, dimensions: reference.dimensions),
            settings: settings)
    }

    private func follow(
        _ method: OnlineTimeWarping, _ live: ReferenceFeatureFrames, isQuiet: Bool = false,
        isDropout: Bool = false
    ) -> [MusicAlignmentEstimate] {
        live.featureValues.withUnsafeBufferPointer { values in
            (0..<live.frameCount).map {
                method.advance(
                    LiveFeatureFrame(
                        featureValues: values.baseAddress! + $0 * live.dimensions, isQuiet: isQuiet,
                        isDropout: isDropout))
            }
        }
    }

    @Test func theReferenceItselfIsFollowedFrameByFrame() {
        // Four times as long as the band.
        let frames = Melody(noteCount: 125).frames()
        #expect(frames.frameCount > 1900)
        let estimates = follow(warping(frames), frames)
        #expect(estimates.map(\.referenceFrame) == (0..<frames.frameCount).map(Double.init))
        #expect(
            estimates.dropFirst(100).allSatisfy {
                abs($0.tempo.value - 1) < 1e-9 && $0.standstillProbability < 1e-9
            })
        #expect(
            estimates.dropFirst(100).allSatisfy { $0.probability > 0.5 && $0.probability <= 1 && $0.fit > 0 })
    }

    /// All path costs by definition, then the walk along their edges: what the method computes in a band.
    @Test(arguments: [UInt64(1), 2, 3, 4])
    func aSlowImplementationGoesTheSameWay(seed: UInt64) {
        let reference = Melody(noteCount: 14, seed: seed).frames()
        let live = Melody(noteCount: 14, seed: seed).frames(tempo: seed % 2 == 0 ? 0.8 : 1.3)
        let settings = OnlineTimeWarpingSettings(bandFrames: 500, maximumStepsOnOneSide: 3, openingFrames: 10)
        let expected = SlowOnlineWarping(reference, live, settings).positions
        #expect(follow(warping(reference, settings), live).map(\.referenceFrame) == expected.map(Double.init))
    }

    @Test(arguments: [0.5, 0.75, 1.25, 2])
    func aSteadyTempoIsFollowed(tempo: Double) {
        let melody = Melody(noteCount: 120)
        let (reference, live) = (melody.frames(), melody.frames(tempo: tempo))
        let estimates = follow(warping(reference), live)
        for (frame, estimate) in estimates.enumerated().dropFirst(200) {
            // A note of the melody lasts up to 24 reference frames, and is known once it is struck.
            #expect(abs(estimate.referenceFrame - Double(frame) * tempo) <= 24)
        }
        // Late enough that the slope sees no catching up.
        let tempi = estimates.dropFirst(400).map(\.tempo.value)
        #expect(abs(tempi.reduce(0, +) / Double(tempi.count) - tempo) < 0.05 * tempo)
    }

    @Test func noReportGoesBackOrTooFar() {
        let reference = Melody(noteCount: 60, seed: 5).frames()
        let live = Melody(noteCount: 90, seed: 6).frames() + .silence(100)
        let settings = OnlineTimeWarpingSettings(bandFrames: 100)
        let frames = follow(warping(reference, settings), live).map(\.referenceFrame)
        #expect(zip(frames, frames.dropFirst()).allSatisfy { $0 <= $1 && $1 - $0 <= 5 })
        #expect(frames.allSatisfy { $0 >= 0 && $0 <= Double(reference.frameCount - 1) })
    }

    @Test func itBeginsWhereItIsTold() {
        let frames = Melody(noteCount: 60).frames()
        let method = warping(frames)
        method.begin(at: FeatureFrameIndex(300))
        let estimates = follow(method, frames.part(300..<frames.frameCount))
        #expect(estimates.map(\.referenceFrame) == (300..<frames.frameCount).map(Double.init))
        method.begin(at: FeatureFrameIndex(1 << 40))
        #expect(
            follow(method, frames.part(0..<30)).allSatisfy {
                $0.referenceFrame == Double(frames.frameCount - 1)
            })
        method.begin(at: FeatureFrameIndex(-1))
        #expect(follow(method, frames.part(0..<30)).map(\.referenceFrame) == (0..<30).map(Double.init))
    }

    @Test func aNewBeginningForgetsEverything() {
        let (reference, live) = (Melody(noteCount: 50).frames(), Melody(noteCount: 50).frames(tempo: 1.2))
        let method = warping(reference)
        let first = follow(method, live)
        method.begin(at: nil)
        #expect(follow(method, live) == first)
    }

    @Test func beforeTheFirstNoteItWaits() {
        let frames = Melody(noteCount: 40).frames()
        let method = warping(frames)
        method.begin(at: FeatureFrameIndex(0))
        let waiting = follow(method, .silence(200), isQuiet: true)
        #expect(waiting.allSatisfy { $0.referenceFrame == 0 && $0.standstillProbability == 1 })
        #expect(follow(method, frames).map(\.referenceFrame) == (0..<frames.frameCount).map(Double.init))
    }

    @Test func throughADeadCableItGoesOn() {
        let frames = Melody(noteCount: 80).frames()
        let method = warping(frames)
        _ = follow(method, frames.part(0..<400))
        let gap = follow(method, .silence(100), isDropout: true)
        // Both sides go on in the tempo there was.
        #expect(abs(gap[99].referenceFrame - 499) <= 1)
        let after = follow(method, frames.part(500..<900))
        #expect(abs(after[399].referenceFrame - 899) <= 24)
    }

    @Test func aReferenceOfOneFrameIsAReference() {
        let one = Melody(noteCount: 2).frames().part(0..<1)
        #expect(follow(warping(one), Melody(noteCount: 10).frames()).allSatisfy { $0.referenceFrame == 0 })
    }
}
