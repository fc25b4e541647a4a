import Chance
import Foundation
import MusicalTime

/// Three voices of decaying tones over a whisper of noise: the same notes each time, at any tempo.
///
/// Sounds like nothing anybody would listen to, but its frames differ from one to the next and follow each other
/// as music's do. Not for the follow lane: a note that begins computes sines.
struct SyntheticMusic {
    private let rate: Double
    private let secondsPerBeat: Double
    private var chance: SplitMix
    private var noise = SplitMix(seed: 7)
    private var voices: [Voice]

    /// - Parameter tempo: 1 as the reference is played, more for a faster performance.
    init(rate: SampleRate, tempo: TempoRatio = .unity) {
        self.rate = rate.hertz
        secondsPerBeat = 0.5 / tempo.value
        chance = SplitMix(seed: 1)
        voices = [48, 60, 72].map { Voice(lowest: $0) }
    }

    /// Plays on: fills a block with the next samples, full scale ±1.
    mutating func play(into block: UnsafeMutableBufferPointer<Float>) {
        for index in block.indices {
            var sum = Float(noise.next() >> 40) * 0x1p-24 * 2e-4
            for voice in voices.indices {
                if voices[voice].restSamples <= 0 {
                    voices[voice].begin(by: &chance, secondsPerBeat: secondsPerBeat, rate: rate)
                }
                sum += voices[voice].next()
            }
            block[index] = sum
        }
    }
}

/// One tone after another, each of four partials that turn by a fixed angle a sample.
private struct Voice {
    let lowest: Int
    var restSamples = 0.0
    private var degree = 3
    private var cosines = SIMD4<Float>.zero
    private var sines = SIMD4<Float>.zero
    private var turnCosines = SIMD4<Float>.zero
    private var turnSines = SIMD4<Float>.zero
    private var level: Float = 0
    private var fade: Float = 1

    init(lowest: Int) { self.lowest = lowest }

    private static let beats = [0.5, 0.5, 1, 1.5, 2]
    private static let scale = [0, 2, 4, 5, 7, 9, 11, 12]

    mutating func begin(by chance: inout SplitMix, secondsPerBeat: Double, rate: Double) {
        let beats = Self.beats[Int.random(in: 0..<Self.beats.count, using: &chance)]
        // What is left of a sample goes to the next note: a voice never drifts from the beat.
        restSamples += beats * secondsPerBeat * rate
        degree = min(max(degree + Int.random(in: -3...3, using: &chance), 0), Self.scale.count - 1)
        let accidental = Int.random(in: 0..<8, using: &chance) == 0 ? 1 : 0
        let pitch = lowest + Self.scale[degree] + accidental
        let hertz = 440 * pow(2, Double(pitch - 69) / 12)
        let angle = 2 * Double.pi * hertz / rate
        for partial in 0..<4 {
            let turn = angle * Double(partial + 1)
            turnCosines[partial] = Float(cos(turn))
            turnSines[partial] = Float(sin(turn))
        }
        sines = .zero
        cosines = SIMD4(1, 0.5, 0.33, 0.25)
        level = 0.1
        fade = Float(pow(2, -1 / (0.4 * rate)))
    }

    mutating func next() -> Float {
        (cosines, sines) = (
            cosines * turnCosines - sines * turnSines, sines * turnCosines + cosines * turnSines
        )
        level *= fade
        restSamples -= 1
        return sines.sum() * level
    }
}
