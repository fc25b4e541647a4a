import Alignment
import Basics
import Features

/// Finds the pitch of a performance: its tuning from the spectrum, its key by searching the piece in eleven
/// keys.
///
/// Belongs to the real-time following thread; after `init` no allocation, no lock. While the key is undecided, each hop
/// costs eleven frames and at most three whole searches. While the music is followed with certainty, it costs only the
/// votes for the tuning.
final class KeyAndTuningSearch {
    /// The number of semitones above and below the reference's key that are tried.
    static let semitonesTriedPerSide = 4
    /// The intervals from the reference's key that are tried, in semitones; the last two for a tune that is sung or
    /// played in another octave.
    private static let intervalsSemitones = Array(-semitonesTriedPerSide...semitonesTriedPerSide) + [-12, 12]
    /// The index of the reference's own key in ``intervalsSemitones``.
    private static let writtenKey = semitonesTriedPerSide
    private static let keyCount = intervalsSemitones.count

    /// Semitones by which the performance's key is higher than the reference's.
    var transpositionSemitones: Int { Self.intervalsSemitones[presentKey] }
    /// Cents by which the performance is tuned higher than the nearest key at A = 440 Hz.
    private(set) var tuningCents = 0.0

    private let analyser: SpectrumAnalyser
    private let forwardFilter: ForwardFilter
    private let frameBuilderByKey: [FeatureFrameBuilder]
    private let liveFrameValues: UnsafeMutablePointer<Float>
    private let keySearch: MusicalKeySearch
    private var tuningEstimate: TuningEstimate
    /// The index of the present key in ``intervalsSemitones``.
    private var presentKey = writtenKey
    private var isComparingKeys = true
    private var wasNewestReportCertain = false
    /// True if, when the searches were last told, the music was awaited at a known place.
    private var wasAwaitingStart = false
    private var certainHopCount = 0
    private var doubtfulHopCount = 0
    private var hopCount = 0
    private let framesPerSecond: Int

    init(
        analyser: SpectrumAnalyser, offsets: SemitoneFiltersByPitchOffset, forwardFilter: ForwardFilter,
        features: FeatureKind = .refined
    ) {
        self.analyser = analyser
        self.forwardFilter = forwardFilter
        framesPerSecond = analyser.parameters.framesPerSecond
        frameBuilderByKey = (0..<Self.keyCount).map { key in
            FeatureFrameBuilder(
                analyser: analyser, filterLibrary: offsets,
                pitchOffsetCents: Double(Self.intervalsSemitones[key]) * 100,
                featureKind: features)
        }
        keySearch = forwardFilter.makeMusicalKeySearch(keys: Self.keyCount, framesPerSecond: framesPerSecond)
        tuningEstimate = TuningEstimate(parameters: analyser.parameters, halfLifeSeconds: 30)
        let dimensions = features.dimensions(analyser.parameters)
        liveFrameValues = .allocate(capacity: dimensions)
        liveFrameValues.initialize(repeating: 0, count: dimensions)
    }

    deinit { liveFrameValues.deallocate() }

    /// Makes every key possible again; the tuning found so far stays.
    func makeEveryKeyPossible() {
        isComparingKeys = true
        wasNewestReportCertain = false
        certainHopCount = 0
        doubtfulHopCount = 0
        presentKey = Self.writtenKey
        keySearch.reset()
        forwardFilter.passAwaitedFrame(keySearch)
        wasAwaitingStart = forwardFilter.isAwaitingStart
    }

    /// Compares all keys once more at the position that an operator has given; the key found so far stays until another
    /// one wins.
    func takeOperatorPosition(at frame: FeatureFrameIndex) {
        isComparingKeys = true
        certainHopCount = 0
        forwardFilter.anchorKeySearch(keySearch, at: frame)
    }

    /// The pitch offset at which frames must be made, in cents relative to A = 440 Hz.
    var pitchOffsetCents: Double { Double(transpositionSemitones) * 100 + tuningCents }

    /// Updates tuning and key from the analyser's newest hop.
    /// - Returns: true if ``pitchOffsetCents`` has changed.
    func updatePitch(isQuiet: Bool, isDropout: Bool) -> Bool {
        var changed = false
        if !isQuiet { tuningEstimate.addVotes(analyser) }
        hopCount += 1
        if hopCount % (framesPerSecond / 2) == 0 { changed = updateTuning() }
        if isComparingKeys && compareKeys(isQuiet: isQuiet, isDropout: isDropout) { changed = true }
        return changed
    }

    /// The total weight of votes that is needed to know the tuning: about a second of music.
    private static let voteWeightNeeded = 100.0
    /// The agreement of the votes below which the sound counts as having no tuning.
    private static let voteAgreementNeeded = 0.15
    /// The change of tuning in cents below which the present tuning is kept.
    private static let smallestTuningChangeCents = 6.0

    private func updateTuning() -> Bool {
        guard tuningEstimate.totalVoteWeight > Self.voteWeightNeeded,
            tuningEstimate.voteAgreement > Self.voteAgreementNeeded
        else { return false }
        // The estimate is modulo a semitone, so the reading nearest to the present tuning is used.
        var cents = tuningEstimate.tuningCents
        if cents - tuningCents > 65 { cents -= 100 } else if tuningCents - cents > 65 { cents += 100 }
        guard abs(cents - tuningCents) >= Self.smallestTuningChangeCents else { return false }
        tuningCents = cents
        for key in 0..<Self.keyCount {
            frameBuilderByKey[key].retune(
                pitchOffsetCents: Double(Self.intervalsSemitones[key]) * 100 + cents)
        }
        return true
    }

    /// The lead by which another key must win while the present key is not followed with certainty: the natural
    /// logarithm of the likelihood ratio over some seconds. `leadToReplaceCertainKey` is the lead it needs otherwise.
    private static let leadToChangeKey = 12.0
    private static let leadToReplaceCertainKey = 30.0
    /// The seconds of certainty after which the keys are no longer compared. After `doubtfulSecondsToCompareAgain` of
    /// doubt they are compared again.
    private static let certainSecondsToStopComparing = 15
    private static let doubtfulSecondsToCompareAgain = 1

    /// Notes whether the newest report was certain, because a follower that is certain need not search for the key.
    func noteReportCertainty(isCertain: Bool) {
        self.wasNewestReportCertain = isCertain
        certainHopCount = isCertain ? certainHopCount + 1 : 0
        doubtfulHopCount = isCertain ? 0 : doubtfulHopCount + 1
        if isComparingKeys && certainHopCount > Self.certainSecondsToStopComparing * framesPerSecond {
            isComparingKeys = false
        } else if !isComparingKeys && doubtfulHopCount > Self.doubtfulSecondsToCompareAgain * framesPerSecond
        {
            forwardFilter.restartKeySearch(keySearch)
            isComparingKeys = true
        }
    }

    private func compareKeys(isQuiet: Bool, isDropout: Bool) -> Bool {
        if wasAwaitingStart != forwardFilter.isAwaitingStart {
            wasAwaitingStart = forwardFilter.isAwaitingStart
            forwardFilter.passAwaitedFrame(keySearch)
        }
        forwardFilter.passRoom(keySearch)
        for key in 0..<Self.keyCount {
            frameBuilderByKey[key].buildFrame(into: liveFrameValues)
            keySearch.advanceKey(
                key, LiveFeatureFrame(featureValues: liveFrameValues, isQuiet: isQuiet, isDropout: isDropout))
        }
        let present = presentKey
        if wasAwaitingStart {
            if let begun = forwardFilter.keyOfBeginning(keySearch, present: present) {
                presentKey = begun
                forwardFilter.continueInKey(keySearch, key: begun)
                return true
            }
        }
        let best = keySearch.bestKey
        guard best != present, !wasAwaitingStart || forwardFilter.isPieceCertain(keySearch, key: best),
            keySearch.bestKeyLead(over: present)
                > (wasNewestReportCertain ? Self.leadToReplaceCertainKey : Self.leadToChangeKey)
        else { return false }
        presentKey = best
        forwardFilter.continueInKey(keySearch, key: best)
        return true
    }
}
