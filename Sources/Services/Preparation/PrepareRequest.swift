/// What is to be prepared, as somebody asked for it and `baton prepare` checked it.
struct PrepareRequest: Sendable {
    var piece: String
    /// One of the two is given: a recording, or a score that is rendered.
    var recording: String?
    var score: String?
    var measures: String?
    /// Of the measure times; a name of ``MeasureTimesFormatChoice``.
    var format: String
    var name: String?
    var reference: String?
    /// Folder of models.
    var models: String
    var channel: String
    /// Seconds in the recording.
    var end: Double?
    var replace: Bool
    var add: Bool
    var checkOnly: Bool
}
