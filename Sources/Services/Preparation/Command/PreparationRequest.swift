/// The options of `baton prepare`, already validated.
package struct PreparationRequest: Sendable {
    package var pieceFolder: String
    /// Path of the recording; nil if `scorePath` is to be rendered instead.
    package var recordingPath: String?
    /// Path of the score: with a recording its measures are found by the score, without one the score is rendered.
    package var scorePath: String?
    /// The measures that the recording plays; used with a recording and a score.
    package var route: ScoreRouteChoice
    /// True to prepare a recording that does not sound like its score.
    package var insistsOnScore: Bool
    package var measureTimesPath: String?
    /// Path of a person's taps, in the form of measure times, from which all measures are found.
    package var tapsPath: String?
    /// The number of bars from one tap to the next.
    package var barsPerTap: Int
    /// The beats of a bar, which help to find the bars between taps; nil if unknown.
    package var beatsPerBar: Int?
    /// Format of the measure times or taps: a name that ``MeasureTimesFormatChoice`` accepts.
    package var measureTimesFormat: String
    package var pieceName: String?
    package var referenceName: String?
    /// Path of the folder that holds all models.
    package var modelsFolder: String
    package var audioChannel: String
    /// Time at which the music ends, in seconds from the start of the recording.
    package var musicEndSeconds: Double?
    package var replacesModel: Bool
    package var addsToModel: Bool
    package var onlyChecks: Bool

    package init(
        pieceFolder: String, recording: String? = nil, score: String? = nil,
        route: ScoreRouteChoice = .found, insistsOnScore: Bool = false, measureTimesPath: String? = nil,
        tapsPath: String? = nil, barsPerTap: Int = 1, beatsPerBar: Int? = nil,
        measureTimesFormat: String, pieceName: String? = nil, referenceName: String? = nil,
        modelsFolder: String, channel: String,
        endSeconds: Double? = nil, replacesModel: Bool, addsToModel: Bool, checkOnly: Bool
    ) {
        self.pieceFolder = pieceFolder
        self.recordingPath = recording
        self.scorePath = score
        self.route = route
        self.insistsOnScore = insistsOnScore
        self.measureTimesPath = measureTimesPath
        self.tapsPath = tapsPath
        self.barsPerTap = barsPerTap
        self.beatsPerBar = beatsPerBar
        self.measureTimesFormat = measureTimesFormat
        self.pieceName = pieceName
        self.referenceName = referenceName
        self.modelsFolder = modelsFolder
        self.audioChannel = channel
        self.musicEndSeconds = endSeconds
        self.replacesModel = replacesModel
        self.addsToModel = addsToModel
        self.onlyChecks = checkOnly
    }
}
