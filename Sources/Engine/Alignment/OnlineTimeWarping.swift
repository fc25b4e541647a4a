import Features
import MusicalTime
import RealModule

/// On-line time warping: dynamic time warping that only goes forward.
///
/// After each step, the cheapest path to the edge of the computed cells decides which side advances: the live one,
/// the reference, or both. A reported position is never revised, and the method finds nothing outside its band
/// again, so it cannot follow cuts and repeats.
///
/// Belongs to one thread; after `init` no allocation and no lock.
/// - Complexity: a live frame costs one row of the band and at most `maxRunCount + 2` columns, each
///   `bandFrames × dimensions` products. Memory: the reference's tiles, and a band of live frames.
/// - Source: S. Dixon, "Live tracking of musical performances using on-line time warping", DAFx 2005.
public final class OnlineTimeWarping: AlignmentMethod {
    /// The side or sides that advance in a step.
    private enum Increment { case live, reference, both }

    private let tiles: ReferenceTiles
    /// Turns the dot product of two frames into their similarity, 0…1.
    private let similarityScale: Float
    /// The reference frame that is compared with the newest live ones.
    private let referenceFrame: UnsafeMutablePointer<Float>
    private let settings: OnlineTimeWarpingSettings
    private let history: OnlineTimeWarpingHistory
    private let frontier: OnlineTimeWarpingFrontier
    private let tempo = OnlineTimeWarpingTempo()
    /// Dot products of the newest row, from ``rowStart`` on.
    private let rowSimilarities: UnsafeMutablePointer<Float>
    /// The first reference frame of the row's first tile.
    private var rowStart = 0
    /// Dot products of the newest column, by slot of the history.
    private let columnSimilarities: UnsafeMutablePointer<Float>
    private var lastAlone = Increment.both
    private var runCount = 0
    /// The side or sides to advance next: chosen after the newest live frame, advanced with the next one.
    private var next = Increment.live
    /// Reference frames, with fraction, that the reference still has to advance during a gap in the signal.
    private var owedReference = 0.0

    /// - Parameters:
    ///   - tiles: the reference, at least one frame.
    ///   - partCount: the largest dot product of two frames.
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
        next = .live
        owedReference = 0
    }

    public func advance(_ frame: LiveFrame) -> AlignmentEstimate {
        if frontier.live < 0 && frame.isQuiet { return waiting }
        history.store(frame.values, frame: frontier.live + 1)
        if frame.isDropout && frontier.live >= 0 {
            coast(frame.values)
        } else {
            advanceLiveSide(frame.values)
            if next == .both { advanceReferenceSide() }
            decide()
        }
        tempo.note(Double(frontier.reference))
        return estimate
    }

    /// A dead cable gives no evidence for either side, so both advance, at the last tempo.
    private func coast(_ values: UnsafePointer<Float>) {
        advanceLiveSide(values)
        owedReference += tempo.ratio
        while owedReference >= 1 {
            owedReference -= 1
            advanceReferenceSide()
        }
        next = .both
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
        guard frontier.reference + 1 < tiles.frameCount else { return }
        let similarities = columnSimilarities
        tiles.copyFrame(frontier.reference + 1, into: referenceFrame)
        history.similarities(of: referenceFrame, into: similarities)
        let mask = history.capacity - 1
        frontier.advanceReference { 1 - similarities[$0 & mask] * similarityScale }
        rowSimilarities[frontier.reference - rowStart] = similarities[frontier.live & mask]
    }

    /// Advances the reference alone as long as it should, and stores the choice for the next live frame.
    private func decide() {
        while true {
            let increment = nextIncrement()
            runCount = increment == lastAlone ? runCount + 1 : 1
            if increment != .both { lastAlone = increment }
            guard increment == .reference else {
                next = increment
                return
            }
            advanceReferenceSide()
        }
    }

    private func nextIncrement() -> Increment {
        guard frontier.reference + 1 < tiles.frameCount else { return .live }
        if frontier.live < settings.openingFrames { return .both }
        if runCount > settings.maxRunCount { return lastAlone == .live ? .reference : .live }
        let row = frontier.bestReference()
        let column = frontier.bestLive()
        if row.meanCost < column.meanCost { return row.frame < frontier.reference ? .live : .both }
        return column.frame < frontier.live ? .reference : .both
    }

    private var waiting: AlignmentEstimate {
        AlignmentEstimate(
            frame: Double(frontier.reference), tempo: .unity, mass: 1, fit: 0, standing: 1, jumped: false)
    }

    /// Reports the newest reference frame. The cell of the newest row with the least path cost would be worse: on
    /// recordings it lags a tenth of a second behind the music.
    private var estimate: AlignmentEstimate {
        let ratio = tempo.ratio
        let moved = tempo.recentAdvance / (ratio * OnlineTimeWarpingTempo.recentFrames)
        return AlignmentEstimate(
            frame: Double(frontier.reference), tempo: TempoRatio(ratio), mass: mass, fit: fit,
            standing: min(max(1 - moved, 0), 1), jumped: false)
    }

    /// The newest row's share of cells within half a second of the reported frame. A cell weighs exp(cost of the
    /// cheapest - its own cost).
    private var mass: Double {
        var cheapest = Double.infinity
        for candidate in frontier.references {
            cheapest = min(cheapest, frontier.pathCost(reference: candidate))
        }
        var near = 0.0
        var all = 0.0
        for candidate in frontier.references {
            let weight = Double.exp(cheapest - frontier.pathCost(reference: candidate))
            all += weight
            if frontier.reference - candidate <= 25 { near += weight }
        }
        return near / all
    }

    /// The number of standard deviations by which the reported cell's local cost is below the mean of the band.
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
        return Double((rowSimilarities[frontier.reference - rowStart] - mean) / deviation)
    }
}
