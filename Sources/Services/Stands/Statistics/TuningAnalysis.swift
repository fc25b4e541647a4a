import Alignment
import Basics
import Following
import Foundation
import ReferenceStore
import Rehearsal
import Sound
import TakeReport

/// Finds how an ensemble was tuned, bar by bar, in the recording of a session.
///
/// The recorded sound of each stretch of music is aligned with the reference as a whole; nothing of the result comes
/// from the live follower, which only says where music was, and against which the alignment is checked. Reading and
/// aligning an hour takes about a minute of a processor.
struct TuningAnalysis {
    /// A reason why nothing can be said, as a sentence.
    struct Fault: Error, Equatable { var sentence: String }

    let sound: RehearsalSound
    let score: Rehearsal.Score
    let began: Int64
    /// Called with the share that is done, 0…1; returns false to end the work.
    let progress: (Double) -> Bool

    /// Seconds of the reference by which alignment and follower may differ; farther off the bar is doubtful.
    private static let mostDistance = 4.0
    /// The edges of a bar that are not heard, in seconds, because neighbouring notes sound there.
    private static let edgeSeconds = 0.05

    /// - Returns: nil if the work was ended.
    func run(_ words: [LoggedLivePositionUpdate]) throws(Fault) -> TuningResult? {
        let models = score.movements.map { movement in
            movement.piece.flatMap { try? sound.models.loadModel($0) }
        }
        guard models.contains(where: { $0 != nil }) else {
            throw Fault(sentence: "No movement of this score has a prepared reference on this server.")
        }
        let stretches = RehearsedStretch.all(words, measures: models.map { $0?.model.measures })
        guard !stretches.isEmpty else {
            throw Fault(sentence: "The follower heard no music of this score in this session.")
        }
        var result = TuningResult()
        var heard: [HeardBar] = []
        let whole = Double(stretches.reduce(0) { $0 + $1.to - $1.from })
        var done = 0.0
        for stretch in stretches {
            let share = Double(stretch.to - stretch.from) / whole
            guard let model = models[stretch.movement],
                let piece = sound.sound(from: stretch.from, to: stretch.to)
            else {
                result.unrecordedSeconds += Double(stretch.to - stretch.from) / 1_000
                done += share
                continue
            }
            let before = done
            do {
                guard
                    let bars = try hear(stretch, piece, model.model, { progress(before + share * $0) })
                else { return nil }
                if bars.isEmpty { result.unlikeSeconds += Double(stretch.to - stretch.from) / 1_000 }
                heard += bars
            } catch let error as SoundFileError {
                throw Fault(sentence: error.sentence)
            } catch {
                result.unlikeSeconds += Double(stretch.to - stretch.from) / 1_000
            }
            done += share
        }
        guard !heard.isEmpty else { throw Fault(sentence: result.emptySentence) }
        result.tuning = SessionTuning(heard)
        let played = Set(heard.map(\.movement))
        let references = played.compactMap { models[$0]?.referenceDetails.first?.tuningCents }
        result.referenceCents =
            references.isEmpty ? nil : references.reduce(0, +) / Double(references.count)
        return result
    }

    private func hear(
        _ stretch: RehearsedStretch, _ piece: RehearsalSound.Piece, _ model: ReferenceModel,
        _ progress: @escaping (Double) -> Bool
    ) throws -> [HeardBar]? {
        let reader = try StretchReader(piece)
        let extractor = ReferenceFrameExtractor(
            sampleRate: reader.reader.sampleRate, transforms: FFTWSpectrumMaker(), rooms: [])
        var blocks = 0
        func goOn(_ share: Double) -> Bool {
            blocks += 1
            return blocks % 256 != 0 || progress(share)
        }
        guard
            try reader.forEachBlock({
                extractor.addTuningPassSamples($0)
                return goOn(0.1)
            }),
            try reader.forEachBlock({
                extractor.addFramePassSamples($0)
                return goOn(0.3)
            })
        else { return nil }
        let marks = model.measures.marks
        let found: OfflineScoreAlignment
        do throws(OfflineAlignmentError) {
            found = try OfflineScoreAlignment(
                score: model.framesByRecording[0].unpacked,
                measures: UnfoldedScoreMeasures(
                    onsets: marks.map(\.onset.seconds), end: model.measures.end.seconds,
                    writtenIndices: marks.map(\.printed)),
                recording: extractor.frames, framesPerSecond: model.framesPerSecond, amongOtherMusic: true,
                progress: { progress(0.4 + 0.4 * $0) })
        } catch {
            guard error != .cancelled else { return nil }
            throw error
        }
        guard found.likeness >= OfflineScoreAlignment.leastLikeness else { return [] }
        let meter = TuningMeter(hertz: reader.hertz, transforms: FFTWSpectrumMaker())
        var bars: [HeardBar] = []
        for (index, bar) in found.measures.enumerated() {
            guard goOn(0.8 + 0.2 * Double(index) / Double(found.measures.count)) else { return nil }
            let next = index + 1 < found.measures.count ? found.measures[index + 1] : nil
            let length = model.measures.onset(after: bar.played).seconds - marks[bar.played].onset.seconds
            let follows = next?.played == bar.played + 1
            let end = follows ? next!.seconds : min(bar.seconds + length, next?.seconds ?? found.endSeconds)
            let samples = try reader.samples(
                from: bar.seconds + Self.edgeSeconds, to: end - Self.edgeSeconds)
            let at = piece.beganAt + Int64(bar.seconds * 1_000)
            let isFar =
                stretch.distance(of: marks[bar.played].onset.seconds, at: at) > Self.mostDistance
            bars.append(
                HeardBar(
                    movement: stretch.movement, played: bar.played, printed: marks[bar.played].printed,
                    seconds: Double(at - began) / 1_000, votes: meter.votes(of: samples[...]),
                    isDoubtful: isFar || bar.doubt >= OfflineScoreAlignment.doubtfulFrom
                        || (next?.doubt ?? 0) >= OfflineScoreAlignment.doubtfulFrom))
        }
        return bars
    }
}

/// The tuning of a session, and what could not be heard.
struct TuningResult: Equatable, Sendable {
    var tuning = SessionTuning([])
    /// The mean tuning of the references, in cents above A = 440 Hz; nil if it is not known.
    var referenceCents: Double?
    /// Seconds of music without recorded sound, and with sound that is not like the reference.
    var unrecordedSeconds = 0.0
    var unlikeSeconds = 0.0

    var emptySentence: String {
        unlikeSeconds > unrecordedSeconds
            ? "The recording does not sound like the reference: it is too noisy, or other music."
            : "There is no recording of this session on this server; it was not recorded, or it was deleted."
    }
}
