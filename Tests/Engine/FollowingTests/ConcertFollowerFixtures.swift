import Basics
import Features
import Following
import Score
import Sound

/// A piece made of chords, and the sound of it.
struct MadePiece {
    let samples: [Float]
    let model: ReferenceModel

    static let rate = SampleRate(hertz: 11_025)

    /// - Parameters:
    ///   - seed: chooses the chords.
    ///   - measures: of one second, two chords each.
    ///   - rooms: the rooms in which the reference is heard as well.
    init(_ name: String, seed: UInt64, measures: Int = 12, rooms: [RoomShape] = []) throws {
        var state = seed
        func draw(_ count: UInt64) -> Int {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Int((state >> 33) % count)
        }
        let length = Int(Self.rate.hertz) / 2
        var samples: [Float] = []
        for _ in 0..<2 * measures {
            let pitches = (0..<3).map { _ in 48 + draw(30) }
            samples += Self.chord(pitches, samples: length)
        }
        // The last chord dies away.
        samples += Silence.samples(seconds: 0.5)
        self.samples = samples
        let listening = ReferenceFrameExtractor(
            sampleRate: Self.rate, transforms: FFTWSpectrumMaker(), rooms: rooms)
        samples.withUnsafeBufferPointer { listening.addTuningPassSamples($0) }
        samples.withUnsafeBufferPointer { listening.addFramePassSamples($0) }
        let marks = (0..<measures).map {
            PlayedMeasure(printed: $0 + 1, onset: ReferenceTime(seconds: Double($0)))
        }
        model = ReferenceModel(
            pieceName: try PieceName(name),
            measures: try MeasureMap(marks: marks, end: ReferenceTime(seconds: Double(measures))),
            framesPerSecond: 50, framesByRecording: [listening.frames.packed],
            roomCopies: rooms.isEmpty ? [] : [listening.roomCopies])
    }

    /// The sound of the piece in a room.
    func samples(in room: RoomShape) -> [Float] {
        var wet = samples
        wet.withUnsafeMutableBufferPointer {
            RoomSimulator(room, rate: Self.rate).addReverberation(to: $0)
        }
        return wet
    }

    private static func chord(_ pitches: [Int], samples: Int) -> [Float] {
        var out = [Float](repeating: 0, count: samples)
        for pitch in pitches {
            // Each pitch's phase turns as a complex number; ten to the twelfth root of two by repeated products.
            var hertz = 440.0
            for _ in 0..<abs(pitch - 69) {
                hertz *= pitch > 69 ? 1.059_463_094_359_295 : 0.943_874_312_681_694
            }
            var phase = 0.0
            for index in 0..<samples {
                phase += hertz / rate.hertz
                phase -= phase.rounded(.down)
                // A parabola is close to a sine, with the odd harmonics a tone has.
                let wave = phase < 0.5 ? 16 * phase * (0.5 - phase) : -16 * (phase - 0.5) * (1 - phase)
                out[index] += Float(wave) * 0.1 * (1 - Float(index) / Float(samples))
            }
        }
        return out
    }
}

/// A room in which nothing is played.
enum Silence {
    static func samples(seconds: Double, rate: SampleRate = MadePiece.rate) -> [Float] {
        (0..<Int(seconds * rate.hertz)).map { Float(($0 * 7919) % 101 - 50) * 1e-6 }
    }
}

extension ConcertFollower {
    /// Hears all of some sound, in blocks.
    func reports(_ samples: [Float], block: Int = 512) -> [ConcertReport] {
        var out: [ConcertReport] = []
        samples.withUnsafeBufferPointer { all in
            for start in stride(from: 0, to: all.count, by: block) {
                let part = UnsafeBufferPointer(rebasing: all[start..<min(start + block, all.count)])
                hearSamples(part) { out.append($0) }
            }
        }
        return out
    }
}
