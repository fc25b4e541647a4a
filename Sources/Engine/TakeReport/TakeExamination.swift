import Alignment
import Basics
import Features
import Score

/// Makes the report on a take: aligns the whole of it with the piece, then judges its notes, stretch by stretch of its
/// sound. Nothing of it comes from a live follower.
public struct TakeExamination {
    /// The report, which is complete as soon as ``nextSeconds`` is nil.
    public private(set) var report: ReportOnTake
    private var notes: TakeNotes?

    /// A shorter take has nothing to align.
    private static let shortestSeconds = 3
    /// The keys in which a take is looked for that does not sound like its piece: a capo or another tuning.
    private static let otherKeys = [1, -1, 2, -2, 3, -3]
    /// A take that fits another key better by this factor is taken to be in that key.
    private static let keyLead = 1.5

    /// Aligns a take.
    /// - Parameters:
    ///   - take: its frames, of the same kind and number a second as those of the piece.
    ///   - cents: its tuning above A = 440 Hz.
    ///   - piece: the frames of the recording from which `measures` counts its seconds.
    ///   - notes: those of the piece's score; nil if they are not known.
    /// - Complexity: about a second for each two minutes of sound.
    public init(
        _ take: ReferenceFeatureFrames, cents: Double, piece: ReferenceFeatureFrames, measures: MeasureMap,
        framesPerSecond: Int, notes: PieceNotes?
    ) {
        guard take.frameCount >= Self.shortestSeconds * framesPerSecond else {
            report = ReportOnTake(refusal: "The take is too short for a report.")
            return
        }
        let (found, semitones): (OfflineScoreAlignment, Int)
        do throws(OfflineAlignmentError) {
            (found, semitones) = try Self.align(take, with: piece, measures, framesPerSecond)
        } catch {
            report = ReportOnTake(refusal: error.sentence)
            return
        }
        let bars = TakeBars(
            found, measures: measures,
            likeness: TakeLikeness(
                take: take.transposed(semitones: -semitones), reference: piece,
                framesPerSecond: Double(framesPerSecond)))
        guard
            found.likeness >= OfflineScoreAlignment.leastLikeness
                || found.fit >= OfflineScoreAlignment.convincingFit, !bars.passages.isEmpty
        else {
            report = ReportOnTake(
                refusal:
                    "The take does not sound like the piece: it was too soft, too noisy, or another piece.")
            return
        }
        var report = ReportOnTake(bars, measures: measures)
        report.semitonesHigher = semitones
        if let notes {
            report.barKeys = notes.keys(ofBars: measures.marks.count)
            self.notes = TakeNotes(
                notes, in: bars, measures: measures, cents: cents + 100 * Double(semitones), &report)
        }
        self.report = report
    }

    /// The seconds of the take whose sound ``judgeNotes(_:hertz:transforms:)`` needs next; nil if the report is complete.
    public var nextSeconds: Range<Double>? { notes?.nextSeconds }

    /// Judges the next notes.
    /// - Parameter samples: those of ``nextSeconds``, as far as the take has them.
    public mutating func judgeNotes(
        _ samples: [Float], hertz: Double, transforms: any SpectrumTransformMaker
    ) { notes?.judge(samples, hertz: hertz, transforms: transforms, &report) }

    /// Aligns a take with its piece, in the key in which it sounds most like it.
    /// - Returns: the alignment, and the semitones by which the take sounds higher than the piece.
    private static func align(
        _ take: ReferenceFeatureFrames, with piece: ReferenceFeatureFrames, _ measures: MeasureMap,
        _ framesPerSecond: Int
    ) throws(OfflineAlignmentError) -> (OfflineScoreAlignment, semitones: Int) {
        let bars = UnfoldedScoreMeasures(
            onsets: measures.marks.map { $0.onset.seconds }, end: measures.end.seconds,
            writtenIndices: measures.marks.map { $0.printed })
        func alignment(_ semitones: Int) throws(OfflineAlignmentError) -> OfflineScoreAlignment {
            try OfflineScoreAlignment(
                score: piece, measures: bars, recording: take.transposed(semitones: -semitones),
                framesPerSecond: framesPerSecond, amongOtherMusic: true, mayBeginAnywhere: true)
        }
        let written = try alignment(0)
        var best = (written, semitones: 0)
        for semitones in otherKeys where best.0.fit < OfflineScoreAlignment.convincingFit {
            let other = try alignment(semitones)
            if other.fit > best.0.fit, other.fit > keyLead * written.fit { best = (other, semitones) }
        }
        return best
    }
}
