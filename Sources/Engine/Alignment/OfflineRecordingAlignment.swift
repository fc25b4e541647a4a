import Features

/// Aligns two whole recordings of the same music: finds, for every moment of one recording, the matching moment of the
/// other.
///
/// The method is dynamic time warping at two resolutions: over everything at a tenth of the frame rate, then at the
/// full rate within a band around the coarse path. Recordings that are too long for that have a further, still coarser
/// resolution before it, so that the memory grows with their length and not with its square.
/// - Source: M. Müller, H. Mattes, F. Kurth, "An efficient multiscale approach to audio synchronization", ISMIR 2006;
///   S. Salvador, P. Chan, "Toward accurate dynamic time warping in linear time and space", 2007.
public enum OfflineRecordingAlignment {
    /// The longest recording that can be aligned, in frames: two hours at fifty frames a second, and the rest of a
    /// second.
    public static let frameLimit = 360_100
    /// The most cells that are compared without a band: two recordings of 22 minutes at a tenth of the frame rate.
    static let mostCellsWithoutBand = 6_600 * 6_600
    /// Number of coarse frames averaged into one of the coarsest resolution: a second.
    static let coarseFramesPerCoarsestFrame = 5
    /// The number of coarse rows and columns of the band on either side of the coarsest path: half a minute.
    static let coarseBandReachFrames = 150
    /// Number of frames averaged into one coarse frame.
    static let framesPerCoarseFrame = 10
    /// The number of rows and columns of the band on either side of the coarse path: a second and a half.
    static let bandReachFrames = 75

    /// Aligns two recordings.
    /// - Parameters:
    ///   - progress: called about a hundred times with the share that is done, 0…1; returns false to cancel.
    /// - Returns: a path from both recordings' first frames to their last ones.
    /// - Throws: ``OfflineAlignmentError``; `cancelled` when `progress` returned false.
    /// - Complexity: O(n·m / pool² + (n + m)·reach) cells of `dimensions` products each; one byte of memory per
    ///   cell, and a copy of the second recording's frames. Two recordings of twenty minutes take about 60 MB of
    ///   cells, two of ninety about 100 MB.
    public static func align(
        _ first: ReferenceFeatureFrames, _ second: ReferenceFeatureFrames, progress: ((Double) -> Bool)? = nil
    ) throws(OfflineAlignmentError) -> WarpingPath {
        try checkAlignable(first, second)
        let band = try bandAroundCoarsePath(first, second, progress: progress)
        return try alignWithinBand(first, second, band: band, progress: progress, from: 0.5, to: 1)
    }

    /// Returns the band around the coarse path of two recordings.
    /// - Parameter limit: the most coarse cells that are compared without a band.
    static func bandAroundCoarsePath(
        _ first: ReferenceFeatureFrames, _ second: ReferenceFeatureFrames, limit: Int = mostCellsWithoutBand,
        progress: ((Double) -> Bool)?
    ) throws(OfflineAlignmentError) -> OfflineAlignmentBand {
        let coarseFirst = first.pooled(framesPerCoarseFrame)
        let coarseSecond = second.pooled(framesPerCoarseFrame)
        let isShort = coarseFirst.frameCount * coarseSecond.frameCount <= limit
        let searched =
            isShort
            ? OfflineAlignmentBand(rowCount: coarseFirst.frameCount, columnCount: coarseSecond.frameCount)
            : try bandAroundCoarsestPath(coarseFirst, coarseSecond, progress: progress)
        let coarse = try alignWithinBand(
            coarseFirst, coarseSecond, band: searched, progress: progress, from: isShort ? 0 : 0.3, to: 0.5)
        return OfflineAlignmentBand(
            around: coarse, pool: framesPerCoarseFrame, reach: bandReachFrames, rowCount: first.frameCount,
            columnCount: second.frameCount)
    }

    /// Returns the band around the path of two recordings at one frame a second.
    private static func bandAroundCoarsestPath(
        _ first: ReferenceFeatureFrames, _ second: ReferenceFeatureFrames, progress: ((Double) -> Bool)?
    ) throws(OfflineAlignmentError) -> OfflineAlignmentBand {
        let coarsestFirst = first.pooled(coarseFramesPerCoarsestFrame)
        let coarsestSecond = second.pooled(coarseFramesPerCoarsestFrame)
        let everything = OfflineAlignmentBand(
            rowCount: coarsestFirst.frameCount, columnCount: coarsestSecond.frameCount)
        let coarsest = try alignWithinBand(
            coarsestFirst, coarsestSecond, band: everything, progress: progress, from: 0, to: 0.3)
        return OfflineAlignmentBand(
            around: coarsest, pool: coarseFramesPerCoarsestFrame, reach: coarseBandReachFrames,
            rowCount: first.frameCount, columnCount: second.frameCount)
    }

    private static func alignWithinBand(
        _ first: ReferenceFeatureFrames, _ second: ReferenceFeatureFrames, band: OfflineAlignmentBand,
        progress: ((Double) -> Bool)?, from: Double, to: Double
    ) throws(OfflineAlignmentError) -> WarpingPath {
        let columns = TiledReferenceFrames(frames: second.featureValues, dimensions: second.dimensions)
        let sweep = OfflineAlignmentSweep(rows: first, columns: columns, band: band, keepsSteps: true)
        let stride = max(first.frameCount / 50, 1)
        while sweep.computeNextRow() {
            if let progress, sweep.newestRow % stride == 0 {
                let share = Double(sweep.newestRow) / Double(first.frameCount)
                guard progress(from + (to - from) * share) else { throw .cancelled }
            }
        }
        return sweep.cheapestPath()
    }

    private static func checkAlignable(
        _ first: ReferenceFeatureFrames, _ second: ReferenceFeatureFrames
    ) throws(OfflineAlignmentError) {
        guard first.dimensions == second.dimensions else {
            throw .differentDimensions(first: first.dimensions, second: second.dimensions)
        }
        guard first.frameCount > 0 else { throw .recordingEmpty(.first) }
        guard second.frameCount > 0 else { throw .recordingEmpty(.second) }
        guard first.frameCount <= frameLimit else {
            throw .recordingTooLong(.first, frames: first.frameCount, limit: frameLimit)
        }
        guard second.frameCount <= frameLimit else {
            throw .recordingTooLong(.second, frames: second.frameCount, limit: frameLimit)
        }
    }
}
