import Basics
import Platform
import Testing

@testable import Performance
@testable import ShowStages

/// The recorder hears exactly what the follower hears, and can never hold up the follower.
@Suite struct CapturedSoundTests {
    private func makeLane() throws -> FollowLane {
        try FollowLane(LiveFolder.concert(LiveFolder.programme(seeds: [1], seconds: 3)))
    }

    private func send(_ samples: [Float], to sound: CapturedSound, at nanoseconds: Int64) {
        samples.withUnsafeBufferPointer {
            sound.write($0, capturedAt: MonotonicInstant(nanoseconds: nanoseconds))
        }
    }

    private func readAll(_ ring: SampleRing) -> [Float] {
        [Float](unsafeUninitializedCapacity: ring.availableSamples) { buffer, count in
            count = ring.read(into: buffer)
        }
    }

    @Test func bothRingsGetTheSameSamplesAndTimes() throws {
        let (lane, recording) = (try makeLane(), SampleRing(capacity: 1_024))
        let sound = CapturedSound(for: lane, recordingRing: recording)
        send([0.1, 0.2, 0.3], to: sound, at: 1_000)
        sound.writeSilence(count: 2, capturedAt: MonotonicInstant(nanoseconds: 2_000))
        send([0.4], to: sound, at: 3_000)
        #expect(lane.ring.newestBlockStamp == recording.newestBlockStamp)
        #expect(readAll(recording) == [0.1, 0.2, 0.3, 0, 0, 0.4])
        #expect(readAll(lane.ring) == [0.1, 0.2, 0.3, 0, 0, 0.4])
    }

    @Test func aRecorderThatDoesNotReadCostsTheFollowerNothing() throws {
        let (lane, recording) = (try makeLane(), SampleRing(capacity: 16))
        let sound = CapturedSound(for: lane, recordingRing: recording)
        for block in 0..<100 { send([Float](repeating: 0.5, count: 10), to: sound, at: Int64(block)) }
        #expect(readAll(lane.ring) == [Float](repeating: 0.5, count: 1_000))
        #expect(lane.ring.overflowedSamples == 0)
        #expect(recording.overflowedSamples == 984)
    }
}
