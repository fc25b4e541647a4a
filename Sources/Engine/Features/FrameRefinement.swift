/// Refines frames of ``FeatureKind/bands`` with a small network, so that two performances of the same moment resemble
/// each other more, and other moments less.
///
/// Both parts of a frame pass through a layer of kernels that reach an octave to either side, and through a second
/// layer that adds the results of the first one to them. The kernels are the
/// same in all bands, so music in another key is refined in the same way. Nothing is added to silence: the network has
/// no biases, and each part is scaled as before, so that what hardly sounds resembles nothing.
///
/// Belongs to one thread. After `init` no allocation, no lock.
/// - Cost: 44,000 multiplications a frame.
/// - Source: fitted by the contrastive loss of A. van den Oord, Y. Li and O. Vinyals, "Representation learning with
///   contrastive predictive coding", 2018, on pairs of performances (`Research/fit-frames`).
public final class FrameRefinement {
    private let network: FrameRefinementNetwork
    private let bandCount: Int
    /// Both parts of the frame, each with zeros on either side.
    private let input: PaddedRows
    /// The results of the first layer, with zeros on either side.
    private let firstResults: PaddedRows

    /// - Parameter parameters: those of the frames.
    public convenience init(parameters: FeatureParameters = FeatureParameters()) {
        self.init(network: .fitted, bandCount: parameters.pitchCount)
    }

    /// - Parameter bandCount: the number of bands in a part, a multiple of 24.
    init(network: FrameRefinementNetwork, bandCount: Int) {
        precondition(bandCount % Self.bandsAtOnce == 0, "\(bandCount) bands cannot be refined")
        precondition(network.bandWeights.count == 2 * bandCount, "the network is for other frames")
        self.network = network
        self.bandCount = bandCount
        input = PaddedRows(
            count: FrameRefinementNetwork.partCount, length: bandCount,
            margin: FrameRefinementNetwork.firstKernelReach)
        firstResults = PaddedRows(
            count: FrameRefinementNetwork.unitCount, length: bandCount,
            margin: FrameRefinementNetwork.secondKernelReach)
    }

    /// Refines a frame in its place.
    /// - Parameter frame: the values of the pitch part, then those of the onset part.
    public func refine(_ frame: UnsafeMutablePointer<Float>) {
        for part in 0..<FrameRefinementNetwork.partCount {
            input.row(part).update(from: frame + part * bandCount, count: bandCount)
        }
        network.firstKernels.withUnsafeBufferPointer { kernels in
            let length = FrameRefinementNetwork.partCount * FrameRefinementNetwork.firstKernelWidth
            for unit in 0..<FrameRefinementNetwork.unitCount {
                sumOfKernels(
                    kernels.baseAddress! + unit * length, width: FrameRefinementNetwork.firstKernelWidth,
                    over: input, addedTo: nil, into: firstResults.row(unit))
            }
        }
        network.secondKernels.withUnsafeBufferPointer { kernels in
            let length = FrameRefinementNetwork.unitCount * FrameRefinementNetwork.secondKernelWidth
            for part in 0..<FrameRefinementNetwork.partCount {
                sumOfKernels(
                    kernels.baseAddress! + part * length, width: FrameRefinementNetwork.secondKernelWidth,
                    over: firstResults, addedTo: input.row(part), into: frame + part * bandCount)
                scalePart(part, frame + part * bandCount)
            }
        }
    }

    private static let bandsAtOnce = 24

    /// Applies one kernel to each row and adds the results; negative sums become 0.
    /// - Parameters:
    ///   - kernels: `width` values for each of the rows.
    ///   - start: `bandCount` values to which the results are added; nil for zeros.
    private func sumOfKernels(
        _ kernels: UnsafePointer<Float>, width: Int, over rows: PaddedRows,
        addedTo start: UnsafePointer<Float>?,
        into target: UnsafeMutablePointer<Float>
    ) {
        var band = 0
        while band < bandCount {
            var low = SIMD8<Float>.zero
            var middle = SIMD8<Float>.zero
            var high = SIMD8<Float>.zero
            if let start {
                low = loadEightFloats(start, band)
                middle = loadEightFloats(start, band + 8)
                high = loadEightFloats(start, band + 16)
            }
            for row in 0..<rows.count {
                let values = UnsafePointer(rows.row(row)) - rows.margin
                let kernel = kernels + row * width
                for place in 0..<width {
                    let weight = kernel[place]
                    low += weight * loadEightFloats(values, band + place)
                    middle += weight * loadEightFloats(values, band + place + 8)
                    high += weight * loadEightFloats(values, band + place + 16)
                }
            }
            storeEightFloats(low.replacing(with: 0, where: low .< 0), target, band)
            storeEightFloats(middle.replacing(with: 0, where: middle .< 0), target, band + 8)
            storeEightFloats(high.replacing(with: 0, where: high .< 0), target, band + 16)
            band += Self.bandsAtOnce
        }
    }

    /// Weights the bands of a part and scales it to unit norm, or to less if it is near silence.
    private func scalePart(_ part: Int, _ values: UnsafeMutablePointer<Float>) {
        let quietNorm = network.quietNorms[part]
        var squares = quietNorm * quietNorm
        for band in 0..<bandCount {
            values[band] *= network.bandWeights[part * bandCount + band]
            squares += values[band] * values[band]
        }
        let factor = 1 / squares.squareRoot()
        for band in 0..<bandCount { values[band] *= factor }
    }
}

@inline(__always)
private func loadEightFloats(_ values: UnsafePointer<Float>, _ index: Int) -> SIMD8<Float> {
    UnsafeRawPointer(values + index).loadUnaligned(as: SIMD8<Float>.self)
}

@inline(__always)
private func storeEightFloats(_ value: SIMD8<Float>, _ target: UnsafeMutablePointer<Float>, _ index: Int) {
    UnsafeMutableRawPointer(target + index).storeBytes(of: value, as: SIMD8<Float>.self)
}

/// Rows of values with zeros on either side, so that a kernel may reach beyond their ends.
private final class PaddedRows {
    let count: Int
    /// The number of zeros on either side.
    let margin: Int
    private let distance: Int
    private let values: UnsafeMutablePointer<Float>

    init(count: Int, length: Int, margin: Int) {
        (self.count, self.margin) = (count, margin)
        distance = length + 2 * margin
        values = .allocate(capacity: count * distance)
        values.initialize(repeating: 0, count: count * distance)
    }

    deinit { values.deallocate() }

    func row(_ index: Int) -> UnsafeMutablePointer<Float> { values + index * distance + margin }
}
