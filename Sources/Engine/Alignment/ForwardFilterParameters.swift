/// The forward filter's assumptions about how music moves. The same values serve every piece (docs/accuracy.md). Those
/// that depend on how alike frames are, are for refined ones.
public struct ForwardFilterParameters: Hashable, Sendable {
    /// Weight of the pitch part of a frame.
    public var pitchWeight: Float = 0.6
    /// Weight of the onset part of a frame.
    public var onsetWeight: Float = 0.4
    /// The weight of similarity in each frame: the likelihood of a place is exp(sharpness × similarity).
    public var likelihoodSharpness: Float = 3.2
    /// The slowest tempo as a multiple of the reference's tempo; `fastestTempoRatio` is the fastest.
    public var slowestTempoRatio: Float = 0.4
    public var fastestTempoRatio: Float = 2.5
    /// Number of tempi from the slowest to the fastest, evenly spaced in the logarithm.
    public var tempoCount = 25
    /// Probability per frame of a change to each neighbouring tempo.
    public var tempoChangeProbability: Float = 0.01
    /// Standard deviation of the natural logarithm of the tempo while nothing is known about it.
    public var initialTempoSpread: Float = 0.2
    /// The probability per frame that a player starts to hold a note; `noteHoldContinueProbability` is the probability
    /// that the note is held further.
    public var noteHoldProbability: Float = 0.0003
    public var noteHoldContinueProbability: Float = 0.8
    /// The probability per frame that a pause starts; `pauseContinueProbability` is the probability that the pause goes
    /// on.
    public var pauseStartProbability: Float = 0.0001
    public var pauseContinueProbability: Float = 0.99
    /// The fit at which a frame is as likely noise as music, in standard deviations above the reference's mean
    /// similarity.
    public var noiseThresholdFit: Float = 0.5
    /// ``noiseThresholdFit`` while the music has not begun, when noise must be excluded more strictly.
    public var noiseThresholdFitBeforeStart: Float = 0.8
    /// ``noiseThresholdFit`` for frames that are much softer than the music before.
    public var softNoiseThresholdFit: Float = 0.75
    /// The fit above which a frame counts as music while the music is awaited, in standard deviations.
    public var startMinimumFit = 1.5
    /// The gain above which a frame counts as music while the music is awaited, however little it fits: the natural
    /// logarithm of its likelihood at the position against its likelihood anywhere, averaged over
    /// `startGainMemoryFrames`. In a room with noise, the first soft bars fit little, but they fit best where they are.
    /// Above `startClearGain` it counts fully, above `startMinimumGain` half.
    public var startClearGain = 0.25
    public var startMinimumGain = 0.2
    public var startGainMemoryFrames = 25.0
    /// The gain below which a position that has drifted on, while the music is awaited, was moved by noise.
    public var driftMinimumGain = 0.14
    /// The number of frames from the most probable one beyond which no place is possible when the music begins. A
    /// position that has drifted on by as much while the music is awaited was moved by noise, unless it fits.
    public var startReachFrames = 100
    /// Number of frames for which the music must move on and fit before it counts as begun.
    public var startConfirmationFrames = 40
    /// The odds from which awaited music counts as begun (``BeginningSearch``).
    public var beginningOdds: Float = 5
    /// The odds from which it counts as begun in another key, or as begun again.
    public var unexpectedBeginningOdds: Float = 20
    /// What each frame that moves on takes from the logarithm of the odds needed, while the gain is above the second
    /// figure, down to the third.
    public var lastingBeginningLogOddsPerFrame: Float = 0.025
    public var lastingBeginningGain = 0.35
    public var leastBeginningLogOdds: Float = -5
    /// The gain of music that has begun without other evidence, and the frames for which it must be above that while
    /// the position moves on at half the reference's tempo or faster.
    public var steadyBeginningGain = 0.15
    public var steadyBeginningFrames = 225
    /// The gain of music that resembles the reference clearly, the frames for which it must be above that in the same
    /// way, and the logarithm of the odds that are enough if they were reached meanwhile.
    public var clearBeginningGain = 0.2
    public var clearBeginningFrames = 75
    public var clearBeginningLogOdds: Float = -3.5
    /// The same for the first sound, whose clear progress begins within so many frames: a beginning was likelier than
    /// none meanwhile.
    public var framesOfFirstSound = 150
    public var firstSoundFrames = 25
    public var firstSoundLogOdds: Float = 0
    /// The probability per pooled frame that awaited music begins.
    public var beginningProbability: Float = 0.001
    /// The pooled frames after the awaited one in which the music is sought.
    public var beginningReachPooledFrames = 600
    /// The probability per pooled frame that what sounds before the music changes to anything else, the share of noise
    /// in that, and the fit at which a frame is as likely noise as music, in standard deviations above the mean.
    public var notBegunChangeProbability: Float = 0.1
    public var notBegunNoiseShare: Float = 0.3
    public var notBegunNoiseFit: Float = 0.8
    /// The evidence that the piece is played (``BeginningSearch/pieceLogRatio``) without which awaited music begins at no
    /// other place and in no other key.
    public var awaitedPieceLogRatio: Float = 15
    /// The number of frames for which nothing but the room sounds in a silence.
    public var framesOfSilence = 50
    /// The number of frames of trusted positions after which the music does not wait again in a silence, and after which
    /// it no longer begins again.
    public var framesUntilBegun = 400
    public var framesUntilUnderWay = 3000
    /// Length in frames of the window around the position; a multiple of the width of the tiles.
    public var windowFrames = 512

    /// The sharpness of the softmax that weights several references: the larger it is, the more the reference counts
    /// that explains the sound best.
    public var referenceWeightSharpness: Float = 260
    /// The similarity by which a copy in a room must fit better than a recording itself, once the similarity is
    /// averaged over `referenceMemoryFrames`; before that it must fit better still. Without it, a slow performance in a
    /// dry room is taken for a reverberant one, because its notes last longer than the reference's.
    public var roomHandicap: Float = 0.0077
    /// The share of the copies in rooms in the mean similarity while the music has not begun and the room is unknown.
    public var roomShareBeforeStart: Float = 0.6
    /// The number of frames for which a room that is known from earlier in the evening counts as listened to.
    public var expectedRoomFrames: Float = 500
    /// The number of frames over which that similarity is averaged: `referenceTrialFrames` at first, growing to
    /// `referenceMemoryFrames`.
    public var referenceTrialFrames: Float = 100
    public var referenceMemoryFrames: Float = 1500

    /// The number of frames averaged into one pooled frame for the search of the whole reference.
    public var framesPerPooledFrame = 5
    /// ``likelihoodSharpness`` for the search of the whole reference, per pooled frame.
    public var searchSharpness: Float = 8
    /// Number of tempi of the search, from half to double the reference's.
    public var searchTempoCount = 9
    public var searchTempoChangeProbability: Float = 0.05
    /// Probability per pooled frame that the music continues somewhere else.
    public var jumpProbability: Float = 1e-4
    /// ``jumpProbability`` while the position is not proven yet or the music pauses, because the music then often
    /// continues elsewhere.
    public var unsettledJumpProbability: Float = 1e-3
    /// The share of the continuations elsewhere that start at a bar line, if the bars are known.
    public var barLineJumpShare: Float = 0.7
    /// The distance in bars at which a continuation is half as likely as at the present bar.
    public var barsToHalfWeight: Float = 8
    /// Factor for a continuation at the first bar of a section or a repeat. `repeatedBarJumpFactor` is the factor for a
    /// bar that follows another occurrence of the present bar.
    public var sectionStartJumpFactor: Float = 2
    public var repeatedBarJumpFactor: Float = 4
    /// The number of fitting frames after a jump that prove the new position.
    public var framesToProvePosition = 300
    /// Factor that lowers the demands on a competing position while the present position is not proven yet.
    public var unprovenDemandFactor = 0.6
    /// The probability per pooled frame that the music begins, there or elsewhere, while it is awaited at a place.
    /// `startShareAtAwaitedPlace` is the share of this probability that goes to the awaited place.
    public var awaitedStartProbability: Float = 0.01
    public var startShareAtAwaitedPlace: Float = 0.5
    /// The number of frames that awaited music can have come to since a beginning that was not heard. In that reach it
    /// counts as begun too if it has had a gain above `startMinimumGain` for `awaitedGainFrames` and this lead, the
    /// natural logarithm of the likelihood ratio.
    public var awaitedReachFrames = 3000
    public var awaitedGainFrames = 150
    public var awaitedRivalLogLikelihoodLead = 25.0
    /// The number of frames for which any other place must fit while the music is awaited at a place.
    /// `awaitedRivalMinimumFit` is how well it must fit, in standard deviations.
    public var awaitedTrialFrames = 300
    public var awaitedRivalMinimumFit = 2.0
    /// The share of the search's probability from which another place is tried as a competing position.
    /// `minimumLostRivalProbability` is the share where the present position explains nothing.
    public var minimumRivalProbability = 0.5
    public var minimumLostRivalProbability = 0.3
    /// A place near the last trusted bar is tried instead of the most probable place if it has more than this share of
    /// its probability.
    public var minimumNearPlaceShare: Float = 0.5
    /// ``minimumNearPlaceShare`` where both places together have more than `certainCopiesProbability`: the search is then
    /// sure of the passage, and the copies in it differ less than performances.
    public var minimumNearCopyShare: Float = 0.05
    public var certainCopiesProbability = 0.8
    /// The mean number of standard deviations by which a competing position must fit better than the present one.
    public var minimumRivalFitGain = 0.98
    /// The value of ``minimumRivalFitGain`` from which a competing position may win in half the time.
    public var clearRivalFitGain = 1.43
    /// The lead that a competing position needs to win: the natural logarithm of the likelihood ratio.
    public var minimumRivalLogLikelihoodLead = 40.0
    /// The gain, in natural logarithms a frame, with which a proven position still explains the sound. It takes twice
    /// the lead and the time to win against it, unless the search has given it less than `leastSearchAgreement` for so
    /// many steps.
    public var explainingGain = 0.3
    public var leastSearchAgreement = 0.005
    public var searchStepsWithoutAgreement = 60
    /// The shortest trial of a competing position, in frames; `longestTrialFrames` is the longest.
    public var shortestTrialFrames = 50
    public var longestTrialFrames = 250
    /// The number of frames heard before a trial with which it begins if the followed place explains nothing: if its
    /// gain, averaged over `startGainMemoryFrames`, is below `lookBackMaximumGain`.
    public var lookBackFrames = 40
    public var lookBackMaximumGain = 0.12
    /// A trial of frames that were heard before begins anew when the rival's lead falls below this.
    public var lookBackLeastLead = -4.0
    /// The number of frames for which a rival must go on fitting, however well it fitted before, unless the search
    /// gives it more than `sureRivalProbability`.
    public var shortestLiveTrialFrames = 25
    public var sureRivalProbability = 0.8
    /// Frames that are added to every position, to correct the measured lag of the filter.
    public var lagCorrectionFrames = 1.5
    /// Frames that are added as well for each frame by which the position's standard deviation is larger than
    /// `sharpSpreadFrames`.
    public var lagPerFrameOfSpread = 0.7
    public var sharpSpreadFrames = 4.0

    public init() {}

    /// Parameters for frames that are not refined.
    public static let forPlainBands: ForwardFilterParameters = {
        var parameters = ForwardFilterParameters()
        parameters.pitchWeight = 0.5
        parameters.onsetWeight = 0.5
        parameters.likelihoodSharpness = 2.5
        parameters.referenceWeightSharpness = 200
        parameters.roomHandicap = 0.01
        parameters.searchSharpness = 6
        parameters.minimumRivalFitGain = 1.3
        parameters.clearRivalFitGain = 1.9
        return parameters
    }()

    /// Parameters for frames that have only one part, such as chroma: the whole frame has weight 1.
    public static let forSinglePartFrames: ForwardFilterParameters = {
        var parameters = forPlainBands
        parameters.pitchWeight = 1
        parameters.onsetWeight = 1
        return parameters
    }()

    /// Multiplies a live frame by the weights of its parts, so that its dot product with a reference frame is their
    /// similarity.
    func applyWeights(
        _ values: UnsafePointer<Float>, dimensions: Int, into live: UnsafeMutablePointer<Float>
    ) {
        let pitchCount = dimensions / 2
        for value in 0..<pitchCount { live[value] = values[value] * pitchWeight }
        for value in pitchCount..<dimensions { live[value] = values[value] * onsetWeight }
    }
}
