import RealModule

/// The evidence of the sound for a bar line at each frame of a recording, as the logarithm of a likelihood ratio: above
/// zero where a bar line is more likely than at the average frame within a second.
///
/// It is the sum of ``TappedBarNetwork``, which was fitted to recordings with known bars (docs/own-piece.md), and of a
/// linear model of ``TappedBarFeatures``, whose weights are zero until the bars of the recording are roughly known.
struct TappedBarEvidence {
    /// The logarithm of the likelihood ratio of each frame.
    let ratios: [Float]

    private let features: TappedBarFeatures
    private let framesPerSecond: Int
    /// The network's result for each frame: the logarithm of odds, up to a constant.
    private let general: [Float]
    /// The strength with which the weights of this recording are held to zero.
    private static let holdingToZero = 5.0
    /// The bars from which weights are adapted; of more bars, every second or third one is taken.
    private static let mostBars = 400

    /// - Complexity: O(frames × (dimensions + the network's weights)).
    init(
        _ frames: ReferenceFeatureFrames, framesPerSecond: Int, network: TappedBarNetwork = .fitted
    ) {
        let features = TappedBarFeatures(frames, framesPerSecond: framesPerSecond)
        self.init(features, framesPerSecond: framesPerSecond, general: network.values(features), weights: nil)
    }

    /// - Parameter weights: those of this recording; nil while its bars are not known.
    private init(
        _ features: TappedBarFeatures, framesPerSecond: Int, general: [Float], weights: [Double]?
    ) {
        (self.features, self.framesPerSecond, self.general) = (features, framesPerSecond, general)
        let count = TappedBarScale.count
        var sums = general
        if let weights = weights?.map(Float.init) {
            for frame in sums.indices {
                for index in 0..<count {
                    sums[frame] += features.values[frame * count + index] * weights[index]
                }
            }
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
    /// The weights are the likeliest of a multinomial logistic model, held to zero.
    /// - Parameter onsets: the bars that were found so far, in seconds.
    /// - Complexity: O(bars × features²), for at most ``mostBars`` bars.
    func adapted(to onsets: [Double]) -> TappedBarEvidence {
        let step = (onsets.count - 1) / Self.mostBars + 1
        let bars = stride(from: 0, to: onsets.count, by: step).map {
            Int((onsets[$0] * Double(framesPerSecond)).rounded())
        }
        let fit = TappedBarWeightFit(
            features, offsets: general, bars: bars, reach: framesPerSecond, strength: Self.holdingToZero)
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
