import Basics
import Foundation
import Repository
import Sound

/// The beginning of a performance of the minuet by other players than the reference's: bar 12 begins at 18.9 s of it,
/// bar 13 at 20.8 s.
struct MinuetPerformance {
    static let piece = "petzold-anna-magdalena-notebook-minuet-in-g"
    static let models = Repository.root.appending(path: "Models").path
    static let recordings = Repository.root.appending(path: "Recordings").path
    private static let seconds = 62.0

    let rate: SampleRate
    private let samples: [Float]

    init() throws {
        let reader = try SoundFileReader(path: "\(Self.recordings)/\(Self.piece)/gentle/audio.ogg")
        rate = reader.sampleRate
        var samples: [Float] = []
        var block = [Float](repeating: 0, count: 1 << 16)
        while samples.count < Int(Self.seconds * rate.hertz) {
            let count = try block.withUnsafeMutableBufferPointer { try reader.read(into: $0) }
            samples += block[..<count]
        }
        self.samples = samples
    }

    func part(from: Double, to: Double) -> [Float] {
        Array(samples[Int(from * rate.hertz)..<Int(to * rate.hertz)])
    }
}
