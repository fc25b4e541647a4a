import RealModule

/// The evidence of the sound for a bar line at each frame of a recording, as the logarithm of a likelihood ratio: above
/// zero where a bar line is more likely than at the average frame within a second.
///
/// It is a linear model of ``TappedBarFeatures``. Its weights were fitted to recordings with known bars
/// (docs/own-piece.md), and adapt to a recording once its bars are roughly known.
struct TappedBarEvidence {
    /// The logarithm of the likelihood ratio of each frame.
    let ratios: [Float]

    private let features: TappedBarFeatures
    private let framesPerSecond: Int
    /// The weights for all music, to which those of this recording are held.
    private let general: [Double]
    /// The strength with which adapted weights are held to the general ones.
    private static let holdingToGeneralWeights = 5.0
    /// The bars from which weights are adapted; of more bars, every second or third one is taken.
    private static let mostBars = 400

    /// - Complexity: O(frames × dimensions).
    init(
        _ frames: ReferenceFeatureFrames, framesPerSecond: Int,
        weights: [Double] = TappedBarWeights.general
    ) {
        self.init(
            TappedBarFeatures(frames, framesPerSecond: framesPerSecond), framesPerSecond: framesPerSecond,
            general: weights, weights: weights)
    }

    private init(_ features: TappedBarFeatures, framesPerSecond: Int, general: [Double], weights: [Double]) {
        (self.features, self.framesPerSecond, self.general) = (features, framesPerSecond, general)
        let count = TappedBarWeights.count
        let weights = weights.map(Float.init)
        let sums = (0..<features.frameCount).map { frame in
            var sum: Float = 0
            for index in 0..<count { sum += features.values[frame * count + index] * weights[index] }
            return sum
        }
        ratios = Self.ratiosToAverage(sums, reach: framesPerSecond)
    }

    /// The evidence as the score of a bar line or beat that is accompanied by a new note only with some probability.
    /// - Parameter trust: a factor below 1 flattens the evidence.
    func scores(trust: Float, probabilityOfNote: Float) -> [Float] {
        ratios.map {
            Float.log(probabilityOfNote * Float.exp(min(trust * $0, 20)) + 1 - probabilityOfNote)
        }
    }

    /// The evidence with weights by which the bars of this recording stand out from the second before and after them.
    ///
    /// The weights are the likeliest of a multinomial logistic model, held to the general ones.
    /// - Parameter onsets: the bars that were found so far, in seconds.
    /// - Complexity: O(bars × features²), for at most ``mostBars`` bars.
    func adapted(to onsets: [Double]) -> TappedBarEvidence {
        let step = (onsets.count - 1) / Self.mostBars + 1
        let bars = stride(from: 0, to: onsets.count, by: step).map {
            Int((onsets[$0] * Double(framesPerSecond)).rounded())
        }
        let fit = TappedBarWeightFit(
            features, bars: bars, reach: framesPerSecond, heldTo: general,
            strength: Self.holdingToGeneralWeights)
        return TappedBarEvidence(
            features, framesPerSecond: framesPerSecond, general: general, weights: fit.weights())
    }

    private static func ratiosToAverage(_ sums: [Float], reach: Int) -> [Float] {
        let highest = sums.max() ?? 0
        let likelihoods = FrameSeries.runningSums(
            sums.map { Double.exp(Double(max($0 - highest, -30))) })
        return sums.indices.map { frame in
            let from = max(frame - reach, 0)
            let to = min(frame + reach, sums.count)
            let mean = (likelihoods[to] - likelihoods[from]) / Double(to - from)
            return sums[frame] - highest - Float(Double.log(mean + 1e-12))
        }
    }
}
