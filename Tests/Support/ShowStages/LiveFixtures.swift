import Basics
import Following
import Foundation
import Score
import Sound

@testable import Hosting
@testable import Performance

/// A folder of made recordings that goes with the test.
final class LiveFolder {
    let url: URL
    static let rate = SampleRate(hertz: 11_025)

    init() throws {
        url = FileManager.default.temporaryDirectory.appending(path: "baton-live-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(at: url) }

    func path(_ name: String) -> String { url.appending(path: name).path }

    /// A melody of half-second tones as a WAV file.
    func melody(_ name: String, seed: Int, seconds: Double, rate: SampleRate = rate) throws -> String {
        let writer = try SoundFileWriter(path: path(name), rate: rate)
        try writer.write(Self.melody(seed: seed, seconds: seconds, rate: rate))
        try writer.close()
        return path(name)
    }

    static func melody(seed: Int, seconds: Double, rate: SampleRate = rate) -> [Float] {
        (0..<Int(seconds * rate.hertz)).map { index in
            let tone = 2 * index / Int(rate.hertz)
            let hertz = 220 * pow(2, Double((tone * (2 * seed + 5) + seed) % 24) / 12)
            let time = Double(index) / rate.hertz
            let age = time.truncatingRemainder(dividingBy: 0.5)
            return Float(
                (sin(2 * .pi * hertz * time) + 0.5 * sin(4 * .pi * hertz * time)) * 0.3 * exp(-3 * age))
        }
    }

    /// A programme of melodies with measures of one second.
    static func programme(seeds: [Int], seconds: Int) throws -> ConcertProgramme {
        try ConcertProgramme(
            title: "Made",
            pieceModels: seeds.map { seed in
                let samples = melody(seed: seed, seconds: Double(seconds))
                let listening = ReferenceFrameExtractor(sampleRate: rate, transforms: FFTWSpectrumMaker())
                samples.withUnsafeBufferPointer { listening.addTuningPassSamples($0) }
                samples.withUnsafeBufferPointer { listening.addFramePassSamples($0) }
                let marks = (0..<seconds).map {
                    PlayedMeasure(printed: $0 + 1, onset: ReferenceTime(seconds: Double($0)))
                }
                return ReferenceModel(
                    pieceName: try PieceName("Made, Melody: \(seed)"),
                    measures: try MeasureMap(marks: marks, end: ReferenceTime(seconds: Double(seconds))),
                    framesPerSecond: 50, framesByRecording: [listening.frames.packed])
            })
    }

    static func concert(_ programme: ConcertProgramme) -> ConcertFollower {
        ConcertFollower(programme: programme, sampleRate: rate, transforms: FFTWSpectrumMaker())
    }
}
