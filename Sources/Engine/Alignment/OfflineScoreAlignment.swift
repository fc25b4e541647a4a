import RealModule

/// Aligns a recording with the rendered sound of its score: finds which measures the performers play, in which order,
/// and when each begins.
///
/// A coarse search (``OfflineLeapSearch``) finds key, tempo, start, end and the repeats that were left out; then
/// ``OfflineRecordingAlignment`` aligns stretches of some minutes at the full frame rate.
public struct OfflineScoreAlignment {
    /// One measure that the recording plays.
    public struct Measure: Sendable, Hashable {
        /// The measure's index in ``UnfoldedScoreMeasures``.
        public var played: Int
        /// The onset in seconds of the recording.
        public var seconds: Double
        /// The doubt about the onset, from 0 (none) to 1; from ``doubtfulFrom`` on a person should check it by ear.
        public var doubt: Double
        public var reasons: MeasureTransferDoubt
    }

    /// Measures that are played without a leap.
    public struct Passage: Sendable, Hashable {
        public var played: Range<Int>
        public var startSeconds: Double
    }

    /// The doubt from which an onset should be checked by ear.
    public static let doubtfulFrom = 0.5
    /// The likeness from which on a recording is taken to be a recording of the score.
    ///
    /// Measured (docs/own-piece.md): right scores have 0.25 and more, other pieces and movements are near 0, and a
    /// variation on the same harmonies has 0.19.
    public static let leastLikeness = 0.2
    /// The cost of beginning or ending at any bar, if that is usual; see ``OfflineLeapSearch/Costs/edgeSeconds``.
    private static let edgeSeconds: Float = 0.3

    /// The measures in the order of the recording; their onsets rise strictly.
    public let measures: [Measure]
    /// The end of the last measure, in seconds of the recording.
    public let endSeconds: Double
    public let passages: [Passage]
    /// The number of semitones by which the recording sounds higher than the score, apart from its tuning.
    public let semitonesHigher: Int
    /// The share by which the mean cost is lower than with the score played backwards: 0 for another piece, 1 for equal
    /// sounds.
    public let likeness: Double
    /// The tempo of the recording as a multiple of the rendered score's.
    public let tempoRatio: Double
    /// The share of the recording that is music of the score, times how much better it fits than another piece does: 0
    /// for another piece, some 0.2 for a recording of the score alone. Unlike ``likeness`` it tells a few bars, which
    /// may sound like themselves backwards.
    public let fit: Double
    /// The ``fit`` from which on a recording of some bars is taken to be one of the score.
    public static let convincingFit = 0.12

    /// Aligns a recording with a score.
    /// - Parameters:
    ///   - score: the frames of the rendered score, from which `measures` counts its seconds.
    ///   - mayLeap: false if the recording is known to play all measures in order.
    ///   - amongOtherMusic: true if the recording may hold much other music, at the score's own key; the piece may be
    ///     played several times or in parts.
    ///   - mayBeginAnywhere: true if the performer may begin and end at any bar, as one does who practises.
    ///   - progress: called with the share that is done, 0…1; returns false to cancel.
    /// - Throws: ``OfflineAlignmentError``.
    /// - Complexity: about 2·10⁸ × dimensions products for recordings of an hour, a tenth of them for ten minutes.
    public init(
        score: ReferenceFeatureFrames, measures: UnfoldedScoreMeasures,
        recording: ReferenceFeatureFrames, framesPerSecond: Int, mayLeap: Bool = true,
        amongOtherMusic: Bool = false, mayBeginAnywhere: Bool = false,
        progress: @escaping (Double) -> Bool = { _ in true }
    ) throws(OfflineAlignmentError) {
        guard score.frameCount > 0 else { throw .recordingEmpty(.first) }
        guard recording.frameCount > 0 else { throw .recordingEmpty(.second) }
        guard score.dimensions == recording.dimensions else {
            throw .differentDimensions(first: score.dimensions, second: recording.dimensions)
        }
        let search = OfflineScoreSearch(
            score: score, measures: measures, recording: recording,
            framesPerSecond: Double(framesPerSecond), mayLeap: mayLeap,
            edgeSeconds: mayBeginAnywhere ? Self.edgeSeconds : nil)
        let showSearch: (Double) -> Bool = { progress($0 * 0.7) }
        guard
            let found = amongOtherMusic
                ? search.findRouteAmongOtherMusic(progress: showSearch)
                : search.findRoute(progress: showSearch)
        else { throw .cancelled }
        semitonesHigher = found.semitonesHigher
        likeness = found.likeness
        tempoRatio = found.scorePlacesPerRow
        fit = found.fit
        let fine = OfflineScoreRefinement(
            score: score.transposed(semitones: found.semitonesHigher), measures: measures,
            recording: recording, framesPerSecond: framesPerSecond,
            tempo: mayBeginAnywhere ? found.scorePlacesPerRow : 1)
        let (onsets, end) = try fine.refine(found.route, progress: { progress(0.7 + $0 * 0.3) })
        self.measures = onsets
        // The last chord often dies away before the written end of its measure.
        let duration = Double(recording.frameCount) / Double(framesPerSecond)
        endSeconds = max(
            end,
            onsets.last.map { last in
                let written = measures.end(of: last.played) - measures.onsets[last.played]
                return min(last.seconds + written / found.scorePlacesPerRow, duration)
            } ?? end)
        var first = 0
        passages = found.route.passages.map { passage in
            defer { first += passage.measures.count }
            return Passage(
                played: passage.measures, startSeconds: onsets[first].seconds)
        }
    }
}

extension MeasureTransferDoubt {
    /// Performers leave the order of the score before this measure.
    public static let afterLeap = MeasureTransferDoubt(rawValue: 1 << 5)
    /// Twice the usual time passes between two taps: a tap is missing, or a note was held.
    public static let missingTap = MeasureTransferDoubt(rawValue: 1 << 6)
}
