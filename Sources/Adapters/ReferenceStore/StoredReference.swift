import Digests
import MusicalTime
import Score

/// What is known about a recording behind a reference: where it came from and how its measures did.
public struct StoredReference: Hashable, Sendable, Codable {
    /// How the measure times of a reference came about.
    public enum MeasureOrigin: String, Sendable, Codable {
        /// From a file of measure times.
        case given
        /// Carried over from the first reference by alignment.
        case transferred
        /// From the score that the recording was rendered from.
        case rendered
    }

    /// Letters, digits and dashes; of one model no two references bear the same.
    public var name: String
    /// The recording, or the score it was rendered from.
    public var source: SourceFile
    /// The file of measure times; nil where there was none.
    public var measureFile: SourceFile?
    public var measureOrigin: MeasureOrigin
    public var durationSeconds: Double
    public var sampleRateHertz: Double
    public var channel: ChannelChoice
    /// Against A = 440 Hz, modulo a semitone.
    public var tuningCents: Double
    /// The recording's own measures: times in it, not on the timeline.
    public var measures: MeasureMap
    /// Measures whose times a person should check by ear.
    public var doubtful: [DoubtfulMeasure]

    public init(
        name: String, source: SourceFile, measureFile: SourceFile?, measureOrigin: MeasureOrigin,
        durationSeconds: Double, sampleRateHertz: Double, channel: ChannelChoice = .mix,
        tuningCents: Double, measures: MeasureMap, doubtful: [DoubtfulMeasure] = []
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

/// A file that a model was made from, known by name and content.
public struct SourceFile: Hashable, Sendable, Codable {
    /// The last part of its path.
    public var file: String
    public var digest: Digest

    public init(file: String, digest: Digest) {
        self.file = file
        self.digest = digest
    }
}

/// A measure whose transferred time is not sure.
public struct DoubtfulMeasure: Hashable, Sendable, Codable {
    /// Counts performed measures from 1; one more than there are for the end of the last.
    public var played: Int
    /// The number printed in the score; nil for the end.
    public var printed: Int?
    /// In the recording.
    public var seconds: Double
    /// Why, in a few words each.
    public var reasons: [String]

    public init(played: Int, printed: Int?, seconds: Double, reasons: [String]) {
        self.played = played
        self.printed = printed
        self.seconds = seconds
        self.reasons = reasons
    }
}
