import Basics
import RealModule

/// Follows the music with a forward filter in a window, and checks the result by a search of the whole reference.
///
/// If the search finds another place likely for a while, a second window (the rival) is tried there. The rival takes
/// over once it has explained the sound so much better, for so long, that this cannot be chance; a passage that merely
/// resembles the present one never takes over.
///
/// Belongs to one thread; after `init` no allocation, no lock. Bounded work a hop: one step of a window, up to
/// eight of another, and one search step.
public final class ForwardFilter: MusicAlignmentMethod {
    let parameters: ForwardFilterParameters
    let referenceFrameCount: Int
    private let dimensions: Int
    private let referenceTiles: [CompactTiles]
    private let weightedLiveFrame: UnsafeMutablePointer<Float>
    var mainWindow: WindowFilter
    var rivalWindow: WindowFilter
    let wholeReferenceSearch: WholeReferenceSearch
    let beginningSearch: BeginningSearch
    let copySearch: CopySearch
    /// The number of frames for which the sound has not stood out from the room.
    var silentFrameCount = 0
    /// The same, and at once after a loud sound.
    private var pauseFrameCount = 0
    /// The number of frames since the first sound for which the beginning was awaited.
    private var soundFrameCount = 0
    /// The largest odds of a beginning in the first seconds of sound.
    private var firstSoundOdds: Float = 0
    /// The frame at which the piece began or will; nil if it was taken up elsewhere, or is under way for certain.
    private var beginningFrame: Int?
    /// The number of frames since the beginning in which the displayed position was trusted.
    private var trustedFrameCount = 0
    /// True if the music may begin again since a silence soon after its beginning.
    private var mayBeginAgain = false
    /// True if the music has begun again in the newest frame.
    private var hasBegunAgain = false
    var trial: RivalTrial?
    let heardFrames: HeardFrames
    /// The number of frames since the beginning or, while the music is awaited, since the last silence began.
    var framesSinceStart = 0
    /// The frame at which the music is awaited; nil once it has begun, or if the place is unknown.
    private(set) var awaitedFrame: Int?
    /// The number of frames in which the music seemed to move on, while it is awaited.
    var movingFrameCount = 0.0
    /// Counts the frames for which the position has moved on with a gain, while the music is awaited.
    var steadyProgress = SteadyProgress()
    /// The same with the gain of music that resembles the reference clearly.
    var clearProgress = SteadyProgress()
    /// The number of frames that have fitted since the last jump, or since a start at an unknown place.
    private var fittingFrameCount = 0
    /// The gain that ``ForwardFilterParameters/startMinimumGain`` describes, averaged; the room alone adds 0.
    private(set) var meanGain = 0.0
    private(set) var pausedFrameCount = 0
    /// True if the position was changed between two frames, as by a change of key; the next estimate then reports a
    /// jump.
    var hasLeapt = false
    /// The room that is known from earlier in the evening; nil if none is. It counts from the next ``begin(at:)`` on.
    public var expectedRoom: RoomShares?
    /// The place that the search finds most probable, away from the followed one, and its probability.
    var rivalFrame = 0.0
    var rivalProbability = 0.0
    /// The probability that the search gives to the followed place.
    var searchAgreement = 1.0
    /// The number of search steps for which that has been less than ``ForwardFilterParameters/leastSearchAgreement``.
    var stepsWithoutAgreement = 0
    var likelyPlaces = LikelyReferencePlaces()

    /// Creates a filter that follows one or more recordings of a piece.
    /// - Parameter references: the frames of several recordings on one timeline: first the reference itself, then
    ///   others warped onto it.
    public convenience init(
        references: [ReferenceFeatureFrames], parameters: ForwardFilterParameters = ForwardFilterParameters()
    ) {
        self.init(
            referenceTiles: references.map {
                CompactTiles(frames: $0.featureValues, dimensions: $0.dimensions)
            },
            parameters: parameters)
    }

    /// Creates a filter from frames that are already laid out as tiles.
    /// - Parameters:
    ///   - referenceTiles: the frames of the references in tiled layout, the reference itself first; kept without a
    ///     copy.
    ///   - roomNumbers: for each reference the number of its room in ``RoomShares``, 0 for the recordings, which come
    ///     first. Nil if all are recordings.
    public init(
        referenceTiles: [CompactTiles], roomNumbers: [Int]? = nil,
        parameters: ForwardFilterParameters = ForwardFilterParameters()
    ) {
        precondition(!referenceTiles.isEmpty, "a filter needs a reference")
        self.parameters = parameters
        self.referenceTiles = referenceTiles
        referenceFrameCount = referenceTiles[0].frameCount
        dimensions = referenceTiles[0].dimensions
        mainWindow = WindowFilter(
            referenceTiles: referenceTiles, roomNumbers: roomNumbers, parameters: parameters)
        rivalWindow = WindowFilter(
            referenceTiles: referenceTiles, roomNumbers: roomNumbers, parameters: parameters)
        wholeReferenceSearch = WholeReferenceSearch(reference: referenceTiles[0], parameters: parameters)
        beginningSearch = BeginningSearch(
            pooledFrameCount: wholeReferenceSearch.pooledFrameCount,
            tempoGrid: wholeReferenceSearch.tempoGrid,
            parameters: parameters)
        copySearch = CopySearch(
            pooledFrameCount: wholeReferenceSearch.pooledFrameCount, parameters: parameters)
        weightedLiveFrame = zeroedFloats(dimensions)
        heardFrames = HeardFrames(capacity: max(parameters.lookBackFrames, 1) + 1, dimensions: dimensions)
        mainWindow.awaitMusic(at: 0)
    }

    deinit { weightedLiveFrame.deallocate() }

    /// Sets the bars of the reference, at which the music is likely to continue. Call this before the music starts.
    public func setBars(_ landmarks: ReferenceBars) { wholeReferenceSearch.setBars(landmarks) }

    public func begin(at start: FeatureFrameIndex?) {
        let frame = min(max(start?.value ?? 0, 0), referenceFrameCount - 1)
        mainWindow.awaitMusic(at: frame)
        mainWindow.resetWeights()
        rivalWindow.resetWeights()
        if start != nil { mainWindow.fixWeightsBeforeStart(expecting: expectedRoom) }
        awaitedFrame = start == nil ? nil : frame
        movingFrameCount = 0
        wholeReferenceSearch.reset()
        wholeReferenceSearch.forgetTrustedBar()
        wholeReferenceSearch.setAwaitedFrame(awaitedFrame)
        beginningSearch.begin(at: frame / parameters.framesPerPooledFrame)
        copySearch.begin(at: awaitedFrame)
        (silentFrameCount, pauseFrameCount, soundFrameCount) = (0, 0, 0)
        firstSoundOdds = 0
        beginningFrame = awaitedFrame
        trustedFrameCount = 0
        mayBeginAgain = false
        hasBegunAgain = false
        fittingFrameCount = start == nil ? 0 : parameters.framesToProvePosition
        pausedFrameCount = 0
        trial = nil
        heardFrames.forgetAll()
        framesSinceStart = 0
        meanGain = 0
        rivalProbability = 0
        searchAgreement = 1
        stepsWithoutAgreement = 0
        likelyPlaces = LikelyReferencePlaces()
    }

    /// The distance from an operator's tap within which the sound decides: half a second in frames, because nobody taps
    /// more precisely.
    private static let anchorSpreadFrames = 25

    /// The share of the probability that stays where the music was followed when an operator gives another place: a
    /// person can be wrong, and the sound then says so.
    private static let formerShare: Float = 0.1

    public func takeOperatorPosition(at frame: FeatureFrameIndex, tempo: TempoRatio?) {
        let isFollowed = awaitedFrame == nil && isPositionProven
        takePlace(frame, tempo: tempo, former: isFollowed ? mainWindow.mostProbableFrame : nil)
    }

    /// - Parameter former: the frame where the music was followed; nil if it was not.
    private func takePlace(_ frame: FeatureFrameIndex, tempo: TempoRatio?, former: Int?) {
        let place = min(max(frame.value, 0), referenceFrameCount - 1)
        let ratio = Float(min(max(tempo?.value ?? 1, 0.5), 2))
        mainWindow.placeMusic(
            at: place, spreadFrames: Self.anchorSpreadFrames, tempo: ratio,
            keeping: former == nil ? 0 : Self.formerShare)
        mainWindow.followFits()
        beginningFrame = nil
        mayBeginAgain = false
        // A person's word needs no proof.
        fittingFrameCount = parameters.framesToProvePosition
        awaitedFrame = nil
        movingFrameCount = 0
        wholeReferenceSearch.setAwaitedFrame(nil)
        wholeReferenceSearch.concentrateProbability(
            in: place, tempo: ratio, former: former, formerShare: Self.formerShare)
        wholeReferenceSearch.trustBar(at: place)
        copySearch.begin(at: place)
        trial = nil
        heardFrames.forgetAll()
        framesSinceStart = 0
        rivalProbability = 0
        searchAgreement = 1
        stepsWithoutAgreement = 0
        likelyPlaces = wholeReferenceSearch.likelyPlaces()
    }

    /// Goes on at a place that a search has found. Unlike an operator's, it must be proven, and its bar is not trusted.
    public func takeUp(at frame: FeatureFrameIndex, tempo: TempoRatio) {
        takePlace(frame, tempo: tempo, former: nil)
        fittingFrameCount = 0
        wholeReferenceSearch.forgetTrustedBar()
        copySearch.begin(at: nil)
    }

    /// Trusts the bar at a frame, which a person has given or which is displayed with confidence. If the music leaves its
    /// path, the nearer of two places that sound alike is tried.
    /// - Complexity: O(reference frames / pooling) if the bar changes. No allocation, no lock.
    public func trustBar(at frame: FeatureFrameIndex) {
        wholeReferenceSearch.trustBar(at: frame.value)
        trustedFrameCount += 1
        if trustedFrameCount == parameters.framesUntilUnderWay {
            beginningFrame = nil
            mayBeginAgain = false
        }
    }

    /// The natural logarithm of the likelihood of everything heard since the last beginning or jump.
    public var logLikelihood: Double { mainWindow.logLikelihood }

    public func advance(_ frame: LiveFeatureFrame) -> MusicAlignmentEstimate {
        parameters.applyWeights(frame.featureValues, dimensions: dimensions, into: weightedLiveFrame)
        wholeReferenceSearch.followedFrame = mainWindow.mostProbableFrame
        wholeReferenceSearch.isRoomAlone = isRoomAlone
        wholeReferenceSearch.isSilent = isSilent
        let searched = wholeReferenceSearch.advance(weightedLiveFrame, isDropout: frame.isDropout)
        if searched { weighCopies() }
        if !frame.isDropout { weighBeginning(frame, searched: searched) }
        let noise = noiseSimilarity(frame)
        let logLikelihoodBefore = mainWindow.logLikelihood
        // Music that is awaited is not played on through a dropout.
        if awaitedFrame == nil || !frame.isDropout {
            mainWindow.advance(weightedLiveFrame, noise: noise, isDropout: frame.isDropout)
        }
        // A frame without sound is equally likely in any order.
        let logLikelihoodInAnyOrder =
            frame.isDropout
            ? 0 : Double(parameters.likelihoodSharpness * wholeReferenceSearch.similarityInAnyOrder)
        var gain = mainWindow.logLikelihood - logLikelihoodBefore - logLikelihoodInAnyOrder
        if !frame.isDropout {
            meanGain += ((frame.standsOutFromRoom ? gain : 0) - meanGain) / parameters.startGainMemoryFrames
        }
        var jumped = hasLeapt
        hasLeapt = false
        if jumped { heardFrames.forgetAll() }
        heardFrames.add(
            HeardFrames.Frame(
                noise: noise, isDropout: frame.isDropout,
                fit: frame.isDropout ? 0 : fitInDeviations(mainWindow),
                logLikelihood: mainWindow.logLikelihood - logLikelihoodBefore,
                logLikelihoodInAnyOrder: logLikelihoodInAnyOrder),
            weightedValues: weightedLiveFrame)
        if let won = advanceTrial() {
            jumped = true
            // The windows have changed places.
            copySearch.noteJump(from: rivalWindow.mostProbableFrame, to: mainWindow.mostProbableFrame)
            // The new place is known by the whole trial.
            gain = won.meanGainOverAnyOrder(of: mainWindow)
        }
        countFittingFrames(jumped: jumped, isDropout: frame.isDropout)
        if searched, !isSilent { startTrialIfRivalLikely() }
        if let awaitedFrame, jumped || !frame.isDropout {
            decideWhetherMusicBegan(awaitedFrame, jumped: jumped)
        }
        beginAgainIfCertain()
        framesSinceStart += 1
        var estimate = MusicAlignmentEstimate(
            frame: mainWindow.meanFrameNearPeak + lagCorrectionFrames,
            tempo: TempoRatio(mainWindow.meanTempo()),
            mass: mainWindow.probabilityAtPeak,
            fit: fitInDeviations(mainWindow), standing: mainWindow.standstillProbability, jumped: jumped,
            hasBegun: awaitedFrame == nil,
            rivalFrame: rivalFrame, rivalMass: rivalProbability,
            rivalGain: trial.map { max($0.meanFitGain, 0) } ?? 0,
            support: searchAgreement)
        estimate.supportsCalibratedConfidence = true
        estimate.hasBegunAgain = hasBegunAgain
        hasBegunAgain = false
        estimate.likelyPlaces = likelyPlaces
        if awaitedFrame == nil { estimate.copies = copySearch.copies }
        estimate.gainOverAnyOrder = gain
        estimate.shortfallFromBest = Double(wholeReferenceSearch.shortfallFromBest)
        return estimate
    }

    /// Takes the expected room for the present one; how well each room fits decides from the next frame on.
    public func assumeExpectedRoom() {
        guard let expectedRoom else { return }
        mainWindow.fixWeightsBeforeStart(expecting: expectedRoom)
        mainWindow.followFits()
    }

    /// The shares of the rooms in the weights by which the references are compared with the sound.
    public var roomShares: RoomShares { mainWindow.roomShares }

    /// The frames to add to the position. Where the filter is unsure, because notes begin softly or in reverberation, it
    /// is late by more than half of what it is unsure by.
    private var lagCorrectionFrames: Double {
        parameters.lagCorrectionFrames
            + parameters.lagPerFrameOfSpread
            * max(mainWindow.spreadNearPeak - parameters.sharpSpreadFrames, 0)
    }

    /// Weighs the copies of the followed passage by the newest sound. Call this directly after the search has moved,
    /// because its likelihoods lie in shared memory.
    private func weighCopies() {
        guard awaitedFrame == nil else { return copySearch.begin(at: mainWindow.mostProbableFrame) }
        let moving = 1 - mainWindow.standstillProbability
        copySearch.advance(
            likelihoods: wholeReferenceSearch.sharedBuffers.similarityByPooledFrame,
            followedFrame: mainWindow.mostProbableFrame, moved: Float(mainWindow.meanTempo() * moving),
            isSettled: isPositionProven && moving > 0.5, prior: wholeReferenceSearch.knownDistancePrior)
    }

    /// Weighs whether the music has begun, or begins again after a silence. What does not stand out from the room says
    /// nothing, and after a second of it the music has not begun.
    private func weighBeginning(_ frame: LiveFeatureFrame, searched: Bool) {
        silentFrameCount = frame.isRoomAlone || frame.isQuiet ? silentFrameCount + 1 : 0
        pauseFrameCount = frame.isPause || silentFrameCount > 0 ? pauseFrameCount + 1 : 0
        if soundFrameCount > 0 || silentFrameCount == 0 { soundFrameCount += 1 }
        if silentFrameCount == parameters.framesOfSilence { noteSilence() }
        guard searched, silentFrameCount == 0, awaitedFrame != nil || mayBeginAgain else { return }
        wholeReferenceSearch.passNewestLikelihoods(to: beginningSearch)
    }

    /// True if nothing but the room sounds: hum and ventilation are no evidence of another place or key.
    var isRoomAlone: Bool { pauseFrameCount >= parameters.framesOfSilence / 5 }

    /// True if that has lasted for a second: the music stands still.
    var isSilent: Bool { pauseFrameCount >= parameters.framesOfSilence }

    /// What was believed before a silence weighs nothing until the music is under way: it may begin again, or go on.
    private func noteSilence() {
        trial = nil
        guard let beginningFrame else { return }
        guard awaitedFrame == nil else {
            beginningSearch.forgetBeginning()
            movingFrameCount = 0
            framesSinceStart = 0
            return
        }
        let pooling = parameters.framesPerPooledFrame
        mayBeginAgain = true
        if trustedFrameCount < parameters.framesUntilBegun {
            beginningSearch.begin(
                at: beginningFrame / pooling,
                orAt: trustedFrameCount > 0 ? mainWindow.mostProbableFrame / pooling : nil)
            waitAgain(at: beginningFrame)
        } else {
            beginningSearch.begin(at: beginningFrame / pooling)
        }
    }

    /// Waits for music that seemed to have begun.
    private func waitAgain(at frame: Int) {
        mainWindow.awaitMusic(at: frame)
        awaitedFrame = frame
        movingFrameCount = 0
        framesSinceStart = 0
        fittingFrameCount = parameters.framesToProvePosition
        trial = nil
        heardFrames.forgetAll()
        wholeReferenceSearch.setAwaitedFrame(frame)
    }

    /// Goes to the beginning if the music begins again, though the filter has gone on.
    private func beginAgainIfCertain() {
        guard mayBeginAgain, awaitedFrame == nil, beginningSearch.odds > parameters.unexpectedBeginningOdds,
            meanGain < parameters.lookBackMaximumGain
        else { return }
        beginMusic()
    }

    /// Returns the similarity at which a frame is as likely to be noise as music.
    private func noiseSimilarity(_ frame: LiveFeatureFrame) -> Float {
        let fit =
            awaitedFrame != nil
            ? parameters.noiseThresholdFitBeforeStart
            : frame.isSoft ? parameters.softNoiseThresholdFit : parameters.noiseThresholdFit
        return wholeReferenceSearch.meanSimilarity + fit * wholeReferenceSearch.similarityDeviation
    }

    /// Returns how well the newest live frame fits at the window's position, in standard deviations above the
    /// reference's mean. Silence resembles all places alike, so the deviation has a lower limit.
    func fitInDeviations(_ window: WindowFilter) -> Double {
        Double(
            (window.similarityAtPeak - wholeReferenceSearch.meanSimilarity)
                / max(wholeReferenceSearch.similarityDeviation, Self.leastDeviation))
    }

    /// The lower limit of the deviation, as a similarity.
    private static let leastDeviation: Float = 0.02

    /// Counts the frames that fit since the last jump. After some seconds of them the position is proven; until then
    /// the music may easily continue elsewhere.
    private func countFittingFrames(jumped: Bool, isDropout: Bool) {
        if jumped {
            fittingFrameCount = 0
        } else if !isDropout && mainWindow.standstillProbability < 0.5 && fitInDeviations(mainWindow) > 1 {
            fittingFrameCount = min(fittingFrameCount + 1, parameters.framesToProvePosition)
        }
        pausedFrameCount = mainWindow.standstillProbability > 0.5 ? min(pausedFrameCount + 1, 50) : 0
        wholeReferenceSearch.setJumpLikely(!isPositionProven || pausedFrameCount == 50)
    }

    var isPositionProven: Bool { fittingFrameCount >= parameters.framesToProvePosition }

    /// Decides whether the music has begun (``BeginningSearch``). Music that has moved on and gained clearly for long
    /// needs less evidence of each change; music that has moved on and gained steadily for seconds needs none.
    ///
    /// If the position drifts on without fitting, the sound was noise, and the filter waits again.
    private func decideWhetherMusicBegan(_ frame: Int, jumped: Bool) {
        guard !jumped else { return endWaiting() }
        let isMoving = mainWindow.standstillProbability < 0.5
        let evidence = isMoving ? evidenceOfBeginning : 0
        movingFrameCount = evidence > 0 ? movingFrameCount + evidence : max(movingFrameCount - 0.5, 0)
        var neededLogOdds = Float.log(parameters.beginningOdds)
        if isMoving, silentFrameCount == 0, meanGain > parameters.lastingBeginningGain {
            let lasting = Float(movingFrameCount) * parameters.lastingBeginningLogOddsPerFrame
            neededLogOdds = max(neededLogOdds - lasting, parameters.leastBeginningLogOdds)
        }
        countSteadyFrames(isMoving: isMoving)
        let hasDrifted = mainWindow.mostProbableFrame > frame + parameters.startReachFrames
        if beginningSearch.odds > Float.exp(neededLogOdds) {
            beginMusic()
        } else if steadyProgress.hasLasted(parameters.steadyBeginningFrames, to: mainWindow.mostProbableFrame)
            || hasProgressedClearly
        {
            beginMusic(at: mainWindow.mostProbableFrame, tempo: Float(mainWindow.meanTempo()))
        } else if hasDrifted && movingFrameCount == 0 && meanGain < parameters.driftMinimumGain {
            mainWindow.awaitMusic(at: frame)
        }
    }

    /// True if the music has moved on with a clear gain for long enough. The first sound needs less: where something has
    /// sounded already that was no beginning, people tune and play passages.
    private var hasProgressedClearly: Bool {
        let frame = mainWindow.mostProbableFrame
        let isFirst = soundFrameCount - clearProgress.count < parameters.framesOfFirstSound
        return clearProgress.hasLasted(parameters.clearBeginningFrames, to: frame)
            && clearProgress.largestOdds > Float.exp(parameters.clearBeginningLogOdds)
            || isFirst && clearProgress.hasLasted(parameters.firstSoundFrames, to: frame)
                && firstSoundOdds > Float.exp(parameters.firstSoundLogOdds)
    }

    /// Counts the frames since which the position has moved on with a gain.
    private func countSteadyFrames(isMoving: Bool) {
        let mayCount = isMoving && silentFrameCount == 0
        let frame = mainWindow.mostProbableFrame
        let odds = beginningSearch.odds
        if soundFrameCount < parameters.framesOfFirstSound { firstSoundOdds = max(firstSoundOdds, odds) }
        steadyProgress.add(mayCount && meanGain > parameters.steadyBeginningGain, at: frame, odds: odds)
        clearProgress.add(mayCount && meanGain > parameters.clearBeginningGain, at: frame, odds: odds)
    }

    /// Goes on where the music has come to since its beginning.
    func beginMusic(by search: BeginningSearch? = nil) {
        let search = search ?? beginningSearch
        beginMusic(
            at: search.mostProbablePooledFrame * parameters.framesPerPooledFrame,
            tempo: search.mostProbableTempo)
    }

    private func beginMusic(at frame: Int, tempo: Float) {
        let isThere =
            abs(mainWindow.mostProbableFrame - frame) < Self.sameBeginningFrames
            && mainWindow.standstillProbability < 0.5
        if isThere {
            mainWindow.forgetPlaces(fartherFromPeakThan: parameters.startReachFrames)
        } else {
            mainWindow.placeMusic(
                at: frame, spreadFrames: Self.anchorSpreadFrames, tempo: tempo)
        }
        copySearch.begin(at: frame)
        hasBegunAgain = mayBeginAgain
        mayBeginAgain = false
        trustedFrameCount = 0
        wholeReferenceSearch.forgetTrustedBar()
        trial = nil
        heardFrames.forgetAll()
        endWaiting()
    }

    /// The distance in frames within which the window is where the music has begun.
    private static let sameBeginningFrames = 50

    private func endWaiting() {
        mainWindow.followFits()
        rivalWindow.followFits()
        awaitedFrame = nil
        wholeReferenceSearch.setAwaitedFrame(nil)
    }

    /// The evidence of the newest frame that the music has begun, in frames: 1 if its fit or its gain is clear, 0.5 if
    /// its gain is small, 0 otherwise.
    private var evidenceOfBeginning: Double {
        if fitInDeviations(mainWindow) > parameters.startMinimumFit || meanGain > parameters.startClearGain {
            return 1
        }
        return meanGain > parameters.startMinimumGain ? 0.5 : 0
    }
}
