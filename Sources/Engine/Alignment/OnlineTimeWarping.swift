import Features
import MusicalTime
import RealModule

/// On-line time warping: dynamic time warping that only goes forward.
///
/// After each step, the cheapest path to the edge of the computed cells decides what advances: the live music, the
/// reference, or both. A reported position is never revised, and the method cannot find music that has left its band,
/// so it cannot follow cuts and repeats.
///
/// Belongs to one thread; after `init` no allocation and no lock.
/// - Complexity: a live frame costs one row of the band and at most `maxRunCount + 2` columns, each `bandFrames ×
///   dimensions` products. Memory: the reference's tiles, and a band of live frames.
/// - Source: S. Dixon, "Live tracking of musical performances using on-line time warping", DAFx 2005.
public final class OnlineTimeWarping: AlignmentMethod {
    /// The sides that advance in a step: the live music, the reference, or both.
    private enum Increment { case live, reference, both }

    private let tiles: ReferenceTiles
    /// The factor that turns the dot product of two frames into their similarity, 0…1.
    private let similarityScale: Float
    /// The values of the reference frame that is being compared with the newest live frames.
    private let referenceFrame: UnsafeMutablePointer<Float>
    private let settings: OnlineTimeWarpingSettings
    private let history: OnlineTimeWarpingHistory
    private let frontier: OnlineTimeWarpingFrontier
    private let tempo = OnlineTimeWarpingTempo()
    /// The dot products of the newest live frame with reference frames, from the frame ``rowStart`` on.
    private let rowSimilarities: UnsafeMutablePointer<Float>
    /// The reference frame of the first value in ``rowSimilarities``.
    private var rowStart = 0
    /// The dot products of the newest reference frame with live frames, by slot of the history.
    private let columnSimilarities: UnsafeMutablePointer<Float>
    private var lastAlone = Increment.both
    private var runCount = 0
    /// The side or sides that advance with the next live frame, chosen after the newest one.
    private var chosenIncrement = Increment.live
    /// The number of frames, with a fraction, by which the reference must still advance while the signal is lost.
    private var owedReference = 0.0

    /// Creates a method that follows one reference.
    /// - Parameters:
    ///   - tiles: the reference, at least one frame.
    ///   - partCount: the number of parts in a frame, which is the largest dot product of two frames.
    public init(
        tiles: ReferenceTiles, partCount: Int = 2,
        settings: OnlineTimeWarpingSettings = OnlineTimeWarpingSettings()
    ) {
        precondition(tiles.frameCount > 0, "a reference has frames")
        precondition(partCount > 0, "a frame has parts")
        self.tiles = tiles
        similarityScale = 1 / Float(partCount)
        referenceFrame = zeroedFloats(tiles.dimensions)
        self.settings = settings
        history = OnlineTimeWarpingHistory(frames: settings.bandFrames, dimensions: tiles.dimensions)
        frontier = OnlineTimeWarpingFrontier(bandFrames: settings.bandFrames, capacity: history.capacity)
        let bandTiles = settings.bandFrames / ReferenceTiles.width + 2
        let rowLength = bandTiles * ReferenceTiles.width + settings.maxRunCount + 2
        rowSimilarities = .allocate(capacity: rowLength)
        rowSimilarities.initialize(repeating: 0, count: rowLength)
        columnSimilarities = .allocate(capacity: history.capacity)
        columnSimilarities.initialize(repeating: 0, count: history.capacity)
        begin(at: nil)
    }

    deinit {
        referenceFrame.deallocate()
        rowSimilarities.deallocate()
        columnSimilarities.deallocate()
    }

    public func begin(at start: FrameIndex?) {
        let frame = min(max(start?.value ?? 0, 0), tiles.frameCount - 1)
        frontier.begin(atReference: frame)
        tempo.begin()
        lastAlone = .both
        runCount = 0
        chosenIncrement = .live
        owedReference = 0
    }

    public func advance(_ frame: LiveFrame) -> AlignmentEstimate {
        if frontier.newestLive < 0 && frame.isQuiet { return waitingEstimate }
        history.store(frame.values, frame: frontier.newestLive + 1)
        if frame.isDropout && frontier.newestLive >= 0 {
            advanceWithoutEvidence(frame.values)
        } else {
            advanceLiveSide(frame.values)
            if chosenIncrement == .both { advanceReferenceSide() }
            chooseNextIncrement()
        }
        tempo.note(Double(frontier.newestReference))
        return estimate
    }

    /// Advances both sides at the last tempo, because a lost signal is no evidence for either side.
    private func advanceWithoutEvidence(_ values: UnsafePointer<Float>) {
        advanceLiveSide(values)
        owedReference += tempo.ratio
        while owedReference >= 1 {
            owedReference -= 1
            advanceReferenceSide()
        }
        chosenIncrement = .both
        lastAlone = .both
        runCount = 0
    }

    private func advanceLiveSide(_ values: UnsafePointer<Float>) {
        let width = ReferenceTiles.width
        let range = frontier.references
        let bandTiles = range.lowerBound / width..<range.upperBound / width + 1
        tiles.similarities(of: values, in: bandTiles, into: rowSimilarities)
        rowStart = bandTiles.lowerBound * width
        let similarities = rowSimilarities - rowStart
        frontier.advanceLive { 1 - similarities[$0] * similarityScale }
    }

    private func advanceReferenceSide() {
        guard frontier.newestReference + 1 < tiles.frameCount else { return }
        let similarities = columnSimilarities
        tiles.copyFrame(frontier.newestReference + 1, into: referenceFrame)
        history.similarities(of: referenceFrame, into: similarities)
        let mask = history.capacity - 1
        frontier.advanceReference { 1 - similarities[$0 & mask] * similarityScale }
        rowSimilarities[frontier.newestReference - rowStart] = similarities[frontier.newestLive & mask]
    }

    /// Advances the reference alone as long as the costs demand it, and stores the choice for the next live frame.
    private func chooseNextIncrement() {
        while true {
            let increment = nextIncrement()
            runCount = increment == lastAlone ? runCount + 1 : 1
            if increment != .both { lastAlone = increment }
            guard increment == .reference else {
                chosenIncrement = increment
                return
            }
            advanceReferenceSide()
        }
    }

    private func nextIncrement() -> Increment {
        guard frontier.newestReference + 1 < tiles.frameCount else { return .live }
        if frontier.newestLive < settings.openingFrames { return .both }
        if runCount > settings.maxRunCount { return lastAlone == .live ? .reference : .live }
        let row = frontier.bestReference()
        let column = frontier.bestLive()
        if row.meanCost < column.meanCost { return row.frame < frontier.newestReference ? .live : .both }
        return column.frame < frontier.newestLive ? .reference : .both
    }

    private var waitingEstimate: AlignmentEstimate {
        AlignmentEstimate(
            frame: Double(frontier.newestReference), tempo: .unity, mass: 1, fit: 0, standing: 1,
            jumped: false)
    }

    /// The estimate after the newest live frame. It reports the newest reference frame, because the frame with the
    /// least path cost lags a tenth of a second behind the music on recordings.
    private var estimate: AlignmentEstimate {
        let ratio = tempo.ratio
        let moved = tempo.recentAdvance / (ratio * OnlineTimeWarpingTempo.recentFrames)
        return AlignmentEstimate(
            frame: Double(frontier.newestReference), tempo: TempoRatio(ratio), mass: probability, fit: fit,
            standing: min(max(1 - moved, 0), 1), jumped: false)
    }

    /// The share of the newest row's weight that lies within half a second of the reported frame, 0…1. The weight of a
    /// cell is exp(cost of the cheapest cell - its own cost).
    private var probability: Double {
        var cheapest = Double.infinity
        for candidate in frontier.references {
            cheapest = min(cheapest, frontier.pathCost(reference: candidate))
        }
        var near = 0.0
        var all = 0.0
        for candidate in frontier.references {
            let weight = Double.exp(cheapest - frontier.pathCost(reference: candidate))
            all += weight
            if frontier.newestReference - candidate <= 25 { near += weight }
        }
        return near / all
    }

    /// The number of standard deviations by which the reported frame is more similar to the live frame than the mean of
    /// the band.
    private var fit: Double {
        let range = frontier.references
        var sum: Float = 0
        var squares: Float = 0
        for candidate in range {
            let value = rowSimilarities[candidate - rowStart]
            sum += value
            squares += value * value
        }
        let mean = sum / Float(range.count)
        let deviation = max(squares / Float(range.count) - mean * mean, 1e-6).squareRoot()
        return Double((rowSimilarities[frontier.newestReference - rowStart] - mean) / deviation)
    }
}
