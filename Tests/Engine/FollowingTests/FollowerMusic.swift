import Basics
import Following
import Foundation
import Score
import Sound

/// A made-up duet: a melody of quarter notes over held basses, two seconds a measure.
struct Duet {
    static let rate = SampleRate(hertz: 11_025)
    static let secondsPerMeasure = 2.0
    private var melody: [Int]
    private var basses: [Int]

    init(measures: Int, seed: UInt64) {
        var state = seed
        func draw(_ count: UInt64) -> Int {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Int((state >> 33) % count)
        }
        melody = (0..<4 * measures).map { _ in 60 + draw(22) }
        basses = (0..<measures).map { _ in 43 + draw(14) }
    }

    /// The same with a passage that returns note for note.
    /// - Parameter later: the first measure in which it is played again.
    func returning(_ passage: Range<Int>, at later: Int) -> Duet {
        var duet = self
        for measure in passage {
            let again = measure - passage.lowerBound + later
            duet.basses[again] = basses[measure]
            for note in 0..<4 { duet.melody[4 * again + note] = melody[4 * measure + note] }
        }
        return duet
    }

    var measures: Int { basses.count }

    /// How it sounds.
    /// - Parameters:
    ///   - semitones: higher than written.
    ///   - a: frequency of the A above middle C, in hertz.
    ///   - tempo: times as fast as two seconds a measure.
    func samples(semitones: Int = 0, a: Double = 440, tempo: Double = 1, level: Double = 1) -> [Float] {
        let noteSeconds = Self.secondsPerMeasure / 4 / tempo
        var out = [Float](repeating: 0, count: Int(Double(melody.count) * noteSeconds * Self.rate.hertz))
        for (note, pitch) in melody.enumerated() {
            add(
                pitch + semitones, a: a, from: Double(note) * noteSeconds, for: noteSeconds,
                level: 0.1 * level, to: &out)
        }
        for (measure, pitch) in basses.enumerated() {
            add(
                pitch + semitones, a: a, from: Double(4 * measure) * noteSeconds, for: 4 * noteSeconds,
                level: 0.07 * level, to: &out)
        }
        return out
    }

    /// A tone of four partials that dies away.
    private func add(
        _ pitch: Int, a: Double, from start: Double, for seconds: Double, level: Double,
        to out: inout [Float]
    ) {
        let hertz = a * pow(2, Double(pitch - 69) / 12)
        let first = Int(start * Self.rate.hertz)
        let count = min(Int(seconds * Self.rate.hertz), out.count - first)
        let turn = 2 * Double.pi * hertz / Self.rate.hertz
        let (turnCosine, turnSine, fade) = (cos(turn), sin(turn), exp(-2 / (seconds * Self.rate.hertz)))
        var (cosine, sine, strength) = (1.0, 0.0, level)
        for index in first..<first + count {
            // Partials two to four by the formulas of the multiple angle.
            let double = 2 * sine * cosine
            let triple = sine * (4 * cosine * cosine - 1)
            let quadruple = 2 * double * (1 - 2 * sine * sine)
            out[index] += Float(strength * (sine + double / 2 + triple / 3 + quadruple / 4))
            (cosine, sine) = (
                cosine * turnCosine - sine * turnSine, sine * turnCosine + cosine * turnSine
            )
            strength *= fade
        }
    }

    /// Made from the duet as written, at A = 440 Hz.
    func model() throws -> ReferenceModel {
        let samples = samples()
        let listening = ReferenceFrameExtractor(sampleRate: Self.rate, transforms: FFTWSpectrumMaker())
        samples.withUnsafeBufferPointer { listening.addTuningPassSamples($0) }
        samples.withUnsafeBufferPointer { listening.addFramePassSamples($0) }
        let marks = (0..<measures).map {
            PlayedMeasure(
                printed: $0 + 1, onset: ReferenceTime(seconds: Double($0) * Self.secondsPerMeasure))
        }
        return ReferenceModel(
            pieceName: try PieceName("Duet"),
            measures: try MeasureMap(
                marks: marks, end: ReferenceTime(seconds: Double(measures) * Self.secondsPerMeasure)),
            framesPerSecond: 50, framesByRecording: [listening.frames.packed])
    }

    /// A follower that waits for the first note.
    static func follower(_ model: ReferenceModel, start: ScorePosition? = .init(played: 0, fraction: 0))
        -> PieceFollower
    {
        PieceFollower(referenceModel: model, rate: rate, transforms: FFTWSpectrumMaker(), start: start)
    }

    /// An empty room: noise 80 dB below full scale, never digital silence.
    static func room(seconds: Double) -> [Float] {
        var state: UInt64 = 1
        return (0..<Int(seconds * rate.hertz)).map { _ in
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return (Float(state >> 40) / Float(1 << 24) - 0.5) * 4e-4
        }
    }
}

extension PieceFollower {
    /// Hears all of some sound, in blocks.
    func reports(_ samples: [Float], block: Int = 4096) -> [PositionReport] {
        var out: [PositionReport] = []
        samples.withUnsafeBufferPointer { all in
            for start in stride(from: 0, to: all.count, by: block) {
                hearSamples(UnsafeBufferPointer(rebasing: all[start..<min(start + block, all.count)])) {
                    out.append($0)
                }
            }
        }
        return out
    }
}

extension [PositionReport] {
    /// Largest distance between what is shown and where the music is, in seconds of reference.
    /// - Parameters:
    ///   - start: seconds of live audio before which nothing is judged.
    ///   - place: where in the reference the music is at a second of the live audio.
    func worstError(from start: Double, to end: Double = .infinity, _ place: (Double) -> Double) -> Double {
        filter { $0.liveTime.seconds >= start && $0.liveTime.seconds <= end }
            .map { abs(($0.referenceTime?.seconds ?? -.infinity) - place($0.liveTime.seconds)) }.max()
            ?? .infinity
    }
}
