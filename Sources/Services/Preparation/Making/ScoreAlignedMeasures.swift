import Alignment
import Basics
import Features
import Following
import Foundation
import Listening
import ReferenceStore
import Score
import Sound

/// The measures of a recording, found by aligning it with its score.
struct ScoreAlignedMeasures {
    /// A recording whose measures are to be found.
    struct Recording {
        var path: String
        /// The name of the file, for sentences.
        var name: String
        var channel: AudioChannelChoice = .meanOfAllChannels
        var seconds: Double
    }

    /// The choices of the person who asked.
    struct Options {
        var route: ScoreRouteChoice = .found
        /// True to align a recording that does not sound like its score.
        var insists = false
        var adviceReader = AdviceReader.command
    }

    let measures: MeasureMap
    let doubtful: [DoubtfulMeasureTime]
    let findings: ScoreAlignmentFindings
    let scoreFile: ModelSourceFile
    /// The differences between the recording and the score with all its repeats.
    let routeFindings: [ScoreRouteFinding]
    /// The doubt about each played measure and the reasons for it; the reasons are empty if it is small.
    let doubts: [(doubt: Double, reasons: [String])]
    /// Warnings, already told to the observer.
    let warnings: [String]

    /// Beyond these tempi the score is rendered once more, at the tempo of the recording.
    private static let tempiThatNeedNoNewRendering = 0.6...1.7
    /// A recording of which less than this share is music of the score gets a warning.
    private static let leastMusicShare = 0.5

    /// Renders the score, aligns the recording with it and says what was found.
    /// - Throws: ``PreparationError``, also if the recording does not sound like the score.
    init(
        score: String, recording: Recording, options: Options,
        console: any PreparationObserver, cleanup: PreparationCleanup
    ) async throws {
        scoreFile = try ModelSourceFile(path: score)
        console.beginStage("Listening to \(recording.name)")
        let heard = try Self.frames(
            of: recording.path, channel: recording.channel, console: console)
        var rendering = try await RenderedScore(score: score, console: console, cleanup: cleanup)
        var alignment = try Self.align(heard, with: rendering, options: options, console: console)
        if !Self.tempiThatNeedNoNewRendering.contains(alignment.tempoRatio) {
            let tempo = alignment.tempoRatio
            rendering = try await RenderedScore(
                score: score, tempo: tempo, console: console, cleanup: cleanup)
            alignment = try Self.align(heard, with: rendering, options: options, console: console)
            alignment.tempoRatio *= tempo
        }
        var warnings: [String] = []
        if let warning = try Self.checkLikeness(
            alignment, score: scoreFile.file, recording: recording.name, options: options)
        {
            warnings.append(warning)
        }
        let printed = rendering.measures.marks.map(\.printed)
        measures = try Self.measureMap(
            alignment, printed: printed, recordingEnd: recording.seconds, options.adviceReader)
        doubtful = Self.doubtfulMeasures(alignment, measures)
        doubts = alignment.measures.map {
            (
                ($0.doubt * 100).rounded() / 100,
                $0.doubt >= OfflineScoreAlignment.doubtfulFrom
                    ? TransferredMeasures.doubtReasonSentences($0.reasons) : []
            )
        }
        routeFindings =
            ScoreRouteSentences(
                measures: rendering.unfoldedMeasures, printed: printed, passages: alignment.passages
            ).findings
        findings = ScoreAlignmentFindings(
            doubts: doubts.map(\.doubt),
            routeSentences: routeFindings.map(\.sentence) + Self.keySentences(alignment.semitonesHigher),
            semitonesHigher: alignment.semitonesHigher,
            likeness: (alignment.likeness * 1000).rounded() / 1000,
            tempoRatio: (alignment.tempoRatio * 1000).rounded() / 1000)
        let share = (measures.end.seconds - measures.marks[0].onset.seconds) / recording.seconds
        if share < Self.leastMusicShare {
            warnings.append(
                "Only \(Int((share * 100).rounded())) % of \(recording.name) is music of this score; cut the "
                    + "recording to the piece if its other music is not to be followed.")
        }
        for warning in warnings { console.printLine("warning: " + warning) }
        self.warnings = warnings
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
    ) throws -> ReferenceFeatureFrames {
        return try computeReferenceFrames(
            path, channel: channel, rooms: [], progress: console.showProgress
        ).frames
    }

    private static func align(
        _ heard: ReferenceFeatureFrames, with rendering: RenderedScore, options: Options,
        console: any PreparationObserver
    ) throws -> FoundMeasures {
        let unfolded = rendering.unfoldedMeasures
        var played = Array(0..<unfolded.count)
        if case .ranges(let ranges) = options.route {
            let finder = ScoreRouteFinder(printed: rendering.measures.marks.map(\.printed))
            played = try finder.playedMeasures(of: ranges, options.adviceReader)
        }
        console.beginStage("Listening to the score")
        let score = try frames(of: rendering.audioPath, channel: .meanOfAllChannels, console: console)
        console.beginStage("Aligning the recording with the score")
        let rate = FeatureParameters().framesPerSecond
        let (frames, measures) =
            options.route == .found || options.route == .written
            ? (score, unfolded) : score.rearranged(unfolded, played: played, framesPerSecond: rate)
        let found = try OfflineScoreAlignment(
            score: frames, measures: measures, recording: heard, framesPerSecond: rate,
            mayLeap: options.route == .found
        ) { share in
            console.showProgress(share)
            return true
        }
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
    /// - Returns: a warning if the person insisted; nil if the recording sounds like the score.
    private static func checkLikeness(
        _ alignment: FoundMeasures, score: String, recording: String, options: Options
    ) throws -> String? {
        guard
            alignment.measures.isEmpty || alignment.likeness < OfflineScoreAlignment.leastLikeness
        else { return nil }
        let sentence =
            "\(recording) does not sound like \(score): what is played does not follow the score's notes."
        let findsBars = !alignment.measures.isEmpty
        guard options.insists, findsBars else {
            throw PreparationError(
                options.adviceReader.wrongScoreSentence(
                    sentence, recording: recording, score: score, findsBars: findsBars),
                kind: findsBars ? .wrongScore : .scoreNotFound)
        }
        return sentence
    }

    private static func measureMap(
        _ alignment: FoundMeasures, printed: [Int], recordingEnd: Double, _ adviceReader: AdviceReader
    ) throws -> MeasureMap {
        let marks = alignment.measures.map {
            PlayedMeasure(
                printed: printed[$0.played],
                onset: ReferenceTime(seconds: TransferredMeasures.roundedToTenthMillisecond($0.seconds)))
        }
        do {
            return try MeasureMap(
                marks: marks,
                end: ReferenceTime(
                    seconds: TransferredMeasures.roundedToTenthMillisecond(min(alignment.end, recordingEnd))))
        } catch {
            throw PreparationError(
                "The bars of the score could not be found in the recording (\(error.sentence)) "
                    + adviceReader.giveTimesAdvice)
        }
    }

    private static func doubtfulMeasures(
        _ alignment: FoundMeasures, _ map: MeasureMap
    ) -> [DoubtfulMeasureTime] {
        zip(alignment.measures, map.marks).enumerated().compactMap { index, measure in
            guard measure.0.doubt >= OfflineScoreAlignment.doubtfulFrom else { return nil }
            return DoubtfulMeasureTime(
                played: index + 1, printed: measure.1.printed, seconds: measure.1.onset.seconds,
                reasons: TransferredMeasures.doubtReasonSentences(measure.0.reasons))
        }
    }

    private static func keySentences(_ semitones: Int) -> [String] {
        guard semitones != 0 else { return [] }
        let steps = abs(semitones) == 1 ? "a semitone" : "\(abs(semitones)) semitones"
        return [
            "The recording sounds \(steps) \(semitones > 0 ? "higher" : "lower") than the score is written."
        ]
    }
}
