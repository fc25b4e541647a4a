import Digests
import MusicalTime
import Score

/// The details of one reference recording: its file, and how reliable its measure times are.
public struct StoredReference: Hashable, Sendable, Codable {
    /// The origin of a reference recording's measure times.
    public enum MeasureTimesOrigin: String, Sendable, Codable {
        /// The times come from a file of measure times.
        case given
        /// The times were transferred from the first reference by alignment.
        case transferred
        /// The times come from the score from which the recording was rendered.
        case rendered
    }

    /// The recording's name: letters, digits and dashes; unique within a model.
    public var name: String
    /// The file of the recording, or of the score from which the audio was rendered.
    public var source: ModelSourceFile
    /// The file of measure times; nil if there was none.
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

    public init(
        name: String, source: ModelSourceFile, measureFile: ModelSourceFile?,
        measureOrigin: MeasureTimesOrigin,
        durationSeconds: Double, sampleRateHertz: Double, channel: AudioChannelChoice = .meanOfAllChannels,
        tuningCents: Double, measures: MeasureMap, doubtful: [DoubtfulMeasureTime] = []
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
