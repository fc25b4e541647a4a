/// The weights of ``FrameRefinement``: two layers of kernels along the bands, without biases.
struct FrameRefinementNetwork: Sendable {
    /// The parts of a frame: pitch, onset.
    static let partCount = 2
    /// The number of rows of results of the first layer.
    static let unitCount = 8
    /// The number of semitones to either side that a kernel of the first layer sees.
    static let firstKernelReach = 12
    static let firstKernelWidth = 2 * firstKernelReach + 1
    /// The same of the second layer.
    static let secondKernelReach = 6
    static let secondKernelWidth = 2 * secondKernelReach + 1

    /// For each unit a kernel over the pitch part and one over the onset part, lowest band first.
    let firstKernels: [Float]
    /// For each part a kernel over every unit.
    let secondKernels: [Float]
    /// The weight of each band of the pitch part, then of the onset part.
    let bandWeights: [Float]
    /// For each part the norm that is scaled to 0.7; see ``FeatureParameters/quietPitchNorm``.
    let quietNorms: [Float]

    init(firstKernels: [Float], secondKernels: [Float], bandWeights: [Float], quietNorms: [Float]) {
        precondition(
            firstKernels.count == Self.unitCount * Self.partCount * Self.firstKernelWidth
                && secondKernels.count == Self.partCount * Self.unitCount * Self.secondKernelWidth
                && quietNorms.count == Self.partCount,
            "the weights of the refinement are damaged")
        self.firstKernels = firstKernels
        self.secondKernels = secondKernels
        self.bandWeights = bandWeights
        self.quietNorms = quietNorms
    }
}
