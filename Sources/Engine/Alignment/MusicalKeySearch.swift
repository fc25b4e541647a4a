import RealModule

/// Searches the whole reference in several keys at once, and finds the key in which the sound fits best at whatever
/// place.
///
/// A performance may sound some semitones higher or lower than the reference. Each key has its own
/// ``WholeReferenceSearch``; the likelihoods of the last seconds are compared. The choice is never final: a key that
/// fits only the tuning of an orchestra is given up some seconds after the music has begun.
///
/// Belongs to one thread; after `init` no allocation, no lock. Cost: one step of a whole search per key and pooled
/// frame. The searches take turns in the frames between two pooled ones, so that no frame carries all the work.
public final class MusicalKeySearch {
    /// The time in seconds after which the evidence of a frame counts only 1/e.
    private static let evidenceMemorySeconds = 4.0

    let keySearches: [WholeReferenceSearch]
    /// For each key, the evidence that the awaited music has begun.
    let beginnings: [BeginningSearch]
    private var isAwaitingMusicStart = false
    /// For each key, the natural logarithm of the likelihood of the last seconds; older evidence fades.
    private var logLikelihoodByKey: [Double]
    /// For each key, the log likelihood of the newest pooled frame. It is added to the evidence once the searches of
    /// all keys have moved.
    private var newestLogLikelihoodByKey: [Double]
    private var isPooledFrameWaitingByKey: [Bool]
    private var framesToSkip = 0
    private let evidenceFadeFactor: Double
    /// True if the sound is louder than the room alone.
    private var isStandingOut = true
    /// True while nothing but the room sounds, which has no key.
    private var isRoomAlone = false
    private let weightedFrame: UnsafeMutablePointer<Float>
    private let parameters: ForwardFilterParameters
    private let dimensions: Int

    /// Creates one search of the reference for each key.
    /// - Parameter search: another search of the same reference; its pooled frames and its scratch memory are shared.
    init(
        keys: Int, beside search: WholeReferenceSearch, framesPerSecond: Int,
        parameters: ForwardFilterParameters
    ) {
        let pooled = search.pooledReferenceTiles
        keySearches = (0..<keys).map { _ in
            WholeReferenceSearch(pooled: pooled, parameters: parameters, sharedBuffers: search.sharedBuffers)
        }
        beginnings = (0..<keys).map { _ in
            BeginningSearch(
                pooledFrameCount: search.pooledFrameCount, tempoGrid: search.tempoGrid, parameters: parameters
            )
        }
        logLikelihoodByKey = Array(repeating: 0, count: keys)
        newestLogLikelihoodByKey = Array(repeating: 0, count: keys)
        isPooledFrameWaitingByKey = Array(repeating: false, count: keys)
        evidenceFadeFactor = Double.exp(
            -Double(parameters.framesPerPooledFrame) / (Double(framesPerSecond) * Self.evidenceMemorySeconds))
        self.parameters = parameters
        dimensions = pooled.dimensions
        weightedFrame = zeroedFloats(dimensions)
    }

    deinit { weightedFrame.deallocate() }

    /// Makes every key and every place possible again.
    public func reset() { reset(skipping: 0) }

    /// Makes every key and every place possible again, and ignores the next `frames` frames.
    func reset(skipping frames: Int) {
        framesToSkip = frames
        for key in keySearches.indices {
            keySearches[key].reset()
            logLikelihoodByKey[key] = 0
            isPooledFrameWaitingByKey[key] = false
        }
    }

    /// Sets the frame at which the music may begin at any moment; nil if the music has begun or the place is unknown.
    /// What was heard before the music says nothing about its key.
    func setAwaitedFrame(_ frame: Int?) {
        for search in keySearches { search.setAwaitedFrame(frame) }
        isAwaitingMusicStart = frame != nil
        guard let frame else { return logLikelihoodByKey.indices.forEach { logLikelihoodByKey[$0] = 0 } }
        for beginning in beginnings { beginning.begin(at: frame / parameters.framesPerPooledFrame) }
    }

    /// Makes every key possible again, with the music at this frame now.
    func concentrateProbability(in frame: Int, tempo: Float) {
        framesToSkip = 0
        for key in keySearches.indices {
            keySearches[key].concentrateProbability(in: frame, tempo: tempo)
            logLikelihoodByKey[key] = 0
            isPooledFrameWaitingByKey[key] = false
        }
    }

    /// Notes whether the sound is more than the room's own; see ``WholeReferenceSearch/isRoomAlone`` and
    /// ``WholeReferenceSearch/isSilent``. After a new silence the music has not begun.
    func noteRoom(isStandingOut: Bool, isRoomAlone: Bool, isSilent: Bool, isNewSilence: Bool) {
        self.isStandingOut = isStandingOut
        self.isRoomAlone = isRoomAlone
        for search in keySearches { (search.isRoomAlone, search.isSilent) = (isRoomAlone, isSilent) }
        guard isNewSilence else { return }
        for beginning in beginnings { beginning.forgetBeginning() }
    }

    /// The key in which the awaited music has most probably begun, and its odds there; `present` is as likely as all
    /// others together.
    func mostProbableBeginning(present: Int) -> (key: Int, odds: Float) {
        var best = (key: present, odds: beginnings[present].odds)
        for key in beginnings.indices where key != present {
            let odds = beginnings[key].odds / Float(max(beginnings.count - 1, 1))
            if odds > best.odds { best = (key, odds) }
        }
        return best
    }

    /// Takes a live frame that was made in one key. Call this once per frame for each key, in the order of the keys.
    public func advanceKey(_ key: Int, _ frame: LiveFeatureFrame) {
        let isLast = key == keySearches.count - 1
        guard framesToSkip == 0 else {
            if isLast { framesToSkip -= 1 }
            return
        }
        let search = keySearches[key]
        parameters.applyWeights(frame.featureValues, dimensions: dimensions, into: weightedFrame)
        if search.poolLiveFrame(weightedFrame, isDropout: frame.isDropout) {
            isPooledFrameWaitingByKey[key] = true
        }
        if isPooledFrameWaitingByKey[key] && search.framesInPool == framesUntilTurn(of: key) {
            search.advanceByPooledFrame()
            newestLogLikelihoodByKey[key] = Double(search.stepLogLikelihood)
            if isAwaitingMusicStart, isStandingOut { search.passNewestLikelihoods(to: beginnings[key]) }
            isPooledFrameWaitingByKey[key] = false
            // The last turn belongs to the last key or, with fewer frames than keys, to an earlier one.
            if isPooledFrameWaitingByKey.allSatisfy({ !$0 }) { addNewestEvidence() }
        }
    }

    /// Returns how many live frames after a pooled frame the search of a key moves. The keys are spread evenly, and
    /// none moves in the frame in which the filter's own search moves.
    private func framesUntilTurn(of key: Int) -> Int {
        let turns = parameters.framesPerPooledFrame - 1
        return turns > 0 ? 1 + key % turns : 0
    }

    private func addNewestEvidence() {
        guard !isRoomAlone else { return }
        for key in logLikelihoodByKey.indices {
            logLikelihoodByKey[key] =
                logLikelihoodByKey[key] * evidenceFadeFactor + newestLogLikelihoodByKey[key]
        }
    }

    /// The index of the key that best explains the last seconds.
    public var bestKey: Int {
        var best = 0
        for key in 1..<logLikelihoodByKey.count where logLikelihoodByKey[key] > logLikelihoodByKey[best] {
            best = key
        }
        return best
    }

    /// Returns the lead of the best key over another one: the natural logarithm of the likelihood ratio over the last
    /// seconds.
    public func bestKeyLead(over key: Int) -> Double { logLikelihoodByKey[bestKey] - logLikelihoodByKey[key] }
}
