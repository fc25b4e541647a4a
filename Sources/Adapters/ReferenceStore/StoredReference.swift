import Basics
import Platform
import Score

/// The details of one reference recording: its file, and how reliable its measure times are.
public struct StoredReference: Hashable, Sendable, Codable {
    /// The origin of a reference recording's measure times.
    public enum MeasureTimesOrigin: String, Sendable, Codable {
        /// The times come from a file of measure times.
        case given
        /// The times were found by alignment, with the first reference or with a score.
        case transferred
        /// The times come from the score from which the recording was rendered.
        case rendered
        /// The times were found from a person's taps.
        case tapped
    }

    /// The recording's name: letters, digits and dashes; unique within a model.
    public var name: String
    /// The file of the recording, or of the score from which the audio was rendered.
    public var source: ModelSourceFile
    /// The file of measure times, or the score by which they were found; nil if there was none.
    public var measureFile: ModelSourceFile?
    public var measureOrigin: MeasureTimesOrigin
    public var durationSeconds: Double
    public var sampleRateHertz: Double
    public var channel: AudioChannelChoice
    /// The recording's deviation from A = 440 Hz in cents, modulo a semitone.
    public var tuningCents: Double
    /// The measure times in this recording, counted from its own start and not on the model's timeline.
    public var measures: MeasureMap
    /// Measures whose times a person should check by ear.
    public var doubtful: [DoubtfulMeasureTime]
    /// The result of the alignment with a score; nil if the measure times come from elsewhere.
    public var scoreAlignment: ScoreAlignmentFindings?

    public init(
        name: String, source: ModelSourceFile, measureFile: ModelSourceFile?,
        measureOrigin: MeasureTimesOrigin,
        durationSeconds: Double, sampleRateHertz: Double, channel: AudioChannelChoice = .meanOfAllChannels,
        tuningCents: Double, measures: MeasureMap, doubtful: [DoubtfulMeasureTime] = [],
        scoreAlignment: ScoreAlignmentFindings? = nil
    ) {
        self.name = name
        self.source = source
        self.measureFile = measureFile
        self.measureOrigin = measureOrigin
        self.durationSeconds = durationSeconds
        self.sampleRateHertz = sampleRateHertz
        self.channel = channel
        self.tuningCents = tuningCents
        self.measures = measures
        self.doubtful = doubtful
        self.scoreAlignment = scoreAlignment
    }
}

/// The result of the alignment of a recording with its score.
public struct ScoreAlignmentFindings: Hashable, Sendable, Codable {
    /// The doubt about the onset of each played measure, from 0 (none) to 1.
    public var doubts: [Double]
    /// The repeats and cuts of the recording, a sentence each.
    public var routeSentences: [String]
    /// The number of semitones by which the recording sounds higher than the score, apart from its tuning.
    public var semitonesHigher: Int
    /// The likeness of recording and score: 0 for another piece, 1 for equal sounds.
    public var likeness: Double
    /// The tempo of the recording as a multiple of the score's.
    public var tempoRatio: Double

    public init(
        doubts: [Double], routeSentences: [String], semitonesHigher: Int, likeness: Double, tempoRatio: Double
    ) {
        self.doubts = doubts
        self.routeSentences = routeSentences
        self.semitonesHigher = semitonesHigher
        self.likeness = likeness
        self.tempoRatio = tempoRatio
    }
}

/// A file from which a model was made, identified by name and content.
public struct ModelSourceFile: Hashable, Sendable, Codable {
    /// The name of the file, without its folder.
    public var file: String
    public var digest: Digest

    public init(file: String, digest: Digest) {
        self.file = file
        self.digest = digest
    }
}

/// A measure whose time in the recording is uncertain.
public struct DoubtfulMeasureTime: Hashable, Sendable, Codable {
    /// The measure's number in the order of performance, counted from 1. The number of measures plus one stands for the
    /// end of the last measure.
    public var played: Int
    /// The measure's number as printed in the score; nil for the end of the last measure.
    public var printed: Int?
    /// The time at which the measure begins in the recording, in seconds.
    public var seconds: Double
    /// The reasons why the time is uncertain, a few words each.
    public var reasons: [String]

    public init(played: Int, printed: Int?, seconds: Double, reasons: [String]) {
        self.played = played
        self.printed = printed
        self.seconds = seconds
        self.reasons = reasons
    }
}
