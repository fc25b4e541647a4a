import Basics
import Foundation
import Sound
import Testing

@testable import TakeReport

/// A mistake is named, a right note is never accused, and what the sound does not show is not judged.
@Suite struct NoteJudgeTests {
    private static let hertz = 11_025.0
    private static let pitches = [60, 64, 67, 65, 62, 69, 66, 63, 70, 61, 68, 65, 59, 64, 66, 71]

    /// A melody with a note each 0.4 s.
    private static let melody = pitches.enumerated().map { index, pitch in
        ExpectedNote(pitch: pitch, onset: 0.5 + 0.4 * Double(index), duration: 0.38)
    }

    /// Harmonic tones that die away, with a little noise.
    private func sound(_ notes: [ExpectedNote], noise: Float = 0.0005) -> [Float] {
        var chance = SeededRandomGenerator(seed: 11)
        var samples = (0..<Int(8.5 * Self.hertz)).map { _ in noise * Float.random(in: -1...1, using: &chance)
        }
        for note in notes {
            let ground = 440 * pow(2, Double(note.pitch - 69) / 12)
            let first = Int(note.onset * Self.hertz)
            for index in 0..<Int(note.duration * Self.hertz) where first + index < samples.count {
                let time = Double(index) / Self.hertz
                let loudness = min(time / 0.01, 1) * exp(-3 * time) * min((note.duration - time) / 0.02, 1)
                let tone = (1...6).reduce(0) { $0 + sin(2 * .pi * ground * Double($1) * time) / Double($1) }
                samples[first + index] += Float(0.1 * loudness * tone)
            }
        }
        return samples
    }

    private func judged(_ played: [ExpectedNote], noise: Float = 0.0005) -> NoteReport {
        NoteJudge(samples: sound(played, noise: noise), hertz: Self.hertz, transforms: FFTWSpectrumMaker())
            .judge(Self.melody)
    }

    private func changed(_ index: Int, _ change: (inout ExpectedNote) -> Void) -> [ExpectedNote] {
        var notes = Self.melody
        change(&notes[index])
        return notes
    }

    @Test func rightNotesAreNotAccused() {
        let report = judged(Self.melody)
        #expect(report.verdicts.filter(\.isAccusation).isEmpty && report.extras.isEmpty, "\(report)")
        #expect(report.verdicts.count { $0 == .right } >= 12)
    }

    @Test func aNoteASemitoneTooHighIsWrong() {
        for (index, step) in [(5, 1), (8, -1)] {
            let pitch = Self.pitches[index] + step
            let report = judged(changed(index) { $0.pitch = pitch })
            #expect(report.verdicts[index] == .wrong(pitch: pitch))
            #expect(report.verdicts.filter(\.isAccusation).count == 1)
        }
    }

    @Test func aNoteThatIsNotPlayedIsMissing() {
        var notes = Self.melody
        notes.remove(at: 7)
        let report = judged(notes)
        #expect(report.verdicts[7] == .missing)
        #expect(report.verdicts.filter(\.isAccusation).count == 1)
    }

    @Test func aLateNoteIsLate() throws {
        let report = judged(changed(6) { ($0.onset, $0.duration) = ($0.onset + 0.12, 0.26) })
        guard case .late(let seconds) = report.verdicts[6] else {
            Issue.record("\(report.verdicts[6])")
            return
        }
        #expect(abs(seconds - 0.12) < 0.03)
    }

    @Test func anEvenPaceOfTheWholeTakeIsNotLate() {
        let slow = Self.melody.map {
            ExpectedNote(pitch: $0.pitch, onset: $0.onset + 0.05, duration: $0.duration)
        }
        #expect(judged(slow).verdicts.filter(\.isAccusation).isEmpty)
    }

    @Test func noiseIsNotJudged() {
        let report = judged([], noise: 0.05)
        #expect(report.verdicts.allSatisfy { $0 == .unknown(.noise) } && report.extras.isEmpty)
    }

    @Test func aNoteUnderAnotherOnesPartialsIsNotJudged() {
        let notes = Self.melody + [ExpectedNote(pitch: 72, onset: 0.5, duration: 0.38)]
        let order = notes.sorted { ($0.onset, $0.pitch) < ($1.onset, $1.pitch) }
        let report = NoteJudge(
            samples: sound(Self.melody), hertz: Self.hertz, transforms: FFTWSpectrumMaker()
        ).judge(order)
        #expect(order[1].pitch == 72 && report.verdicts[1] == .unknown(.covered))
    }

    /// Chords of a ground note, its fifth, and its octave, whose partials the ground note has too.
    private static let octaves = [48, 53, 50, 55, 51, 46, 52, 49, 54, 47, 50, 53].enumerated().flatMap {
        index, pitch in
        [0, 7, 12].map {
            ExpectedNote(pitch: pitch + $0, onset: 0.5 + 0.6 * Double(index), duration: 0.55)
        }
    }

    @Test(arguments: [1, -1])
    func anOctaveThatIsWrongIsFoundThoughItsOwnPartialsAreCovered(step: Int) {
        var played = Self.octaves
        played[8].pitch += step
        func verdicts(_ played: [ExpectedNote]) -> [NoteVerdict] {
            NoteJudge(samples: sound(played), hertz: Self.hertz, transforms: FFTWSpectrumMaker())
                .judge(Self.octaves).verdicts
        }
        #expect(verdicts(played)[8] == .wrong(pitch: played[8].pitch))
        let right = verdicts(Self.octaves)
        #expect(right[8] == .unknown(.covered))
        #expect(right.filter(\.isAccusation).isEmpty, "\(right)")
    }

    @Test func aNoteIsLateAgainstItsChordAlsoIfTheBarsAreMisplaced() throws {
        let roots = [60, 65, 62, 67, 63, 58, 64, 61, 66, 59, 62, 65]
        // The alignment is up to 60 ms off, otherwise at each chord.
        let off = [0.05, -0.06, 0.06, -0.04, 0.05, -0.06, 0.04, -0.05, 0.06, -0.06, 0.05, -0.04]
        let notes = roots.enumerated().flatMap { index, root in
            [0, 4, 9].map {
                ExpectedNote(pitch: root + $0, onset: 0.5 + 0.6 * Double(index), duration: 0.55)
            }
        }
        var (expected, played) = (notes, notes)
        for index in expected.indices { expected[index].onset += off[index / 3] }
        played[16].onset += 0.1
        let verdicts = NoteJudge(
            samples: sound(played), hertz: Self.hertz, transforms: FFTWSpectrumMaker()
        ).judge(expected).verdicts
        guard case .late(let seconds) = verdicts[16] else {
            Issue.record("\(verdicts[16])")
            return
        }
        #expect(abs(seconds - 0.1) < 0.03)
        #expect(verdicts.filter(\.isAccusation).count == 1, "\(verdicts)")
    }

    @Test func whatBeginsAfterTheLastNoteIsNotExtra() {
        // The take goes on with notes that are judged apart.
        let whole = sound(Self.melody)
        let report = NoteJudge(samples: whole, hertz: Self.hertz, transforms: FFTWSpectrumMaker())
            .judge(Array(Self.melody.prefix(12)))
        #expect(report.extras.isEmpty && report.verdicts.filter(\.isAccusation).isEmpty)
    }

    /// Open chords that are strummed eight times each: every string rings into the next stroke.
    private static let strums = [[40, 47, 52, 56, 59, 64], [45, 52, 57, 61, 64]].enumerated().flatMap {
        half, chord in
        (0..<8).flatMap { stroke in
            chord.enumerated().map { string, pitch in
                ExpectedNote(
                    pitch: pitch, onset: 0.5 + 0.45 * Double(8 * half + stroke) + 0.008 * Double(string),
                    duration: 0.44)
            }
        }
    }

    @Test func strummedChordsAreJudged() {
        func verdicts(_ played: [ExpectedNote]) -> [NoteVerdict] {
            NoteJudge(samples: sound(played), hertz: Self.hertz, transforms: FFTWSpectrumMaker())
                .judge(Self.strums).verdicts
        }
        let right = verdicts(Self.strums)
        #expect(right.filter(\.isAccusation).isEmpty, "\(right)")
        let count = right.count { $0 == .right }
        #expect(count * 2 >= right.count, "\(count) of \(right.count)")
        // A minor third is never called right.
        var minor = Self.strums
        for index in minor.indices where minor[index].pitch == 56 { minor[index].pitch = 55 }
        let other = verdicts(minor)
        #expect(
            !Self.strums.indices.contains { Self.strums[$0].pitch == 56 && other[$0] == .right }, "\(other)")
    }
}
