import Basics
import Features
import Foundation
import Testing

struct FrameBuilderTests {
    /// An arpeggio over three octaves.
    private let music = melody([48, 55, 60, 64, 67, 72, 76, 60, 53, 57, 65, 69])
    private let seconds = 4.8

    @Test func silenceResemblesNothing() {
        let heard = frames(silence, seconds: 1)
        #expect(heard.count == 50)
        #expect(heard.allSatisfy { $0.allSatisfy { $0 == 0 } })
    }

    /// Below the lowest band there is nothing to hear.
    @Test func directCurrentResemblesNothing() throws {
        let last = try #require(frames({ _ in 0.5 }, seconds: 1).last)
        // What rounding leaves of a Hann window's side bins, compressed.
        #expect(last.norm < 0.05)
    }

    /// All bands rise at once: an onset, but no harmony that stands out from its neighbours for long.
    @Test func anImpulseIsAnOnsetThatFades() {
        let heard = frames({ abs($0 - 0.5) < 1e-6 ? 1 : 0 }, seconds: 1.5)
        let onsets = heard.map(\.onsetPart.norm)
        #expect(onsets[..<24].allSatisfy { $0 == 0 })
        #expect((onsets[25...35].max() ?? 0) > 0)
        #expect((onsets.last ?? 1) < 0.01)
    }

    /// One sine for each pitch class, at every tuning a hall may have.
    @Test(arguments: 0..<12, [415.0, 430, 440, 442])
    func aSineLightsItsBandOnceRetuned(pitchClass: Int, a: Double) throws {
        for pitch in stride(from: 48 + pitchClass, to: 108, by: 12) {
            let heard = frames(sine(hertz(pitch, a: a)), seconds: 0.6, pitchOffsetCents: cents(a: a))
            let last = try #require(heard.last)
            #expect(last.pitchPart.strongestPitch == pitch)
        }
    }

    /// Each octave has filters of its own, around the tunings that a hall may have.
    @Test(arguments: [-1200.0, 1200], [-60.0, 0, 60])
    func aSineInAnotherOctaveLightsTheBandOfItsOwn(octaveCents: Double, tuningCents: Double) throws {
        let octave = Int(octaveCents / 100)
        for pitch in 60..<72 {
            let a = 440 * exp2(tuningCents / 1200)
            let heard = frames(
                sine(hertz(pitch + octave, a: a)), seconds: 0.6, pitchOffsetCents: octaveCents + tuningCents)
            #expect(try #require(heard.last).pitchPart.strongestPitch == pitch)
        }
    }

    @Test func retuningWhileListeningIsRetuningFromTheNextHopOn() throws {
        let flat = samples(sine(hertz(69, a: 415)), seconds: 1)
        let listener = Listener()
        listener.hear(flat)
        #expect(try #require(listener.frames.last).pitchPart.strongestPitch == 68)
        listener.builder.retune(pitchOffsetCents: cents(a: 415))
        listener.hear(flat)
        #expect(try #require(listener.frames.last).pitchPart.strongestPitch == 69)
    }

    @Test(arguments: 0..<12)
    func aSineThatBeginsIsAnOnsetInItsBand(pitchClass: Int) throws {
        let pitch = 60 + pitchClass
        let note = sine(hertz(pitch))
        let heard = frames({ $0 < 0.5 ? 0 : note($0) }, seconds: 0.7)
        #expect(heard[..<24].allSatisfy { $0.onsetPart.norm == 0 })
        #expect(try #require(heard.last).onsetPart.strongestPitch == pitch)
    }

    @Test func aSineThatGoesOnIsNoOnset() throws {
        let last = try #require(frames(sine(440), seconds: 3).last)
        #expect(last.pitchPart.norm > 0.7)
        #expect(last.onsetPart.norm < 0.1)
    }

    @Test(arguments: [0.1, 10])
    func loudnessChangesNothing(factor: Double) {
        let music = music
        let plain = frames(music, seconds: seconds)
        let scaled = frames({ factor * music($0) }, seconds: seconds)
        #expect(plain.count == scaled.count)
        for (one, other) in zip(plain, scaled) {
            // Frames are relative to the running level; only single precision's rounding is left.
            #expect(one.distance(to: other) < 1e-4)
        }
    }

    @Test(arguments: [1, 64, 441, 4096])
    func blocksOfAnySizeGiveTheSameFrames(blocks: Int) {
        let sound = samples(music, seconds: 2)
        let (whole, cut) = (Listener(), Listener())
        whole.hear(sound, blocks: sound.count)
        cut.hear(sound, blocks: blocks)
        #expect(whole.frames == cut.frames)
        #expect(whole.hops == cut.hops)
    }

    @Test(arguments: [44_100.0, 48_000])
    func theSampleRateHardlyMatters(hertz: Double) {
        let plain = frames(music, seconds: seconds)
        let other = frames(music, seconds: seconds, rate: SampleRate(hertz: hertz))
        #expect(plain.count == other.count)
        for (one, another) in zip(plain, other) {
            for (a, b) in [(one.pitchPart, another.pitchPart), (one.onsetPart, another.onsetPart)] {
                let dot = zip(a, b).map { $0 * $1 }.reduce(0, +)
                let cosine = a.norm * b.norm > 0 ? dot / (a.norm * b.norm) : 1
                // Windows are whole even numbers of samples: their lengths differ by up to one per cent,
                // and whitening over few bands makes more of the difference.
                #expect(cosine > 0.97)
            }
        }
    }

    @Test func noPartIsLongerThanOneOrNegative() {
        var noise: UInt32 = 1
        let sounds: [Sound] = [
            music, sine(440, amplitude: 100), { sin(2 * .pi * 440 * $0) > 0 ? 1 : -1 },
            { _ in
                noise = noise &* 1_664_525 &+ 1_013_904_223
                return Double(noise) / Double(UInt32.max) * 2 - 1
            },
        ]
        for sound in sounds {
            for frame in frames(sound, seconds: 2) {
                #expect(frame.allSatisfy { $0 >= 0 && $0.isFinite })
                // One, and rounding.
                #expect(frame.pitchPart.norm <= 1.00001)
                #expect(frame.onsetPart.norm <= 1.00001)
            }
        }
    }

    @Test func offsetsBeyondTheLibraryAreBentToItsEnds() {
        for offset in [-1e9, 1e9, -360, 360, 700, -1900] {
            #expect(frames(music, seconds: 0.5, pitchOffsetCents: offset).count == 25)
        }
    }
}
