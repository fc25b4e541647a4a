import Alignment
import Features
import Following
import Foundation
import Listening
import MusicalTime
import ReferenceStore
import Score
import SoundFiles

/// The measures of a recording, found by aligning it with its score.
struct ScoreAlignedMeasures {
    let measures: MeasureMap
    let doubtful: [DoubtfulMeasureTime]
    let findings: ScoreAlignmentFindings
    let scoreFile: ModelSourceFile

    /// Beyond these tempi the score is rendered once more, at the tempo of the recording.
    private static let tempiThatNeedNoNewRendering = 0.6...1.7
    /// A recording of which less than this share is music of the score gets a warning.
    private static let leastMusicShare = 0.5

    /// Renders the score, aligns the recording with it and says what was found.
    /// - Throws: ``PreparationError``, also if the recording does not sound like the score.
    init(
        score: String, recording: CheckedRecording, request: PreparationRequest,
        console: any PreparationObserver, cleanup: PreparationCleanup
    ) async throws(PreparationError) {
        do { scoreFile = try ModelSourceFile(path: score) } catch { throw PreparationError(error.sentence) }
        console.beginStage("Listening to \(recording.sourceFile.file)")
        let heard = try Self.frames(
            of: recording.audioPath, channel: recording.audioChannelChoice, console: console)
        var rendering = try await RenderedScore(score: score, console: console, cleanup: cleanup)
        var alignment = try Self.align(heard, with: rendering, request: request, console: console)
        if !Self.tempiThatNeedNoNewRendering.contains(alignment.tempoRatio) {
            let tempo = alignment.tempoRatio
            rendering = try await RenderedScore(
                score: score, tempo: tempo, console: console, cleanup: cleanup)
            alignment = try Self.align(heard, with: rendering, request: request, console: console)
            alignment.tempoRatio *= tempo
        }
        try Self.checkLikeness(
            alignment, score: scoreFile.file, recording: recording.sourceFile.file,
            insists: request.insistsOnScore, console: console)
        let printed = rendering.measures.marks.map(\.printed)
        measures = try Self.measureMap(
            alignment, printed: printed, recordingEnd: recording.audioSurvey.duration.value)
        doubtful = Self.doubtfulMeasures(alignment, measures)
        let sentences = ScoreRouteSentences(
            measures: rendering.unfoldedMeasures, printed: printed, passages: alignment.passages
        ).sentences
        findings = ScoreAlignmentFindings(
            doubts: alignment.measures.map { ($0.doubt * 100).rounded() / 100 },
            routeSentences: sentences + Self.keySentences(alignment.semitonesHigher),
            semitonesHigher: alignment.semitonesHigher,
            likeness: (alignment.likeness * 1000).rounded() / 1000,
            tempoRatio: (alignment.tempoRatio * 1000).rounded() / 1000)
        let share =
            (measures.end.seconds - measures.marks[0].onset.seconds) / recording.audioSurvey.duration.value
        if share < Self.leastMusicShare {
            console.printLine(
                "warning: only \(Int((share * 100).rounded())) % of \(recording.sourceFile.file) is music of this "
                    + "score; cut the recording to the piece if its other music is not to be followed.")
        }
    }

    /// An alignment in terms of the unfolded score's played measures.
    private struct FoundMeasures {
        var measures: [OfflineScoreAlignment.Measure]
        var end: Double
        var passages: [Range<Int>]
        var semitonesHigher: Int
        var likeness: Double
        var tempoRatio: Double
    }

    private static func frames(
        of path: String, channel: AudioChannelChoice, console: any PreparationObserver
    ) throws(PreparationError) -> ReferenceFeatureFrames {
        do {
            return try computeReferenceFrames(
                path, channel: channel, rooms: [], progress: console.showProgress
            ).frames
        } catch { throw PreparationError(error.sentence) }
    }

    private static func align(
        _ heard: ReferenceFeatureFrames, with rendering: RenderedScore, request: PreparationRequest,
        console: any PreparationObserver
    ) throws(PreparationError) -> FoundMeasures {
        let unfolded = rendering.unfoldedMeasures
        var played = Array(0..<unfolded.count)
        if case .ranges(let ranges) = request.route {
            let finder = ScoreRouteFinder(printed: rendering.measures.marks.map(\.printed))
            played = try finder.playedMeasures(of: ranges)
        }
        console.beginStage("Listening to the score")
        let score = try frames(of: rendering.audioPath, channel: .meanOfAllChannels, console: console)
        console.beginStage("Aligning the recording with the score")
        let rate = FeatureParameters().framesPerSecond
        let (frames, measures) =
            request.route == .found || request.route == .written
            ? (score, unfolded) : score.rearranged(unfolded, played: played, framesPerSecond: rate)
        let found: OfflineScoreAlignment
        do {
            found = try OfflineScoreAlignment(
                score: frames, measures: measures, recording: heard, framesPerSecond: rate,
                mayLeap: request.route == .found
            ) { share in
                console.showProgress(share)
                return true
            }
        } catch { throw PreparationError(error.sentence) }
        var onsets = found.measures
        for index in onsets.indices { onsets[index].played = played[onsets[index].played] }
        return FoundMeasures(
            measures: onsets, end: found.endSeconds, passages: passages(onsets.map(\.played)),
            semitonesHigher: found.semitonesHigher, likeness: found.likeness, tempoRatio: found.tempoRatio)
    }

    /// The measures as ranges that follow each other in the score.
    private static func passages(_ played: [Int]) -> [Range<Int>] {
        var ranges: [Range<Int>] = []
        for measure in played {
            if let last = ranges.last, last.upperBound == measure {
                ranges[ranges.count - 1] = last.lowerBound..<measure + 1
            } else {
                ranges.append(measure..<measure + 1)
            }
        }
        return ranges
    }

    /// Refuses a recording of other music.
    private static func checkLikeness(
        _ alignment: FoundMeasures, score: String, recording: String, insists: Bool,
        console: any PreparationObserver
    ) throws(PreparationError) {
        guard
            alignment.measures.isEmpty || alignment.likeness < OfflineScoreAlignment.leastLikeness
        else { return }
        let sentence =
            "\(recording) does not sound like \(score): the score fits it hardly better than the same score "
            + "played backwards."
        guard insists, !alignment.measures.isEmpty else {
            throw PreparationError(
                sentence
                    + " Is it another piece or movement? Give its own score; or if you are sure, prepare it "
                    + "with --insist and check every bar by ear.")
        }
        console.printLine("warning: " + sentence)
    }

    private static func measureMap(
        _ alignment: FoundMeasures, printed: [Int], recordingEnd: Double
    ) throws(PreparationError) -> MeasureMap {
        let marks = alignment.measures.map {
            PlayedMeasure(
                printed: printed[$0.played],
                onset: ReferenceTime(seconds: roundedToTenthMillisecond($0.seconds)))
        }
        do {
            return try MeasureMap(
                marks: marks,
                end: ReferenceTime(seconds: roundedToTenthMillisecond(min(alignment.end, recordingEnd))))
        } catch {
            throw PreparationError(
                "The bars of the score could not be found in the recording (\(error.sentence)) "
                    + "Give its measure times with --measures.")
        }
    }

    private static func doubtfulMeasures(
        _ alignment: FoundMeasures, _ map: MeasureMap
    ) -> [DoubtfulMeasureTime] {
        zip(alignment.measures, map.marks).enumerated().compactMap { index, measure in
            guard measure.0.doubt >= OfflineScoreAlignment.doubtfulFrom else { return nil }
            return DoubtfulMeasureTime(
                played: index + 1, printed: measure.1.printed, seconds: measure.1.onset.seconds,
                reasons: ReferenceAdder.doubtReasonSentences(measure.0.reasons))
        }
    }

    private static func keySentences(_ semitones: Int) -> [String] {
        guard semitones != 0 else { return [] }
        let steps = abs(semitones) == 1 ? "a semitone" : "\(abs(semitones)) semitones"
        return [
            "The recording sounds \(steps) \(semitones > 0 ? "higher" : "lower") than the score is written."
        ]
    }

    /// Rounds to tenths of a millisecond, the precision of measure-time files.
    private static func roundedToTenthMillisecond(_ seconds: Double) -> Double {
        (seconds * 10_000).rounded() / 10_000
    }
}
