/// The options of `baton prepare`, already validated.
package struct PreparationRequest: Sendable {
    package var pieceFolder: String
    /// Path of the recording; nil if `score` is given instead. Exactly one of the two is set.
    package var recording: String?
    package var score: String?
    package var measureTimesPath: String?
    /// Format of the measure times: a name that ``MeasureTimesFormatChoice`` accepts.
    package var measureTimesFormat: String
    package var pieceName: String?
    package var referenceName: String?
    /// Path of the folder that holds all models.
    package var modelsFolder: String
    package var channel: String
    /// Time at which the music ends, in seconds from the start of the recording.
    package var endSeconds: Double?
    package var replacesModel: Bool
    package var addsToModel: Bool
    package var checkOnly: Bool

    package init(
        piece: String, recording: String? = nil, score: String? = nil, measures: String? = nil,
        format: String, name: String? = nil, reference: String? = nil, models: String, channel: String,
        end: Double? = nil, replace: Bool, add: Bool, checkOnly: Bool
    ) {
        self.pieceFolder = piece
        self.recording = recording
        self.score = score
        self.measureTimesPath = measures
        self.measureTimesFormat = format
        self.pieceName = name
        self.referenceName = reference
        self.modelsFolder = models
        self.channel = channel
        self.endSeconds = end
        self.replacesModel = replace
        self.addsToModel = add
        self.checkOnly = checkOnly
    }
}
