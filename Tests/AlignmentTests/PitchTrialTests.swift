import MusicalTime
import Testing

@testable import Alignment

@Suite struct PitchTrialTests {
    private static let reference = Melody(noteCount: 95, seed: 51).frames()

    /// The same frames as they look with the bands so many semitones off.
    private func shifted(_ frames: ReferenceFrames, by semitones: Int) -> ReferenceFrames {
        let count = Melody.partCount
        var values: [Float] = []
        for start in stride(from: 0, to: frames.values.count, by: count) {
            for value in 0..<count {
                values.append(frames.values[start + (value + semitones + count) % count])
            }
        }
        return ReferenceFrames(values: values, dimensions: frames.dimensions, power: frames.power)
    }

    /// Hears frames in keys from one below to one above.
    private func hear(_ live: ReferenceFrames, _ filter: ForwardFilter, _ trial: PitchTrial) {
        let keys = (-1...1).map { shifted(live, by: $0) }
        for frame in 0..<live.frameCount {
            for key in 0..<3 {
                keys[key].values.withUnsafeBufferPointer {
                    filter.advance(
                        trial, key: key, LiveFrame(values: $0.baseAddress! + frame * live.dimensions))
                }
            }
        }
    }

    private func follow(_ live: ReferenceFrames, _ filter: ForwardFilter) -> [AlignmentEstimate] {
        live.values.withUnsafeBufferPointer { values in
            (0..<live.frameCount).map {
                filter.advance(LiveFrame(values: values.baseAddress! + $0 * live.dimensions))
            }
        }
    }

    @Test(arguments: [-1, 0, 1])
    func theKeyThatIsPlayedExplainsMost(key: Int) {
        let filter = ForwardFilter(references: [Self.reference])
        let trial = filter.makePitchTrial(keys: 3)
        filter.begin(at: FrameIndex(0))
        filter.begin(trial, at: FrameIndex(0))
        // What sounds a semitone higher looks right in bands that are a semitone higher.
        hear(shifted(Self.reference.part(0..<200), by: -key), filter, trial)
        let likelihoods = (0..<3).map(trial.logLikelihood)
        #expect(likelihoods.indices.max { likelihoods[$0] < likelihoods[$1] } == key + 1)
        #expect(trial.followedFrames(of: key + 1) > 100)
    }

    @Test func anAdoptedKeyIsFollowedFromWhereItIs() {
        let filter = ForwardFilter(references: [Self.reference])
        let trial = filter.makePitchTrial(keys: 3)
        filter.begin(at: FrameIndex(300))
        filter.begin(trial, at: FrameIndex(300))
        hear(Self.reference.part(300..<500), filter, trial)
        filter.adopt(trial, key: 1)
        let estimates = follow(Self.reference.part(500..<700), filter)
        for (frame, estimate) in estimates.enumerated() {
            #expect(abs(estimate.frame - Double(500 + frame)) < 12 && !estimate.jumped)
        }
    }

    @Test func aNewBeginningForgetsTheLikelihoods() {
        let filter = ForwardFilter(references: [Self.reference])
        let trial = filter.makePitchTrial(keys: 3)
        filter.begin(trial, at: nil)
        hear(Self.reference.part(0..<50), filter, trial)
        #expect(trial.followedFrames(of: 1) > 0 && trial.logLikelihood(of: 1) != 0)
        filter.begin(trial, at: FrameIndex(1 << 40))
        #expect((0..<3).allSatisfy { trial.logLikelihood(of: $0) == 0 && trial.followedFrames(of: $0) == 0 })
    }
}
