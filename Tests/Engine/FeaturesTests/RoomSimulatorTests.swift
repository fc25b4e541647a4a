import Basics
import Foundation
import Testing

@testable import Features

@Suite struct RoomSimulatorTests {
    private static let rate = SampleRate(hertz: 22_050)
    private static let hall = RoomShape(reverberationSeconds: 1.6, directToReverberantDecibels: 0)

    /// Returns a sound with the reverberation of the room. The simulator gets it in blocks of the given length.
    private func heard(_ sound: [Float], in room: RoomShape = hall, block: Int = 4096) -> [Float] {
        let simulator = RoomSimulator(room, rate: Self.rate)
        var samples = sound
        samples.withUnsafeMutableBufferPointer { all in
            for start in stride(from: 0, to: all.count, by: block) {
                simulator.addReverberation(
                    to: UnsafeMutableBufferPointer(rebasing: all[start..<min(start + block, all.count)]))
            }
        }
        return samples
    }

    /// Four periods of some pitch, then silence.
    private func pulse(hertz: Double, seconds: Double) -> [Float] {
        let length = Int(4 / hertz * Self.rate.hertz)
        return (0..<Int(seconds * Self.rate.hertz)).map { sample in
            guard sample < length else { return 0 }
            let window = 0.5 - 0.5 * cos(2 * .pi * Double(sample) / Double(length))
            return Float(window * sin(2 * .pi * hertz * Double(sample) / Self.rate.hertz))
        }
    }

    private func energy(_ samples: some Sequence<Float>) -> Double {
        samples.reduce(0) { $0 + Double($1) * Double($1) }
    }

    /// The time in which the energy that is still to come falls by 60 dB, measured from -5 to -35 dB.
    private func decaySeconds(_ reverberation: [Float]) -> Double {
        var rest = energy(reverberation)
        let all = rest
        var (first, last) = (0, 0)
        for (sample, value) in reverberation.enumerated() {
            rest -= Double(value) * Double(value)
            if rest > all * 0.3162 { first = sample }
            if rest > all * 0.0003162 { last = sample }
        }
        return 2 * Double(last - first) / Self.rate.hertz
    }

    @Test func theDirectSoundKeepsItsTimeAndItsLevel() {
        var impulse = [Float](repeating: 0, count: 2000)
        impulse[100] = 0.5
        let heard = heard(impulse)
        #expect(heard[..<100].allSatisfy { $0 == 0 } && heard[100] == 0.5)
        // The shortest way through the room takes 19.7 ms longer.
        #expect(heard[101..<533].allSatisfy { $0 == 0 })
        #expect(heard[533...].contains { $0 != 0 })
    }

    @Test(arguments: [
        RoomShape(reverberationSeconds: 1, directToReverberantDecibels: 6), hall,
        RoomShape(reverberationSeconds: 3, directToReverberantDecibels: -12),
    ])
    func theReverberationHasTheEnergyAndTheDecayOfTheRoom(room: RoomShape) {
        // Low enough for the filters to leave the sound as it is.
        let sound = pulse(hertz: 110, seconds: 6)
        let reverberation = zip(heard(sound, in: room), sound).map { $0 - $1 }
        let decibels = 10 * log10(energy(sound) / energy(reverberation))
        #expect(abs(decibels - room.directToReverberantDecibels) < 2)
        #expect(abs(decaySeconds(reverberation) / room.reverberationSeconds - 1) < 0.2)
    }

    @Test func highFrequenciesDecayFaster() {
        let times = [110.0, 1_000, 4_000].map { hertz in
            let sound = pulse(hertz: hertz, seconds: 4)
            return decaySeconds(zip(heard(sound), sound).map { $0 - $1 })
        }
        #expect(times[0] > times[1] && times[1] > times[2])
    }

    @Test(arguments: [1, 7, 441])
    func theRoomDoesNotDependOnTheBlocks(block: Int) {
        let sound = pulse(hertz: 440, seconds: 0.3)
        #expect(heard(sound, block: block) == heard(sound))
    }

    @Test func samplesThatAreNoSoundAddNoReverberation() {
        var sound = [Float](repeating: 0, count: 4000)
        sound[10] = .nan
        sound[11] = .infinity
        sound[12] = 1e30
        #expect(heard(sound)[13...].allSatisfy { $0 == 0 })
    }
}
