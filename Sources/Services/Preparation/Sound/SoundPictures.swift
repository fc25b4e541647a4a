import Features
import Foundation
import Sound

/// The pictures of a recording's sound, in levels of which each is four times as coarse as the one before. They are
/// files of the recording's folder; the pages fetch parts of them, called tiles.
enum SoundPictures {
    /// Samples a second of the listening copy.
    static let hertz = 32_000
    static let levelFactor = 4
    static let leastLevels = 7
    /// Level 0 of the wave form has this many samples a column: 4 ms.
    static let samplesPerPeak = 128
    static let peakColumnsPerTile = 1_024
    static let peakColumnBytes = 2
    /// Level 0 of the spectrum has this many samples a column: 20 ms.
    static let samplesPerSpectrum = 640
    static let spectrumColumnsPerTile = 512
    static let bandCount = 96
    /// The middle of the lowest band in hertz; each further band is a semitone higher.
    static let lowestHertz = 55.0
    /// The brightness 0 stands for this level and below, 255 for full scale, in dBFS.
    static let darkestDecibels: Float = -96

    static let copyFile = "listen.wav"
    static func peaksFile(_ level: Int) -> String { "peaks-\(level).bin" }
    static func spectrumFile(_ level: Int) -> String { "spectrum-\(level).bin" }

    /// Makes the coarser levels of the wave form: for each column the least and the greatest value of four.
    static func coarserPeaks(_ columns: [UInt8]) -> [UInt8] {
        let count = columns.count / peakColumnBytes
        var made: [UInt8] = []
        made.reserveCapacity(columns.count / levelFactor + peakColumnBytes)
        for first in stride(from: 0, to: count, by: levelFactor) {
            var (least, greatest) = (Int8.max, Int8.min)
            for column in first..<min(first + levelFactor, count) {
                least = min(least, Int8(bitPattern: columns[2 * column]))
                greatest = max(greatest, Int8(bitPattern: columns[2 * column + 1]))
            }
            made.append(UInt8(bitPattern: least))
            made.append(UInt8(bitPattern: greatest))
        }
        return made
    }

    /// Makes the coarser levels of the spectrum: the mean of four columns in each band.
    static func coarserSpectrum(_ columns: [UInt8]) -> [UInt8] {
        let count = columns.count / bandCount
        var made: [UInt8] = []
        made.reserveCapacity(columns.count / levelFactor + bandCount)
        for first in stride(from: 0, to: count, by: levelFactor) {
            let last = min(first + levelFactor, count)
            for band in 0..<bandCount {
                var sum = 0
                for column in first..<last { sum += Int(columns[column * bandCount + band]) }
                made.append(UInt8(sum / (last - first)))
            }
        }
        return made
    }
}

/// Computes level 0 of the wave form from samples of the listening copy.
struct PeakColumns {
    private(set) var bytes: [UInt8] = []
    private var least: Float = 0
    private var greatest: Float = 0
    private var count = 0

    mutating func add(_ samples: ArraySlice<Float>) {
        for sample in samples {
            least = min(least, sample)
            greatest = max(greatest, sample)
            count += 1
            if count == SoundPictures.samplesPerPeak { endColumn() }
        }
    }

    mutating func finish() {
        if count > 0 { endColumn() }
    }

    private mutating func endColumn() {
        // Rounded away from zero, so that the faintest sound can be seen.
        bytes.append(UInt8(bitPattern: Int8((max(least, -1) * 127).rounded(.awayFromZero))))
        bytes.append(UInt8(bitPattern: Int8((min(greatest, 1) * 127).rounded(.awayFromZero))))
        (least, greatest, count) = (0, 0, 0)
    }
}

/// Computes level 0 of the spectrum from samples of the listening copy. Each column stands for the samples around its
/// beginning.
struct SpectrumColumns {
    private static let blockLength = 4_096

    private(set) var bytes: [UInt8] = []
    private let transform = FFTWSpectrumMaker().makeTransform(blockLength: blockLength)
    private let window: [Float]
    private var power = [Float](repeating: 0, count: blockLength / 2 + 1)
    /// The lower and the upper end of each band, in bins.
    private let edges: [(low: Float, high: Float)]
    /// The samples of the next columns. It begins with silence, so that the first column has its sample in the middle.
    private var buffer: [Float]
    private var sampleCount = 0
    private let scale: Float

    init() {
        window = (0..<Self.blockLength).map {
            Float(0.5 - 0.5 * cos(2 * Double.pi * (Double($0) + 0.5) / Double(Self.blockLength)))
        }
        // A sine of full scale has the level 0 dB in the bin of its frequency.
        let sum = window.reduce(0, +)
        scale = 4 / (sum * sum)
        let bin = Double(SoundPictures.hertz) / Double(Self.blockLength)
        edges = (0..<SoundPictures.bandCount).map { band in
            let middle = SoundPictures.lowestHertz * pow(2, Double(band) / 12)
            return (Float(middle * pow(2, -1.0 / 24) / bin), Float(middle * pow(2, 1.0 / 24) / bin))
        }
        buffer = [Float](repeating: 0, count: Self.blockLength / 2)
    }

    mutating func add(_ samples: ArraySlice<Float>) {
        sampleCount += samples.count
        buffer.append(contentsOf: samples)
        var start = 0
        while start + Self.blockLength <= buffer.count {
            addColumn(at: start)
            start += SoundPictures.samplesPerSpectrum
        }
        buffer.removeFirst(start)
    }

    /// Adds the columns of the last samples.
    mutating func finish() {
        let step = SoundPictures.samplesPerSpectrum
        let columns = (sampleCount + step - 1) / step
        add([Float](repeating: 0, count: Self.blockLength)[...])
        bytes.removeLast(max(0, bytes.count - columns * SoundPictures.bandCount))
    }

    private mutating func addColumn(at start: Int) {
        for index in 0..<Self.blockLength { transform.input[index] = buffer[start + index] * window[index] }
        power.withUnsafeMutableBufferPointer { transform.transform(into: $0.baseAddress!) }
        for edge in edges {
            // The strongest bin of the band; a narrow band takes a value between its two neighbours.
            let (first, last) = (Int(edge.low.rounded(.up)), Int(edge.high.rounded(.down)))
            var strongest: Float = 0
            if first <= last {
                for bin in first...last { strongest = max(strongest, power[bin]) }
            } else {
                let middle = (edge.low + edge.high) / 2
                let below = Int(middle)
                let share = middle - Float(below)
                strongest = power[below] * (1 - share) + power[below + 1] * share
            }
            let decibels = 10 * log10(max(strongest * scale, 1e-12))
            let bright = (1 - decibels / SoundPictures.darkestDecibels) * 255
            bytes.append(UInt8(min(max(bright, 0), 255)))
        }
    }
}
