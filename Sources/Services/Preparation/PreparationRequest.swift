/// The options of `baton prepare`, already validated.
package struct PreparationRequest: Sendable {
    package var piece: String
    /// Path of the recording, or of a score to render; exactly one of the two is given.
    package var recording: String?
    package var score: String?
    package var measures: String?
    /// Format of the measure times; a name of ``MeasureTimesFormatChoice``.
    package var format: String
    package var name: String?
    package var reference: String?
    /// Path of the folder of models.
    package var models: String
    package var channel: String
    /// Time at which the music ends, in seconds of the recording.
    package var end: Double?
    package var replace: Bool
    package var add: Bool
    package var checkOnly: Bool

    package init(
        piece: String, recording: String? = nil, score: String? = nil, measures: String? = nil,
        format: String, name: String? = nil, reference: String? = nil, models: String, channel: String,
        end: Double? = nil, replace: Bool, add: Bool, checkOnly: Bool
    ) {
        self.piece = piece
        self.recording = recording
        self.score = score
        self.measures = measures
        self.format = format
        self.name = name
        self.reference = reference
        self.models = models
        self.channel = channel
        self.end = end
        self.replace = replace
        self.add = add
        self.checkOnly = checkOnly
    }
}
