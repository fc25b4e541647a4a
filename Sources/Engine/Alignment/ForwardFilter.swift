import MusicalTime

/// Follows the music with a forward filter in a window, and checks the result by a search of the whole reference.
///
/// If the search finds another place likely for a while, a second window (the rival) is tried there. The rival takes
/// over once it has explained the sound so much better, for so long, that this cannot be chance; a passage that merely
/// resembles the present one never takes over.
///
/// Belongs to one thread; after `init` no allocation, no lock. Bounded work: two windows and one search step.
public final class ForwardFilter: AlignmentMethod {
    let parameters: ForwardFilterParameters
    let frameCount: Int
    private let dimensions: Int
    private let tiles: [CompactTiles]
    private let weightedFrame: UnsafeMutablePointer<Float>
    private(set) var main: WindowFilter
    private(set) var rival: WindowFilter
    let search: WholeReferenceSearch
    var trial: Trial?
    var hops = 0
    /// The frame at which the music is awaited; nil once it has begun, or if the place is unknown.
    private(set) var awaitedFrame: Int?
    /// The number of frames in which the music seemed to move on, while it is awaited.
    var movingFrames = 0
    /// The number of frames that have fitted since the last jump, or since a start at an unknown place.
    private var provenFrames = 0
    private var pausedFrames = 0
    /// True if the position was changed between two frames, as by a change of key; the next estimate then reports a
    /// jump.
    var hasLeapt = false
    private var rivalFrame = 0.0
    private var rivalMass = 0.0
    private var searchAgreement = 1.0
    private var likelyPlaces = LikelyPlaces()

    struct Trial {
        var age = 0
        /// The sum of the main window's fits over the frames of the trial, in standard deviations above the reference's
        /// mean. `rivalFit` is the same for the rival's window.
        var mainFit = 0.0
        var rivalFit = 0.0
        /// The log likelihood of the main window when the trial began.
        var mainLikelihood: Double
    }

    /// Creates a filter that follows one or more recordings of a piece.
    /// - Parameter references: the frames of several recordings on one timeline: first the reference itself, then
    ///   others warped onto it.
    public convenience init(
        references: [ReferenceFrames], parameters: ForwardFilterParameters = ForwardFilterParameters()
    ) {
        self.init(
            tiles: references.map { CompactTiles(frames: $0.values, dimensions: $0.dimensions) },
            parameters: parameters)
    }

    /// Creates a filter from frames that are already laid out as tiles.
    /// - Parameters:
    ///   - tiles: the frames of the references in tiled layout, the reference itself first; kept without a copy.
    ///   - recordingCount: the number of references that are recordings; their copies in rooms follow. Nil if all are.
    public init(
        tiles: [CompactTiles], recordingCount: Int? = nil,
        parameters: ForwardFilterParameters = ForwardFilterParameters()
    ) {
        precondition(!tiles.isEmpty, "a filter needs a reference")
        self.parameters = parameters
        self.tiles = tiles
        frameCount = tiles[0].frameCount
        dimensions = tiles[0].dimensions
        main = WindowFilter(references: tiles, recordingCount: recordingCount, parameters: parameters)
        rival = WindowFilter(references: tiles, recordingCount: recordingCount, parameters: parameters)
        search = WholeReferenceSearch(reference: tiles[0], parameters: parameters)
        weightedFrame = zeroedFloats(dimensions)
        main.wait(at: 0)
    }

    deinit { weightedFrame.deallocate() }

    /// Sets the bars of the reference, at which the music is likely to continue. Call this before the music starts.
    public func setBars(_ landmarks: ReferenceBars) { search.setBars(landmarks) }

    public func begin(at start: FrameIndex?) {
        let frame = min(max(start?.value ?? 0, 0), frameCount - 1)
        main.wait(at: frame)
        main.resetWeights()
        rival.resetWeights()
        awaitedFrame = start == nil ? nil : frame
        movingFrames = 0
        search.reset()
        search.setAwaitedFrame(awaitedFrame)
        provenFrames = start == nil ? 0 : parameters.provingFrames
        pausedFrames = 0
        trial = nil
        hops = 0
        rivalMass = 0
        searchAgreement = 1
        likelyPlaces = LikelyPlaces()
    }

    /// The distance from an operator's tap within which the sound decides: half a second in frames, because nobody taps
    /// more precisely.
    private static let anchorSpreadFrames = 25

    public func anchor(at frame: FrameIndex, tempo: TempoRatio?) {
        let place = min(max(frame.value, 0), frameCount - 1)
        let ratio = Float(min(max(tempo?.value ?? 1, 0.5), 2))
        main.start(at: place, spreadFrames: Self.anchorSpreadFrames, tempo: ratio)
        awaitedFrame = nil
        movingFrames = 0
        search.setAwaitedFrame(nil)
        search.concentrate(in: place, tempo: ratio)
        trial = nil
        hops = 0
        rivalMass = 0
        searchAgreement = 1
        likelyPlaces = search.likelyPlaces()
    }

    /// The natural logarithm of the likelihood of everything heard since the last beginning or jump.
    public var logLikelihood: Double { main.logLikelihood }

    public func advance(_ frame: LiveFrame) -> AlignmentEstimate {
        parameters.applyWeights(frame.values, dimensions: dimensions, into: weightedFrame)
        let searched = search.advance(weightedFrame, isDropout: frame.isDropout)
        let noise = noise(frame)
        main.advance(weightedFrame, noise: noise, isDropout: frame.isDropout)
        var jumped = hasLeapt
        hasLeapt = false
        if var trial {
            rival.advance(weightedFrame, noise: noise, isDropout: frame.isDropout)
            trial.age += 1
            trial.mainFit += fit(main)
            trial.rivalFit += fit(rival)
            self.trial = trial
            if judge(trial) { jumped = true }
        }
        countProof(jumped: jumped)
        if searched { considerRival() }
        if let awaitedFrame { watchStart(awaitedFrame, jumped: jumped) }
        hops += 1
        var estimate = AlignmentEstimate(
            frame: main.position + parameters.lagFrames, tempo: TempoRatio(main.tempo()),
            mass: main.probabilityAtPeak,
            fit: fit(main), standing: main.standingShare, jumped: jumped, hasBegun: awaitedFrame == nil,
            rivalFrame: rivalFrame, rivalMass: rivalMass,
            rivalGain: trial.map { max(($0.rivalFit - $0.mainFit) / Double(max($0.age, 1)), 0) } ?? 0,
            support: searchAgreement)
        estimate.isCalibrated = true
        estimate.likelyPlaces = likelyPlaces
        return estimate
    }

    /// Returns the similarity at which a frame is as likely to be noise as music.
    private func noise(_ frame: LiveFrame) -> Float {
        let fit =
            awaitedFrame != nil
            ? parameters.noiseFitBeforeStart : frame.isSoft ? parameters.softNoiseFit : parameters.noiseFit
        return search.meanSimilarity + fit * search.similarityDeviation
    }

    /// Returns how well the newest live frame fits at the window's position, in standard deviations above the
    /// reference's mean.
    private func fit(_ window: WindowFilter) -> Double {
        Double((window.similarityAtPeak - search.meanSimilarity) / search.similarityDeviation)
    }

    /// Counts the frames that fit since the last jump. After some seconds of them the position is proven; until then
    /// the music may easily continue elsewhere.
    private func countProof(jumped: Bool) {
        if jumped {
            provenFrames = 0
        } else if main.standingShare < 0.5 && fit(main) > 1 {
            provenFrames = min(provenFrames + 1, parameters.provingFrames)
        }
        pausedFrames = main.standingShare > 0.5 ? min(pausedFrames + 1, 50) : 0
        search.setUnsettled(!isProven || pausedFrames == 50)
    }

    private var isProven: Bool { provenFrames >= parameters.provingFrames }

    /// Decides whether the music has begun: it must move on and fit for
    /// ``ForwardFilterParameters/startConfirmationFrames``.
    ///
    /// If the position drifts on without fitting, the sound was noise, and the filter waits again.
    private func watchStart(_ frame: Int, jumped: Bool) {
        if main.standingShare < 0.5 && fit(main) > 1 {
            movingFrames += 1
        } else if movingFrames > 0 {
            movingFrames -= 1
        }
        if jumped || movingFrames >= parameters.startConfirmationFrames {
            awaitedFrame = nil
            search.setAwaitedFrame(nil)
        } else if main.peak > frame + 100 && movingFrames == 0 {
            main.wait(at: frame)
        }
    }

    /// Ends the trial of a rival if it is decided.
    /// - Returns: true if the rival has taken over.
    private func judge(_ trial: Trial) -> Bool {
        let lead = rival.logLikelihood - (main.logLikelihood - trial.mainLikelihood)
        let gain = (trial.rivalFit - trial.mainFit) / Double(trial.age)
        let share = isProven ? 1 : parameters.unprovenDemandFactor
        let isClear = gain > parameters.clearRivalFitGain * share && awaitedFrame == nil
        let isExpected = awaitedFrame == nil || fitsLikeMusic(trial)
        let haste = share * (isClear ? 0.5 : 1)
        let hasWon =
            isExpected && gain > parameters.rivalFitGain * share && lead > parameters.rivalLead * haste
            && Double(trial.age) >= Double(parameters.rivalTrialFrames) * haste
        if abs(rival.peak - main.peak) < 50 {
            self.trial = nil
        } else if hasWon {
            swap(&main, &rival)
            self.trial = nil
            return true
        } else if trial.age > patience || lead < -30 {
            self.trial = nil
        }
        return false
    }

    /// Returns true if the rival fits as only music does. A tuning orchestra fits many held chords, but only music
    /// moves on and fits for seconds.
    private func fitsLikeMusic(_ trial: Trial) -> Bool {
        guard (0.6...1.7).contains(rival.tempo()) else { return false }
        let fit = trial.rivalFit / Double(trial.age)
        if isWithinReach(rival.peak) { return fit > 1 }
        return trial.age >= parameters.awaitedTrialFrames && fit > parameters.awaitedRivalFit
    }

    /// Returns true if the music could have reached a frame, provided that it started at the awaited place and its
    /// first notes were not heard.
    private func isWithinReach(_ frame: Int) -> Bool {
        guard let awaitedFrame else { return true }
        return frame > awaitedFrame && frame < awaitedFrame + min(2 * hops, 1000)
    }

    private var patience: Int {
        awaitedFrame == nil ? parameters.longestTrialFrames : parameters.awaitedTrialFrames + 50
    }

    /// Reads the result of the search, and starts a trial if another place is probable enough.
    private func considerRival() {
        // Lost music usually continues near its last known bar, so only a trusted position is noted.
        if isProven && pausedFrames < 50 { search.note(present: main.peak) }
        searchAgreement = search.probability(around: main.peak, reachFrames: 125)
        likelyPlaces = search.likelyPlaces()
        let best = search.rival(awayFrom: main.peak, reachFrames: 75)
        rivalFrame = Double(best.frame)
        rivalMass = best.mass
        guard hops > 50, best.mass > parameters.rivalProbability, searchAgreement < best.mass else { return }
        // The trial continues while the search still favours the same place.
        if trial != nil && abs(best.frame - rival.peak) < 150 { return }
        rival.start(at: best.frame, spreadFrames: 25, tempo: best.tempo)
        rival.adoptWeights(of: main)
        trial = Trial(mainLikelihood: main.logLikelihood)
    }
}
