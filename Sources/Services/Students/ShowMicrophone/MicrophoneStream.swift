import Basics
import Listening

/// The sound of one tablet in order, at the rate of the show, with its level and its losses.
struct MicrophoneStream: Sendable {
    private var sequencer: BlockSequencer
    /// Nil if the tablet has the rate of the show.
    private var resampler: Resampler?
    private let rate: Double
    private let begunAt: ContinuousClock.Instant
    private var samples: [Float] = []
    private var output: [Float] = []
    /// The greatest sample and the mean square of the newest request, full scale ±1.
    private(set) var peak: Float = 0
    private(set) var meanSquare: Float = 0

    /// The rates of microphones, in hertz. Others would need filters of millions of values.
    static let rates: Set<Int> = [
        8_000, 11_025, 16_000, 22_050, 24_000, 32_000, 44_100, 48_000, 88_200, 96_000, 176_400, 192_000,
    ]
    private static let silenceStep = 4_096

    /// - Parameters:
    ///   - rate: one of ``rates``.
    ///   - showRate: the rate of the show's sound.
    init(rate: Int, showRate: SampleRate, now: ContinuousClock.Instant) {
        self.rate = Double(rate)
        begunAt = now
        sequencer = BlockSequencer(hertz: Double(rate))
        let wanted = Int(showRate.hertz)
        resampler = rate == wanted ? nil : Resampler(from: rate, to: wanted)
    }

    /// The seconds that never came and were replaced by silence.
    var lostSeconds: Double { Double(sequencer.lostSamples) / rate }

    /// Takes blocks, and passes on the sound that is now in order, at the rate of the show.
    mutating func hear(
        _ blocks: [SoundBlock], now: ContinuousClock.Instant, pass: (UnsafeBufferPointer<Float>) -> Void
    ) throws(BlockSequencer.Fault) {
        (peak, meanSquare) = Self.level(of: blocks)
        // A microphone cannot have captured more than the time that has passed, with a minute of what it kept.
        let latest = ((now - begunAt) / .seconds(1) * 1.05 + 60) * rate
        for block in blocks {
            guard Double(block.endSample) <= latest else { throw .tooFarAhead }
            var pieces: [BlockSequencer.Piece] = []
            try sequencer.add(block) { pieces.append($0) }
            for piece in pieces { convert(piece, pass) }
        }
    }

    private mutating func convert(
        _ piece: BlockSequencer.Piece, _ pass: (UnsafeBufferPointer<Float>) -> Void
    ) {
        switch piece {
        case .samples(let taken):
            samples.removeAll(keepingCapacity: true)
            samples.append(contentsOf: taken.lazy.map { Float($0) / 32_768 })
            resample(pass)
        case .silence(let count):
            var rest = count
            while rest > 0 {
                samples = [Float](repeating: 0, count: min(rest, Self.silenceStep))
                rest -= samples.count
                resample(pass)
            }
        }
    }

    private mutating func resample(_ pass: (UnsafeBufferPointer<Float>) -> Void) {
        guard resampler != nil else { return samples.withUnsafeBufferPointer(pass) }
        output.removeAll(keepingCapacity: true)
        samples.withUnsafeBufferPointer { resampler?.process($0, into: &output) }
        output.withUnsafeBufferPointer(pass)
    }

    private static func level(of blocks: [SoundBlock]) -> (peak: Float, meanSquare: Float) {
        var (greatest, squares, count) = (Float(0), Float(0), 0)
        for block in blocks {
            for sample in block.samples {
                let value = Float(sample) / 32_768
                greatest = max(greatest, abs(value))
                squares += value * value
            }
            count += block.samples.count
        }
        return (greatest, squares / Float(max(count, 1)))
    }
}
