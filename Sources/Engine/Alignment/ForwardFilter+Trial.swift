/// Tries another place that the search finds probable, and goes there if it explains the sound better.
extension ForwardFilter {
    /// The number of frames that the rival's window explains in one hop while it catches up.
    private static let framesPerHop = 8
    /// The distance in frames from the place that the search gives, within which the rival's window looks for it.
    private static let rivalSpreadFrames = 25
    /// The distance in frames within which two places count as the same.
    private static let samePlaceFrames = 150

    /// Lets the rival explain the newest frame, and some that were heard before, if it has not caught up yet.
    /// - Returns: the trial if the rival has won it and is followed from now on.
    func advanceTrial() -> RivalTrial? {
        guard var trial else { return nil }
        for _ in 0..<Self.framesPerHop where trial.nextNumber < heardFrames.endNumber {
            let frame = heardFrames[trial.nextNumber]
            rivalWindow.advance(
                heardFrames.weightedValues(trial.nextNumber), noise: frame.noise, isDropout: frame.isDropout)
            trial.add(frame, rivalFit: frame.isDropout ? 0 : fitInDeviations(rivalWindow))
            beginTrialAnewIfMusicWasElsewhere(&trial)
        }
        let isCaughtUp = trial.nextNumber == heardFrames.endNumber
        trial.noteLiveFrame(isCaughtUp: isCaughtUp)
        self.trial = trial
        guard isCaughtUp, decideTrial(trial) else { return nil }
        heardFrames.forgetAll()
        return trial
    }

    private func beginTrialAnewIfMusicWasElsewhere(_ trial: inout RivalTrial) {
        let rest = heardFrames.endNumber - trial.nextNumber
        guard rest > 0, trial.liveFrameCount == 0,
            trial.logLikelihoodLead(of: rivalWindow) < parameters.lookBackLeastLead
        else { return }
        placeRival(at: trial.referenceFrame, tempo: trial.tempo, framesAgo: rest)
        trial.beginAnew()
    }

    /// Places the rival's window where the music was before, if it is at a place now.
    private func placeRival(at referenceFrame: Double, tempo: Float, framesAgo: Int) {
        let frame = Int(referenceFrame) - Int(Float(framesAgo) * tempo)
        rivalWindow.placeMusic(at: max(frame, 0), spreadFrames: Self.rivalSpreadFrames, tempo: tempo)
    }

    /// Ends the trial of a rival if it is decided.
    /// - Returns: true if the rival has taken over.
    private func decideTrial(_ trial: RivalTrial) -> Bool {
        let lead = trial.logLikelihoodLead(of: rivalWindow)
        let hasWon =
            awaitedFrame == nil ? hasWonAgainstFollowedPlace(trial) : hasMusicBegunAtRival(of: trial)
        if abs(rivalWindow.mostProbableFrame - mainWindow.mostProbableFrame) < 50 {
            self.trial = nil
        } else if hasWon, !isRoomAlone {
            swap(&mainWindow, &rivalWindow)
            self.trial = nil
            return true
        } else if trial.ageInFrames > trialFrameLimit || lead < -30 {
            self.trial = nil
        }
        return false
    }

    private func hasWonAgainstFollowedPlace(_ trial: RivalTrial) -> Bool {
        let share = isPositionProven ? 1 : parameters.unprovenDemandFactor
        let isClear = trial.meanFitGain > parameters.clearRivalFitGain * share
        let patience = isFollowedPlaceStillLikely(trial) ? 2 : isClear ? 0.5 : 1
        return hasLead(trial, demandFactor: share, patience: share * patience)
            && (trial.liveFrameCount >= parameters.shortestLiveTrialFrames || isSearchSureOfRival)
    }

    /// Returns true if the rival fits and explains the sound so much better, for so long, that this cannot be chance.
    /// - Parameters:
    ///   - demandFactor: the factor, without unit, for the fit that is demanded.
    ///   - patience: the factor, without unit, for the lead and the number of frames that are demanded.
    private func hasLead(_ trial: RivalTrial, demandFactor: Double, patience: Double) -> Bool {
        trial.meanFitGain > parameters.minimumRivalFitGain * demandFactor
            && trial.logLikelihoodLead(of: rivalWindow) > parameters.minimumRivalLogLikelihoodLead * patience
            && Double(trial.ageInFrames) >= Double(parameters.shortestTrialFrames) * patience
    }

    /// Returns true if the followed place explains the sound too, though worse: music that goes on as written may sound
    /// more like another place of the reference for some seconds, above all where a strophe returns.
    private func isFollowedPlaceStillLikely(_ trial: RivalTrial) -> Bool {
        isPositionProven && trial.meanFollowedGainOverAnyOrder > parameters.explainingGain
            && stepsWithoutAgreement < parameters.searchStepsWithoutAgreement
    }

    private var isSearchSureOfRival: Bool {
        rivalProbability > parameters.sureRivalProbability
            && abs(Int(rivalFrame) - rivalWindow.mostProbableFrame) < Self.samePlaceFrames
    }

    /// Returns true if the awaited music has probably begun and is at the rival now. A tuning orchestra fits many held
    /// chords, but only music moves on and fits for seconds; and where it cannot have come to yet, it must fit for long.
    private func hasMusicBegunAtRival(of trial: RivalTrial) -> Bool {
        guard silentFrameCount == 0, beginningSearch.pieceLogRatio > parameters.awaitedPieceLogRatio,
            (0.6...1.7).contains(rivalWindow.meanTempo())
        else { return false }
        guard couldMusicHaveReached(rivalWindow.mostProbableFrame) else {
            return trial.ageInFrames >= parameters.awaitedTrialFrames
                && trial.meanRivalFit > parameters.awaitedRivalMinimumFit
                && hasLead(trial, demandFactor: 1, patience: 1)
        }
        return hasGainedForLong(trial)
            || trial.meanRivalFit > 1 && hasLead(trial, demandFactor: 1, patience: 1)
    }

    /// Returns true if the rival has gained over any order for some seconds. In noise nothing fits well, but music still
    /// fits best where it is.
    private func hasGainedForLong(_ trial: RivalTrial) -> Bool {
        trial.ageInFrames >= parameters.awaitedGainFrames
            && trial.meanGainOverAnyOrder(of: rivalWindow) > parameters.startMinimumGain
            && trial.logLikelihoodLead(of: rivalWindow) > parameters.awaitedRivalLogLikelihoodLead
    }

    /// Returns true if the music could have reached a frame, provided that it started at the awaited place and its
    /// beginning was not heard.
    private func couldMusicHaveReached(_ frame: Int) -> Bool {
        guard let awaitedFrame else { return true }
        return frame > awaitedFrame
            && frame < awaitedFrame + min(2 * framesSinceStart, parameters.awaitedReachFrames)
    }

    private var trialFrameLimit: Int {
        awaitedFrame == nil ? parameters.longestTrialFrames : parameters.awaitedTrialFrames + 50
    }

    /// Reads the result of the search, and starts a trial if another place is probable enough.
    func startTrialIfRivalLikely() {
        // Lost music usually continues near its last known bar, so only a trusted position is noted.
        if isPositionProven && pausedFrameCount < 50 {
            wholeReferenceSearch.updateJumpTargets(present: mainWindow.mostProbableFrame)
        }
        searchAgreement = wholeReferenceSearch.probability(
            around: mainWindow.mostProbableFrame, reachFrames: 125)
        stepsWithoutAgreement =
            searchAgreement < parameters.leastSearchAgreement ? stepsWithoutAgreement + 1 : 0
        likelyPlaces = wholeReferenceSearch.likelyPlaces()
        let best = wholeReferenceSearch.mostProbablePlace(
            awayFrom: mainWindow.mostProbableFrame, reachFrames: 75)
        rivalFrame = Double(best.frame)
        rivalProbability = best.mass
        guard framesSinceStart > 50, best.mass > neededRivalProbability, searchAgreement < best.mass else {
            return
        }
        // The trial continues while the search still favours the same place.
        if let trial, abs(best.frame - presentPlace(of: trial)) < Self.samePlaceFrames { return }
        let lookBack = lookBackFrameCount(toPlaceAt: best.frame, tempo: best.tempo)
        placeRival(at: Double(best.frame), tempo: best.tempo, framesAgo: lookBack)
        rivalWindow.adoptWeights(of: mainWindow)
        trial = RivalTrial(
            referenceFrame: Double(best.frame), tempo: best.tempo,
            nextNumber: heardFrames.endNumber - lookBack)
    }

    private func presentPlace(of trial: RivalTrial) -> Int {
        trial.nextNumber == heardFrames.endNumber
            ? rivalWindow.mostProbableFrame : Int(trial.referenceFrame)
    }

    /// The number of frames that were heard before and with which the trial of a place begins. None count if the
    /// followed place explains them, or if the search is not sure enough to tell when the music came to the new one.
    private func lookBackFrameCount(toPlaceAt referenceFrame: Int, tempo: Float) -> Int {
        guard awaitedFrame == nil, meanGain < parameters.lookBackMaximumGain,
            rivalProbability > parameters.minimumRivalProbability
        else { return 0 }
        return min(
            parameters.lookBackFrames, heardFrames.endNumber - heardFrames.firstNumber,
            Int(Float(referenceFrame) / tempo))
    }

    /// The share of the search's probability from which a place is tried. Where the present one explains nothing, copies
    /// of a passage are tried too, though they share the probability; but none replaces one that is being tried.
    private var neededRivalProbability: Double {
        trial == nil && awaitedFrame == nil && meanGain < parameters.startMinimumGain
            ? parameters.minimumLostRivalProbability : parameters.minimumRivalProbability
    }
}
