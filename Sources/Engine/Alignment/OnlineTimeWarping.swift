import Basics
import Features
import RealModule

/// On-line time warping: dynamic time warping that only goes forward.
///
/// After each step, the cheapest path to the edge of the computed cells decides what advances: the live music, the
/// reference, or both. A reported position is never revised, and the method cannot find music that has left its band,
/// so it cannot follow cuts and repeats.
///
/// Belongs to one thread; after `init` no allocation and no lock.
/// - Complexity: a live frame costs one row of the band and at most `maximumStepsOnOneSide + 2` columns, each
///   `bandFrames × dimensions` products. Memory: the reference's tiles, and a band of live frames.
/// - Source: S. Dixon, "Live tracking of musical performances using on-line time warping", DAFx 2005.
public final class OnlineTimeWarping: MusicAlignmentMethod {
    /// The sides that advance in a step: the live music, the reference, or both.
    private enum AdvancingSide { case live, reference, both }

    private let referenceTiles: TiledReferenceFrames
    /// The factor that turns the dot product of two frames into their similarity, 0…1.
    private let similarityScale: Float
    /// The values of the reference frame that is being compared with the newest live frames.
    private let referenceFrameValues: UnsafeMutablePointer<Float>
    private let settings: OnlineTimeWarpingSettings
    private let liveHistory: OnlineTimeWarpingHistory
    private let costFrontier: OnlineTimeWarpingFrontier
    private let tempoEstimator = OnlineTimeWarpingTempoEstimator()
    /// The dot products of the newest live frame with reference frames, from the frame ``firstComparedReferenceFrame``
    /// on.
    private let newestLiveSimilarities: UnsafeMutablePointer<Float>
    /// The reference frame of the first value in ``newestLiveSimilarities``.
    private var firstComparedReferenceFrame = 0
    /// The dot products of the newest reference frame with live frames, by slot of the history.
    private let newestReferenceSimilarities: UnsafeMutablePointer<Float>
    private var sideThatLastAdvancedAlone = AdvancingSide.both
    private var stepsOnSameSide = 0
    /// The side or sides that advance with the next live frame, chosen after the newest one.
    private var chosenIncrement = AdvancingSide.live
    /// The number of frames, with a fraction, by which the reference must still advance while the signal is lost.
    private var owedReferenceFrames = 0.0

    /// Creates a method that follows one reference.
    /// - Parameters:
    ///   - referenceTiles: the reference, at least one frame.
    ///   - partCount: the number of parts in a frame, which is the largest dot product of two frames.
    public init(
        referenceTiles: TiledReferenceFrames, partCount: Int = 2,
        settings: OnlineTimeWarpingSettings = OnlineTimeWarpingSettings()
    ) {
        precondition(referenceTiles.frameCount > 0, "a reference has frames")
        precondition(partCount > 0, "a frame has parts")
        self.referenceTiles = referenceTiles
        similarityScale = 1 / Float(partCount)
        referenceFrameValues = zeroedFloats(referenceTiles.dimensions)
        self.settings = settings
        liveHistory = OnlineTimeWarpingHistory(
            frames: settings.bandFrames, dimensions: referenceTiles.dimensions)
        costFrontier = OnlineTimeWarpingFrontier(
            bandFrames: settings.bandFrames, capacity: liveHistory.capacity)
        let bandTiles = settings.bandFrames / TiledReferenceFrames.framesPerTile + 2
        let rowLength = bandTiles * TiledReferenceFrames.framesPerTile + settings.maximumStepsOnOneSide + 2
        newestLiveSimilarities = .allocate(capacity: rowLength)
        newestLiveSimilarities.initialize(repeating: 0, count: rowLength)
        newestReferenceSimilarities = .allocate(capacity: liveHistory.capacity)
        newestReferenceSimilarities.initialize(repeating: 0, count: liveHistory.capacity)
        begin(at: nil)
    }

    deinit {
        referenceFrameValues.deallocate()
        newestLiveSimilarities.deallocate()
        newestReferenceSimilarities.deallocate()
    }

    public func begin(at start: FeatureFrameIndex?) {
        let frame = min(max(start?.value ?? 0, 0), referenceTiles.frameCount - 1)
        costFrontier.begin(atReference: frame)
        tempoEstimator.forgetPositions()
        sideThatLastAdvancedAlone = .both
        stepsOnSameSide = 0
        chosenIncrement = .live
        owedReferenceFrames = 0
    }

    public func advance(_ frame: LiveFeatureFrame) -> MusicAlignmentEstimate {
        if costFrontier.newestLive < 0 && frame.isQuiet { return waitingEstimate }
        liveHistory.storeLiveFrame(frame.featureValues, frame: costFrontier.newestLive + 1)
        if frame.isDropout && costFrontier.newestLive >= 0 {
            advanceWithoutEvidence(frame.featureValues)
        } else {
            advanceLiveSide(frame.featureValues)
            if chosenIncrement == .both { advanceReferenceSide() }
            chooseNextIncrement()
        }
        tempoEstimator.notePosition(Double(costFrontier.newestReference))
        return estimate
    }

    /// Advances both sides at the last tempo, because a lost signal is no evidence for either side.
    private func advanceWithoutEvidence(_ values: UnsafePointer<Float>) {
        advanceLiveSide(values)
        owedReferenceFrames += tempoEstimator.tempoRatio
        while owedReferenceFrames >= 1 {
            owedReferenceFrames -= 1
            advanceReferenceSide()
        }
        chosenIncrement = .both
        sideThatLastAdvancedAlone = .both
        stepsOnSameSide = 0
    }

    private func advanceLiveSide(_ values: UnsafePointer<Float>) {
        let width = TiledReferenceFrames.framesPerTile
        let range = costFrontier.comparedReferenceFrames
        let bandTiles = range.lowerBound / width..<range.upperBound / width + 1
        referenceTiles.similarities(of: values, in: bandTiles, into: newestLiveSimilarities)
        firstComparedReferenceFrame = bandTiles.lowerBound * width
        let similarities = newestLiveSimilarities - firstComparedReferenceFrame
        costFrontier.advanceLive { 1 - similarities[$0] * similarityScale }
    }

    private func advanceReferenceSide() {
        guard costFrontier.newestReference + 1 < referenceTiles.frameCount else { return }
        let similarities = newestReferenceSimilarities
        referenceTiles.copyFrame(costFrontier.newestReference + 1, into: referenceFrameValues)
        liveHistory.similarities(of: referenceFrameValues, into: similarities)
        let mask = liveHistory.capacity - 1
        costFrontier.advanceReference { 1 - similarities[$0 & mask] * similarityScale }
        newestLiveSimilarities[costFrontier.newestReference - firstComparedReferenceFrame] =
            similarities[costFrontier.newestLive & mask]
    }

    /// Advances the reference alone as long as the costs demand it, and stores the choice for the next live frame.
    private func chooseNextIncrement() {
        while true {
            let increment = nextIncrement()
            stepsOnSameSide = increment == sideThatLastAdvancedAlone ? stepsOnSameSide + 1 : 1
            if increment != .both { sideThatLastAdvancedAlone = increment }
            guard increment == .reference else {
                chosenIncrement = increment
                return
            }
            advanceReferenceSide()
        }
    }

    private func nextIncrement() -> AdvancingSide {
        guard costFrontier.newestReference + 1 < referenceTiles.frameCount else { return .live }
        if costFrontier.newestLive < settings.openingFrames { return .both }
        if stepsOnSameSide > settings.maximumStepsOnOneSide {
            return sideThatLastAdvancedAlone == .live ? .reference : .live
        }
        let row = costFrontier.bestReferenceFrame()
        let column = costFrontier.bestLiveFrame()
        if row.meanCost < column.meanCost { return row.frame < costFrontier.newestReference ? .live : .both }
        return column.frame < costFrontier.newestLive ? .reference : .both
    }

    private var waitingEstimate: MusicAlignmentEstimate {
        MusicAlignmentEstimate(
            frame: Double(costFrontier.newestReference), tempo: .unity, mass: 1, fit: 0, standing: 1,
            jumped: false)
    }

    /// The estimate after the newest live frame. It reports the newest reference frame, because the frame with the
    /// least path cost lags a tenth of a second behind the music on recordings.
    private var estimate: MusicAlignmentEstimate {
        let ratio = tempoEstimator.tempoRatio
        let moved =
            tempoEstimator.recentAdvance / (ratio * OnlineTimeWarpingTempoEstimator.recentAdvanceFrames)
        return MusicAlignmentEstimate(
            frame: Double(costFrontier.newestReference), tempo: TempoRatio(ratio), mass: probability,
            fit: fit,
            standing: min(max(1 - moved, 0), 1), jumped: false)
    }

    /// The share of the newest row's weight that lies within half a second of the reported frame, 0…1. The weight of a
    /// cell is exp(cost of the cheapest cell - its own cost).
    private var probability: Double {
        var cheapest = Double.infinity
        for candidate in costFrontier.comparedReferenceFrames {
            cheapest = min(cheapest, costFrontier.pathCostOfNewestLive(reference: candidate))
        }
        var near = 0.0
        var all = 0.0
        for candidate in costFrontier.comparedReferenceFrames {
            let weight = Double.exp(cheapest - costFrontier.pathCostOfNewestLive(reference: candidate))
            all += weight
            if costFrontier.newestReference - candidate <= 25 { near += weight }
        }
        return near / all
    }

    /// The number of standard deviations by which the reported frame is more similar to the live frame than the mean of
    /// the band.
    private var fit: Double {
        let range = costFrontier.comparedReferenceFrames
        var sum: Float = 0
        var squares: Float = 0
        for candidate in range {
            let value = newestLiveSimilarities[candidate - firstComparedReferenceFrame]
            sum += value
            squares += value * value
        }
        let mean = sum / Float(range.count)
        let deviation = max(squares / Float(range.count) - mean * mean, 1e-6).squareRoot()
        return Double(
            (newestLiveSimilarities[costFrontier.newestReference - firstComparedReferenceFrame] - mean)
                / deviation)
    }
}
