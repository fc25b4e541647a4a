import Alignment
import Basics
import Following
import Foundation
import Listening
import ReferenceStore
import Score
import Sound
import TakeReport
import WebServer

/// Makes the report on a take, by aligning the whole of it with the reference. Nothing of it comes from the live
/// follower. It runs on a thread of low priority, one take after another.
actor TakeReporter {
    private let thread: PracticeThread
    nonisolated var unownedExecutor: UnownedSerialExecutor { thread.asUnownedSerialExecutor() }
    private let models: ModelFolder
    private let recordings: String
    private var recent: [(key: String, report: TakeReportJSON)] = []
    /// The reports that are being made, or wait for the thread.
    private var running: [String: Task<TakeReportJSON, Never>] = [:]
    private let quota = SharedResourceQuota(places)

    /// The reports that are kept in memory.
    private static let mostRecent = 32
    /// As many reports may wait as students may practise; one of an account.
    static let places = ResourceQuota.Limits(total: 24, reserve: 4, perAddress: 20, perAccount: 1)
    /// A shorter take has nothing to align.
    static let shortestSeconds = 3.0

    init(modelsFolder: String, recordings: String, thread: PracticeThread) {
        models = ModelFolder(path: modelsFolder)
        self.recordings = recordings
        self.thread = thread
    }

    /// Reports on a take. Takes about a second for each two minutes of sound.
    /// - Parameters:
    ///   - key: identifies the take, so that its report is made once.
    ///   - holder: whoever asks. A report that is known or being made takes no place.
    func report(
        on take: Take, sound: String, key: String, for holder: ResourceQuota.Holder
    ) async throws(ResourceQuota.Refusal) -> TakeReportJSON {
        if let known = recent.first(where: { $0.key == key }) { return known.report }
        if let making = running[key] { return await making.value }
        let place = try quota.takePlace(holder)
        defer { place.giveBackPlace() }
        let making = Task { await make(take, sound) }
        running[key] = making
        let report = await making.value
        running[key] = nil
        keep(report, key)
        return report
    }

    /// Keeps a report in memory. One that was refused is made again, because the reason may pass.
    private func keep(_ report: TakeReportJSON, _ key: String) {
        guard report.refusal == nil, report.notesRefusal == nil else { return }
        recent.append((key, report))
        if recent.count > Self.mostRecent { recent.removeFirst() }
    }

    private func make(_ take: Take, _ sound: String) async -> TakeReportJSON {
        guard let seconds = take.seconds, seconds >= Self.shortestSeconds else {
            return TakeReportJSON(refusal: "The take is too short for a report.")
        }
        let piece = TakePiece(folder: (sound as NSString).deletingLastPathComponent)
        do {
            if piece.isKept {
                var report = try await compare(sound, with: try piece.load().model, scoreIn: piece.folder)
                if take.pieceKeptAt != take.startedAt { report.pieceNote = Self.presentPieceSentence }
                return report
            }
            var report = try await compare(
                sound, with: try models.loadModel(take.piece).model, scoreIn: "\(recordings)/\(take.piece)")
            report.pieceNote = Self.presentPieceSentence
            keepPresentPiece(of: take, report, piece)
            return report
        } catch ReferenceStoreError.noSuchPiece {
            return TakeReportJSON(refusal: Self.goneSentence(take))
        } catch let error as any Explained {
            return TakeReportJSON(refusal: error.sentence)
        } catch {
            return TakeReportJSON(refusal: "The report could not be made: \(error)")
        }
    }

    static let presentPieceSentence =
        "An older Baton recorded this take without a copy of its piece. It is compared with the piece as it was at "
        + "the first report; if the piece had been changed before that, bars and notes may not fit."

    private static func goneSentence(_ take: Take) -> String {
        "“\(take.pieceName)” as you played it is no longer on this server: it was changed, or it made room for "
            + "another tab. An older Baton recorded this take without a copy of its piece, so that there is nothing "
            + "to compare it with. You can still hear it."
    }

    /// Puts the piece beside a take of an earlier version of the program, so that its report stays the same from now
    /// on. If that fails, the next report tries it again.
    private func keepPresentPiece(of take: Take, _ report: TakeReportJSON, _ piece: TakePiece) {
        guard report.refusal == nil else { return }
        do throws(TakeFault) {
            try piece.keep(take.piece, models: models, recordings: recordings)
            var kept = take
            kept.pieceKeptAt = Int64(Date().timeIntervalSince1970 * 1_000)
            try TakeStore.save(kept, in: piece.folder)
        } catch {}
    }

    private func compare(
        _ sound: String, with model: ReferenceModel, scoreIn folder: String
    ) async throws -> TakeReportJSON {
        let heard = try computeReferenceFrames(sound, rooms: [])
        let (found, semitones) = try align(heard.frames, with: model)
        let marks = model.measures.marks
        let bars = TakeBars(
            found, measures: model.measures,
            likeness: TakeLikeness(
                take: heard.frames.transposed(semitones: -semitones),
                reference: model.framesByRecording[0].unpacked,
                framesPerSecond: Double(model.framesPerSecond)))
        guard
            found.likeness >= OfflineScoreAlignment.leastLikeness
                || found.fit >= OfflineScoreAlignment.convincingFit, !bars.passages.isEmpty
        else {
            return TakeReportJSON(
                refusal:
                    "The take does not sound like \(model.pieceName.text): it was too soft, too noisy, or another "
                    + "piece.")
        }
        var report = TakeReportJSON(bars, measures: model.measures)
        report.semitonesHigher = semitones
        do {
            let notes = try await PieceNotes.read(in: folder, bars: marks.count)
            report.barKeys = notes.keys(ofBars: marks.count)
            report.add(
                try TakeNotes.judge(
                    notes, in: bars, measures: model.measures, sound: sound,
                    cents: heard.tuningCents + 100 * Double(semitones)))
        } catch let fault as PieceNotes.Fault {
            report.notesRefusal = fault.sentence
        }
        return report
    }

    /// The keys in which a take is looked for that does not sound like its piece: a capo or another tuning.
    private static let otherKeys = [1, -1, 2, -2, 3, -3]
    /// A take that fits another key better by this factor is taken to be in that key.
    private static let keyLead = 1.5

    /// Aligns a take with its piece, in the key in which it sounds most like it.
    /// - Returns: the alignment, and the semitones by which the take sounds higher than the piece.
    private func align(_ take: ReferenceFeatureFrames, with model: ReferenceModel)
        throws(OfflineAlignmentError) -> (
            OfflineScoreAlignment, semitones: Int
        )
    {
        let marks = model.measures.marks
        func alignment(_ semitones: Int) throws(OfflineAlignmentError) -> OfflineScoreAlignment {
            try OfflineScoreAlignment(
                score: model.framesByRecording[0].unpacked,
                measures: UnfoldedScoreMeasures(
                    onsets: marks.map(\.onset.seconds), end: model.measures.end.seconds,
                    writtenIndices: marks.map(\.printed)),
                recording: take.transposed(semitones: -semitones), framesPerSecond: model.framesPerSecond,
                amongOtherMusic: true, mayBeginAnywhere: true)
        }
        let written = try alignment(0)
        var best = (written, semitones: 0)
        for semitones in Self.otherKeys where best.0.fit < OfflineScoreAlignment.convincingFit {
            let other = try alignment(semitones)
            if other.fit > best.0.fit, other.fit > Self.keyLead * written.fit { best = (other, semitones) }
        }
        return best
    }
}
