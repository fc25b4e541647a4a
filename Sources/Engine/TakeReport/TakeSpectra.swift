import Features
import RealModule

/// The spectra of a take: magnitudes of overlapping windows, as far as the harmonics of notes need them.
///
/// Memory: 4 bytes × bins below 5 kHz for each hundredth of a second.
struct TakeSpectra {
    /// The seconds from one window to the next.
    static let hopSeconds = 0.01
    static let highestHertz = 5_000.0

    let frameCount: Int
    let binCount: Int
    let hertzPerBin: Double
    /// Magnitudes as `[frame][bin]`.
    private let magnitudes: [Float]

    /// - Parameters:
    ///   - seconds: the length of a window; it is rounded to a power of two of samples.
    ///   - samples: one channel.
    init(samples: [Float], hertz: Double, seconds: Double, transforms: any SpectrumTransformMaker) {
        var length = 256
        while Double(length) < seconds * hertz * 0.75 { length *= 2 }
        let transform = transforms.makeTransform(blockLength: length)
        let input = transform.input
        let perBin = hertz / Double(length)
        hertzPerBin = perBin
        let bins = min(length / 2, Int(Self.highestHertz / perBin)) + 1
        binCount = bins
        let hop = Self.hopSeconds * hertz
        frameCount = max(Int(Double(samples.count) / hop), 1)
        let window = (0..<length).map { index in
            Float(0.5 - 0.5 * Double.cos(2 * .pi * (Double(index) + 0.5) / Double(length)))
        }
        var found = [Float](repeating: 0, count: frameCount * bins)
        var power = [Float](repeating: 0, count: length / 2 + 1)
        for frame in 0..<frameCount {
            // The window's middle is the frame's instant.
            let start = Int((Double(frame) * hop).rounded()) - length / 2
            let heard = min(max(-start, 0), length)..<max(min(samples.count - start, length), 0)
            input.update(repeating: 0, count: length)
            samples.withUnsafeBufferPointer { samples in
                window.withUnsafeBufferPointer { window in
                    for index in heard { input[index] = samples[start + index] * window[index] }
                }
            }
            power.withUnsafeMutableBufferPointer { transform.transform(into: $0.baseAddress!) }
            for bin in 0..<bins { found[frame * bins + bin] = power[bin].squareRoot() }
        }
        magnitudes = found
    }

    /// The frame whose window has its middle at an instant; the nearest one outside the take.
    func frame(at seconds: Double) -> Int {
        min(max(Int((seconds / Self.hopSeconds).rounded()), 0), frameCount - 1)
    }

    /// The magnitude of the partial that stands within some cents of a frequency: a maximum of the spectrum, not the
    /// slope of a neighbour. 0 if there is none.
    func peak(_ frame: Int, hertz: Double, cents: Double) -> Float {
        let reach = max(hertz * (Double.exp2(cents / 1_200) - 1), hertzPerBin * 0.5)
        let low = max(Int(((hertz - reach) / hertzPerBin).rounded()), 1)
        let high = min(Int(((hertz + reach) / hertzPerBin).rounded()), binCount - 2)
        guard low <= high else { return 0 }
        let base = frame * binCount
        var most: Float = 0
        for bin in low...high {
            let value = magnitudes[base + bin]
            if value > most, value >= magnitudes[base + bin - 1], value >= magnitudes[base + bin + 1] {
                most = value
            }
        }
        return most
    }

    /// The magnitude at a frequency, whether it is a maximum or not.
    func magnitude(_ frame: Int, hertz: Double) -> Float {
        let bin = min(max(Int((hertz / hertzPerBin).rounded()), 1), binCount - 2)
        let base = frame * binCount + bin
        return max(magnitudes[base], magnitudes[base - 1], magnitudes[base + 1])
    }

    /// The typical magnitude between partials near a frequency: the lower quartile of about half an octave.
    func floor(_ frame: Int, hertz: Double) -> Float {
        let low = max(Int(hertz * 0.8 / hertzPerBin), 1)
        let high = min(max(Int(hertz * 1.25 / hertzPerBin), low + 8), binCount - 1)
        guard low < high else { return 0 }
        let base = frame * binCount
        let sorted = magnitudes[(base + low)...(base + high)].sorted()
        return sorted[sorted.count / 4]
    }

    /// The sum of magnitudes in a frame.
    func loudness(_ frame: Int) -> Float {
        magnitudes[frame * binCount..<(frame + 1) * binCount].reduce(0, +)
    }

    /// The sum of what rises from one frame to another, as a part of the loudness of the first.
    func rise(from first: Int, to second: Int) -> Float {
        let (before, after) = (first * binCount, second * binCount)
        var (sum, whole): (Float, Float) = (0, 0)
        for bin in 0..<binCount {
            sum += max(magnitudes[after + bin] - magnitudes[before + bin], 0)
            whole += magnitudes[before + bin]
        }
        return sum / max(whole, 1e-4)
    }
}
