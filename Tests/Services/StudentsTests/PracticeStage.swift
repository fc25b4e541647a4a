import FFTWTransform
import Following
import Foundation
import MusicalTime
import Score

@testable import Students

/// A made piece, and a student who plays it.
enum PracticeStage {
    static let rate = SampleRate(hertz: 11_025)
    static let seconds = 12

    /// Half-second tones as a microphone of 16 bits gives them.
    static func playing(from start: Double = 0, to end: Double = Double(seconds)) -> [Int16] {
        let tones = melody().map { Int16(($0 * 32_767).rounded()) }
        return Array(tones[Int(start * rate.hertz)..<Int(end * rate.hertz)])
    }

    private static func melody() -> [Float] {
        (0..<Int(Double(seconds) * rate.hertz)).map { index in
            let tone = 2 * index / Int(rate.hertz)
            let hertz = 220 * pow(2, Double((tone * 11 + 3) % 24) / 12)
            let time = Double(index) / rate.hertz
            let age = time.truncatingRemainder(dividingBy: 0.5)
            return Float(
                (sin(2 * .pi * hertz * time) + 0.5 * sin(4 * .pi * hertz * time)) * 0.3 * exp(-3 * age))
        }
    }

    /// The piece with bars of one second.
    static func programme() throws -> ConcertProgramme {
        let samples = melody()
        let listening = ReferenceFrameExtractor(sampleRate: rate, transforms: FFTWSpectrumMaker())
        samples.withUnsafeBufferPointer { listening.addTuningPassSamples($0) }
        samples.withUnsafeBufferPointer { listening.addFramePassSamples($0) }
        let marks = (0..<seconds).map {
            PlayedMeasure(printed: $0 + 1, onset: ReferenceTime(seconds: Double($0)))
        }
        return ConcertProgramme(
            title: "Made",
            pieceModels: [
                ReferenceModel(
                    pieceName: try PieceName("Made: Study"),
                    measures: try MeasureMap(marks: marks, end: ReferenceTime(seconds: Double(seconds))),
                    framesPerSecond: 50, framesByRecording: [listening.frames.packed])
            ])
    }

    /// Cuts sound into blocks of a number of samples.
    static func blocks(_ samples: [Int16], of size: Int) -> [SoundBlock] {
        stride(from: 0, to: samples.count, by: size).enumerated().map { number, start in
            SoundBlock(
                sequence: UInt32(number), firstSample: start,
                samples: Array(samples[start..<min(start + size, samples.count)]))
        }
    }
}
