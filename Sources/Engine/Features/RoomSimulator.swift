import Basics
import RealModule

/// Adds a room's reverberation to a recording, block by block. The direct sound keeps its time and its level.
///
/// Sixteen delay lines feed each other through a matrix that keeps the energy. A low-pass filter in each line makes
/// high frequencies decay faster, as air and seats do.
///
/// Belongs to one thread; no allocation after `init`. Cost: some 150 operations a sample.
/// - Source: feedback delay network with absorbent filters after J.-M. Jot, A. Chaigne, "Digital delay networks for
///   designing artificial reverberators", AES 90th Convention, 1991.
public final class RoomSimulator {
    /// The lengths of the delay lines. They have no common period, so that their echoes do not add up to a tone.
    private static let delaysInSeconds = [
        0.0197, 0.0223, 0.0251, 0.0283, 0.0311, 0.0347, 0.0379, 0.0409,
        0.0443, 0.0479, 0.0521, 0.0557, 0.0601, 0.0641, 0.0691, 0.0733,
    ]
    /// The strength of the low-pass filters, which make the reverberation darker; long lines have stronger ones. Chosen
    /// by measurement, for ``designRateHertz``.
    private static let darkness = 15.0
    /// The sample rate for which the filters are computed; at other rates they have the same cut-off frequencies.
    private static let designRateHertz = 22_050.0
    /// 36 dB above full scale; a larger sample counts as silence.
    private static let loudestSample: Float = 64

    private let lengths: [Int]
    private let starts: [Int]
    /// The samples of all delay lines, one line after the other.
    private let lines: UnsafeMutablePointer<Float>
    /// For each line, the offset of its oldest sample.
    private let positions: UnsafeMutablePointer<Int>
    /// The newest output of each line's low-pass filter.
    private var filtered = SIMD16<Float>.zero
    /// For each line, the factor by which a sound decays on its way through.
    private let decays: SIMD16<Float>
    /// For each line, the pole of its low-pass filter.
    private let poles: SIMD16<Float>
    /// For each line, the sign with which it takes part in the input and the output.
    private let signs: SIMD16<Float>
    private let reverberationLevel: Float

    public init(_ room: RoomShape, rate: SampleRate) {
        let lengths = Self.delaysInSeconds.map { max(Int(($0 * rate.hertz).rounded()), 1) }
        self.lengths = lengths
        starts = lengths.indices.map { lengths[..<$0].reduce(0, +) }
        var decays = SIMD16<Float>.zero
        var poles = SIMD16<Float>.zero
        var signs = SIMD16<Float>.zero
        for line in lengths.indices {
            let decibels = 60 * Double(lengths[line]) / rate.hertz / room.reverberationSeconds
            decays[line] = Float(Double.pow(10, -decibels / 20))
            let pole = min(Double.log(10) / 80 * decibels * Self.darkness, 0.9)
            poles[line] = Float(Double.pow(pole, Self.designRateHertz / rate.hertz))
            signs[line] = line % 3 == 1 || line % 5 == 2 ? -1 : 1
        }
        self.decays = decays
        self.poles = poles
        self.signs = signs
        let sampleCount = lengths.reduce(0, +)
        // Each line emits the energy of an impulse once in a mean delay, each time weaker by the decay in between.
        let meanDelaySeconds = Double(sampleCount) / Double(lengths.count) / rate.hertz
        let kept = Double.pow(10, -6 * meanDelaySeconds / room.reverberationSeconds)
        let energy = Double(lengths.count) / (1 - kept)
        let wanted = Double.pow(10, -room.directToReverberantDecibels / 10)
        reverberationLevel = Float((wanted / energy).squareRoot())
        lines = .allocate(capacity: sampleCount)
        lines.initialize(repeating: 0, count: sampleCount)
        positions = .allocate(capacity: lengths.count)
        positions.initialize(repeating: 0, count: lengths.count)
    }

    deinit {
        lines.deallocate()
        positions.deallocate()
    }

    /// Adds the reverberation to the next samples of the recording.
    /// - Parameter samples: one channel, full scale ±1; receives what the microphone hears. Samples that are not finite
    ///   or absurdly large add no reverberation.
    public func addReverberation(to samples: UnsafeMutableBufferPointer<Float>) {
        for index in samples.indices {
            var arriving = SIMD16<Float>.zero
            for line in lengths.indices { arriving[line] = lines[starts[line] + positions[line]] }
            filtered += (arriving * decays - filtered) * (1 - poles)
            // A Householder matrix: each line receives itself minus an eighth of the sum of all.
            var leaving = filtered - filtered.sum() * (2 / 16)
            let sample = samples[index]
            if abs(sample) <= Self.loudestSample { leaving += signs * sample }
            for line in lengths.indices {
                let position = positions[line]
                lines[starts[line] + position] = leaving[line]
                positions[line] = position + 1 == lengths[line] ? 0 : position + 1
            }
            samples[index] = sample + (arriving * signs).sum() * reverberationLevel
        }
    }
}
