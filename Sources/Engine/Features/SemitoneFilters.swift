import Basics
import RealModule

/// Semitone filters over a power spectrum, for one block length, rate and pitch offset.
///
/// Each band is a raised cosine in frequency, one semitone to either side of its centre, and never narrower
/// than a bin and a half, so that low bands share the bins the window cannot tell apart.
struct SemitoneFilters: Sendable {
    private let firstBinByBand: [Int32]
    private let weightStartByBand: [Int32]
    private let weights: [Float]

    /// Computes the filters.
    /// - Parameter offsetCents: how many cents higher the music sounds than at A = 440 Hz.
    init(parameters: FeatureParameters, blockLength: Int, rate: SampleRate, offsetCents: Double) {
        let binHertz = rate.hertz / Double(blockLength)
        let nyquistBin = blockLength / 2
        var first: [Int32] = []
        var start: [Int32] = [0]
        var all: [Float] = []
        for band in 0..<parameters.pitchCount {
            let pitch = Double(parameters.lowestPitch + band) + offsetCents / 100
            let centre = 440 * Double.exp2((pitch - 69) / 12)
            let half = max(centre * (Double.exp2(1.0 / 12) - 1), 1.5 * binHertz)
            let low = max(Int(((centre - half) / binHertz).rounded(.up)), 1)
            let high = min(Int(((centre + half) / binHertz).rounded(.down)), nyquistBin)
            first.append(Int32(low))
            if high >= low {
                for bin in low...high {
                    let distance = abs(Double(bin) * binHertz - centre) / half
                    all.append(Float(0.5 + 0.5 * Double.cos(.pi * distance)))
                }
            }
            start.append(Int32(all.count))
        }
        firstBinByBand = first
        weightStartByBand = start
        weights = all
    }

    /// Writes the magnitude of each band: the root of its weighted power, times a scale.
    /// - Complexity: O(weights), about two a bin. No allocation.
    func writeBandMagnitudes(
        of power: UnsafePointer<Float>, into bands: UnsafeMutablePointer<Float>, scale: Float
    ) {
        firstBinByBand.withUnsafeBufferPointer { firstBin in
            weightStartByBand.withUnsafeBufferPointer { weightStart in
                weights.withUnsafeBufferPointer { weights in
                    for band in 0..<firstBin.count {
                        var bin = Int(firstBin[band])
                        var sum: Float = 0
                        for index in Int(weightStart[band])..<Int(weightStart[band + 1]) {
                            sum += weights[index] * power[bin]
                            bin += 1
                        }
                        bands[band] = sum.squareRoot() * scale
                    }
                }
            }
        }
    }
}

/// The filters of every pitch offset that a performance may have, made before the music starts.
///
/// The pitch offset can then change while the music is followed, without allocation: only an index changes.
final class SemitoneFilterLibrary: Sendable {
    /// The distance in cents between neighbouring sets of filters.
    static let stepCents = 10.0
    /// The number of filter sets above and below offset 0: 480 cents each, almost five semitones.
    private static let filterSetsPerSide = 48
    /// The number of filter sets above and below an octave.
    private static let filterSetsPerOctaveSide = 7
    /// The steps from concert pitch of each filter set, ascending: around the octave below, the pitch itself and the
    /// octave above.
    private static let steps =
        [-octaveSteps, 0, octaveSteps].flatMap { middle in
            let side = middle == 0 ? filterSetsPerSide : filterSetsPerOctaveSide
            return Array(middle - side...middle + side)
        }
    private static let octaveSteps = Int(1200 / stepCents)

    private let longFilterSets: [SemitoneFilters]
    private let shortFilterSets: [SemitoneFilters]

    init(parameters: FeatureParameters, longBlock: Int, shortBlock: Int, rate: SampleRate) {
        func set(_ blockLength: Int) -> [SemitoneFilters] {
            Self.steps.map {
                SemitoneFilters(
                    parameters: parameters, blockLength: blockLength, rate: rate,
                    offsetCents: Double($0) * Self.stepCents)
            }
        }
        longFilterSets = set(longBlock)
        shortFilterSets = set(shortBlock)
    }

    /// Returns the index of the filter set nearest to an offset.
    static func filterSetIndex(cents: Double) -> Int {
        let wanted = Int((cents / stepCents).rounded())
        let octave = wanted > octaveSteps / 2 ? octaveSteps : wanted < -octaveSteps / 2 ? -octaveSteps : 0
        let side = octave == 0 ? filterSetsPerSide : filterSetsPerOctaveSide
        let first =
            octave < 0 ? 0 : 2 * filterSetsPerOctaveSide + 1 + (octave > 0 ? 2 * filterSetsPerSide + 1 : 0)
        return first + side + min(max(wanted - octave, -side), side)
    }

    func longWindowFilters(_ index: Int) -> SemitoneFilters { longFilterSets[index] }
    func shortWindowFilters(_ index: Int) -> SemitoneFilters { shortFilterSets[index] }
}
