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
    private var recent: [(key: String, report: ReportOnTake)] = []
    /// The reports that are being made, or wait for the thread.
    private var running: [String: Task<ReportOnTake, Never>] = [:]
    private let quota = SharedResourceQuota(places)

    /// The reports that are kept in memory.
    private static let mostRecent = 32
    /// As many reports may wait as students may practise; one of an account.
    static let places = ResourceQuota.Limits(total: 24, reserve: 4, perAddress: 20, perAccount: 1)

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
    ) async throws(ResourceQuota.Refusal) -> ReportOnTake {
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
    private func keep(_ report: ReportOnTake, _ key: String) {
        guard report.refusal == nil, report.notesRefusal == nil else { return }
        recent.append((key, report))
        if recent.count > Self.mostRecent { recent.removeFirst() }
    }

    private func make(_ take: Take, _ sound: String) async -> ReportOnTake {
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
            return ReportOnTake(refusal: Self.goneSentence(take))
        } catch let error as any Explained {
            return ReportOnTake(refusal: error.sentence)
        } catch {
            return ReportOnTake(refusal: "The report could not be made: \(error)")
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
    private func keepPresentPiece(of take: Take, _ report: ReportOnTake, _ piece: TakePiece) {
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
    ) async throws -> ReportOnTake {
        let heard = try computeReferenceFrames(sound, rooms: [])
        var (notes, notesRefusal): (PieceNotes?, String?)
        do throws(PieceNotes.Fault) {
            notes = try await PieceNotes.read(in: folder, bars: model.measures.marks.count)
        } catch { notesRefusal = error.sentence }
        var examination = TakeExamination(
            heard.frames, cents: heard.tuningCents, piece: model.framesByRecording[0].unpacked,
            measures: model.measures, framesPerSecond: model.framesPerSecond, notes: notes)
        let window = SlidingSound(try SoundFileReader(path: sound))
        while let seconds = examination.nextSeconds {
            examination.judgeNotes(
                try window.samples(of: seconds), hertz: window.hertz, transforms: FFTWSpectrumMaker())
        }
        var report = examination.report
        if report.refusal == nil { report.notesRefusal = notesRefusal }
        return report
    }
}

/// Reads rising stretches of a sound file; they may overlap.
private final class SlidingSound {
    private let reader: SoundFileReader
    private var held: [Float] = []
    /// The number of the first sample that is held.
    private var first = 0
    private var isAtEnd = false

    init(_ reader: SoundFileReader) { self.reader = reader }

    var hertz: Double { reader.sampleRate.hertz }

    func samples(of seconds: Range<Double>) throws(SoundFileError) -> [Float] {
        let (low, high) = (Int(seconds.lowerBound * hertz), Int(seconds.upperBound * hertz))
        var block = [Float](repeating: 0, count: 4_096)
        while first + held.count < high, !isAtEnd {
            let count = try block.withUnsafeMutableBufferPointer { buffer throws(SoundFileError) in
                try reader.read(into: buffer)
            }
            isAtEnd = count == 0
            held += block[..<count]
            // The sound before the stretch is never needed again.
            let old = min(low - first, held.count)
            if old > 1 << 16 {
                held.removeFirst(old)
                first += old
            }
        }
        let from = min(max(low - first, 0), held.count)
        return Array(held[from..<min(max(high - first, from), held.count)])
    }
}
