import Basics
import Testing

@testable import Alignment

@Suite struct KeySearchTests {
    private static let reference = Melody(noteCount: 95, seed: 51).frames()

    /// The same frames as they look with the bands so many semitones off.
    private func shifted(_ frames: ReferenceFeatureFrames, by semitones: Int) -> ReferenceFeatureFrames {
        let count = Melody.partCount
        var values: [Float] = []
        for start in stride(from: 0, to: frames.featureValues.count, by: count) {
            for value in 0..<count {
                values.append(frames.featureValues[start + (value + semitones + count) % count])
            }
        }
        return ReferenceFeatureFrames(
            featureValues: values, dimensions: frames.dimensions, powerByFrame: frames.powerByFrame)
    }

    /// Hears frames in keys from one below to one above.
    private func hear(_ live: ReferenceFeatureFrames, _ keys: MusicalKeySearch) {
        let transposed = (-1...1).map { shifted(live, by: $0) }
        for frame in 0..<live.frameCount {
            for key in 0..<3 {
                transposed[key].featureValues.withUnsafeBufferPointer {
                    keys.advanceKey(
                        key, LiveFeatureFrame(featureValues: $0.baseAddress! + frame * live.dimensions))
                }
            }
        }
    }

    /// Hum has no key, however well it fits one.
    @Test func theRoomAloneSaysNothingOfTheKey() {
        let (_, keys) = made(start: nil)
        keys.noteRoom(isStandingOut: false, isRoomAlone: true, isSilent: true, isNewSilence: true)
        hear(shifted(Self.reference.part(600..<800), by: -1), keys)
        #expect((0..<3).allSatisfy { keys.bestKeyLead(over: $0) == 0 })
    }

    private func made(start: Int?) -> (ForwardFilter, MusicalKeySearch) {
        let filter = ForwardFilter(references: [Self.reference])
        filter.begin(at: start.map { FeatureFrameIndex($0) })
        let keys = filter.makeMusicalKeySearch(keys: 3, framesPerSecond: 50)
        filter.passAwaitedFrame(keys)
        return (filter, keys)
    }

    private func follow(_ live: ReferenceFeatureFrames, _ filter: ForwardFilter) -> [MusicAlignmentEstimate] {
        live.featureValues.withUnsafeBufferPointer { values in
            (0..<live.frameCount).map {
                filter.advance(LiveFeatureFrame(featureValues: values.baseAddress! + $0 * live.dimensions))
            }
        }
    }

    /// Wherever in the piece it is, and whether or not anybody knows.
    @Test(arguments: [-1, 0, 1], [nil, 0])
    func theKeyThatIsPlayedExplainsMost(key: Int, start: Int?) {
        let (_, keys) = made(start: start)
        // Sound that is a semitone higher fits bands that are a semitone higher.
        let place = start ?? 600
        hear(shifted(Self.reference.part(place..<place + 200), by: -key), keys)
        #expect(keys.bestKey == key + 1)
        #expect(keys.bestKeyLead(over: (key + 2) % 3) > 12)
        #expect(keys.bestKeyLead(over: keys.bestKey) == 0)
    }

    @Test func whatWasHeardBeforeTheMusicSaysNothingOfItsKey() {
        let (_, keys) = made(start: 0)
        hear(shifted(Self.reference.part(0..<200), by: -1), keys)
        #expect(keys.bestKeyLead(over: 1) > 12)
        keys.setAwaitedFrame(nil)
        #expect((0..<3).allSatisfy { keys.bestKeyLead(over: $0) == 0 })
    }

    @Test func whatWasHeardLongAgoIsForgotten() {
        let (_, keys) = made(start: nil)
        hear(shifted(Self.reference.part(200..<800), by: -1), keys)
        #expect(keys.bestKey == 2)
        hear(shifted(Self.reference.part(900..<1200), by: 1), keys)
        #expect(keys.bestKey == 0)
    }

    @Test func whileNothingIsHeardNoKeyLeads() {
        let (_, keys) = made(start: nil)
        for _ in 0..<200 {
            for key in 0..<3 {
                ReferenceFeatureFrames.silence(1).featureValues.withUnsafeBufferPointer {
                    keys.advanceKey(key, LiveFeatureFrame(featureValues: $0.baseAddress!, isDropout: true))
                }
            }
        }
        #expect((0..<3).allSatisfy { keys.bestKeyLead(over: $0) < 0.1 })
    }

    @Test func anAdoptedKeyIsFollowedFromWhereItIs() {
        let (filter, keys) = made(start: 300)
        hear(Self.reference.part(300..<500), keys)
        filter.continueInKey(keys, key: 1)
        let estimates = follow(Self.reference.part(500..<700), filter)
        for (number, estimate) in estimates.enumerated().dropFirst(10) {
            #expect(abs(estimate.referenceFrame - Double(500 + number)) < 12)
        }
        #expect(estimates.last?.hasBegun == true)
    }

    /// Nobody had said where it would begin, and nothing was recognised in the wrong key.
    @Test func anAdoptedKeyMayBringThePlace() {
        let (filter, keys) = made(start: nil)
        hear(Self.reference.part(800..<1000), keys)
        filter.continueInKey(keys, key: 1)
        let estimates = follow(Self.reference.part(1000..<1100), filter)
        #expect(estimates.first?.hasJumped == true)
        #expect(estimates.dropFirst().allSatisfy { !$0.hasJumped })
        #expect(abs((estimates.last?.referenceFrame ?? 0) - 1099) < 12)
    }

    @Test func whileNothingHasBegunAnAdoptedKeyWaits() {
        let (filter, keys) = made(start: 300)
        hear(.noise(200, seed: 4), keys)
        filter.continueInKey(keys, key: 2)
        let estimates = follow(.silence(20), filter)
        #expect(estimates.allSatisfy { !$0.hasBegun && $0.referenceFrame > 200 && $0.referenceFrame < 700 })
    }

    /// On 90 minutes of reference one search takes some two milliseconds of a frame's twenty.
    @Test func noFrameBearsMoreThanTwoKeys() {
        let filter = ForwardFilter(references: [Self.reference])
        filter.begin(at: nil)
        let keys = filter.makeMusicalKeySearch(keys: 7, framesPerSecond: 50)
        let live = Self.reference.part(300..<400)
        var moved: [Int] = []
        live.featureValues.withUnsafeBufferPointer { values in
            for frame in 0..<live.frameCount {
                let before = keys.keySearches.map(\.stepLogLikelihood)
                for key in 0..<7 {
                    keys.advanceKey(
                        key, LiveFeatureFrame(featureValues: values.baseAddress! + frame * live.dimensions))
                }
                moved.append(zip(before, keys.keySearches).count { $0 != $1.stepLogLikelihood })
            }
        }
        #expect(moved.allSatisfy { $0 <= 2 })
        // Nineteen whole rounds of all keys, and none beside the filter's own search.
        #expect(moved.reduce(0, +) == 19 * 7)
        #expect(stride(from: 4, to: 100, by: 5).allSatisfy { moved[$0] == 0 })
    }

    @Test func keysThatWakeMoveInStepWithTheFilter() {
        let (filter, keys) = made(start: nil)
        _ = follow(Self.reference.part(300..<303), filter)
        filter.restartKeySearch(keys)
        // Two frames until the filter's next pooled one, five for the keys' first.
        hear(Self.reference.part(303..<310), keys)
        #expect(keys.keySearches.allSatisfy { $0.stepLogLikelihood == 0 && $0.framesInPool == 0 })
        hear(Self.reference.part(310..<314), keys)
        #expect(keys.keySearches.allSatisfy { $0.stepLogLikelihood != 0 })
    }
}
