import Basics
import Following
import Glibc
import Platform
import Synchronization
import Testing

@testable import Performance
@testable import TestHelpers

/// A tablet takes the place of the server's own input and gives it back, and the number of samples tells the time.
@Suite(.ownThreads) struct RehearsalSoundSourceTests {
    private static let rate = SampleRate(hertz: 8_000)

    private final class SilentFollower: LiveAudioFollower {
        let programme = ConcertProgramme.empty(title: "Tonight")
        let sampleRate = RehearsalSoundSourceTests.rate
        var heardSamples: SampleTime { SampleTime(0) }
        var samplesToHopEnd: Int { 160 }
        func begin(at place: ProgrammePosition) {}
        func takeOperatorPosition(piece: Int, at place: ReferenceTime) {}
        func hearSamples(_ block: UnsafeBufferPointer<Float>, report: (ConcertReport) -> Void) {}
    }

    /// A device that gives the value 1 in real time, and counts how often it was begun.
    private final class Ones: SoundSource {
        let name = "hall"
        let rate = RehearsalSoundSourceTests.rate
        let begun = Atomic<Int>(0)
        let status = SoundSourceStatus()

        func deliverSamples(to sound: CapturedSound, until stop: StopRequest) {
            begun.add(1, ordering: .relaxed)
            while !stop.isMade {
                [Float](repeating: 1, count: 80).withUnsafeBufferPointer {
                    sound.write($0, capturedAt: MonotonicClock.now)
                }
                usleep(10_000)
            }
        }
    }

    private func read(_ lane: FollowLane) -> [Float] {
        var buffer = [Float](repeating: 0, count: lane.ring.capacity)
        let count = buffer.withUnsafeMutableBufferPointer { lane.ring.read(into: $0) }
        return Array(buffer.prefix(count))
    }

    private func withSource(
        _ body: (RehearsalSoundSource, Ones, FollowLane) async throws -> Void
    ) async throws {
        let (own, lane) = (Ones(), try FollowLane(SilentFollower()))
        let source = RehearsalSoundSource(own)
        let sound = CapturedSound(for: lane)
        let thread = try RealTimeThread(name: "capture", priority: nil) {
            source.deliverSamples(to: sound, until: $0)
        }
        defer { thread.stop() }
        try await body(source, own, lane)
    }

    private func write(_ value: Float, count: Int, to source: RehearsalSoundSource) {
        [Float](repeating: value, count: count).withUnsafeBufferPointer { source.feed.write($0) }
    }

    @Test func theTabletIsHeardInThePlaceOfTheDeviceUntilItIsGivenBack() async throws {
        try await withSource { source, own, lane in
            #expect(await eventually { read(lane).contains(1) })
            source.hearRemote(named: "Tablet")
            #expect(source.name == "Tablet")
            // Sound sent before the capture thread listens is not wanted.
            #expect(
                await eventually {
                    write(0.5, count: 80, to: source)
                    return read(lane).last == 0.5
                })
            // The level follows the sound; on a busy machine the next sound may be late.
            #expect(
                await eventually {
                    write(0.5, count: 80, to: source)
                    let status = source.status
                    return status.peak == 0.5 && !status.isLost
                })
            source.hearOwn()
            #expect(await eventually { read(lane).last == 1 })
            #expect(own.begun.load(ordering: .relaxed) == 2)
            #expect(source.name == "hall")
        }
    }

    @Test func lateSoundBecomesSilenceOfTheSameLengthAndTheInputIsLost() async throws {
        try await withSource { source, _, lane in
            source.hearRemote(named: "Tablet")
            #expect(await eventually { source.status.isLost })
            let heard = read(lane).filter { $0 == 0 }.count
            let patience = Int(Self.rate.hertz * Double(RehearsalSoundSource.patienceMilliseconds) / 1_000)
            #expect(heard >= patience)
            #expect(await eventually { source.status.lostSamples >= heard })
            #expect(source.status.remedy.contains("tablet"))
            // Late sound is left out; then the sound goes on.
            #expect(
                await eventually {
                    write(0.5, count: 4_000, to: source)
                    return read(lane).contains(0.5) && !source.status.isLost
                })
        }
    }
}
