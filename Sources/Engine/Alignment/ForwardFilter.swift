import MusicalTime

/// Follows with a forward filter in a window, and checks it by a search of the whole reference.
///
/// If the search believes in another place for a while, a second window is tried there. It takes over once it has
/// explained the sound so much better, for so long, that this cannot be chance; a passage that merely resembles the
/// present one never takes over.
///
/// Belongs to one thread; after `init` no allocation, no lock. Bounded work: two windows and one search step.
public final class ForwardFilter: AlignmentMethod {
    let parameters: FilterParameters
    let frameCount: Int
    private let dimensions: Int
    private let tiles: [ReferenceTiles]
    private let live: UnsafeMutablePointer<Float>
    private(set) var main: WindowFilter
    private(set) var rival: WindowFilter
    let search: WholeReferenceSearch
    var trial: Trial?
    var hops = 0
    /// Frame at which the music is awaited; nil once it has begun, or if the place is unknown.
    private(set) var awaited: Int?
    /// Number of frames in which the music seemed to have begun.
    var movingFrames = 0
    /// Number of frames that have fitted since the last jump, or since a start at an unknown place.
    private var provenFrames = 0
    private var pausedFrames = 0
    /// True if the position was changed between two frames; the next estimate reports it as a jump.
    var hasLeapt = false
    private var rivalFrame = 0.0
    private var rivalMass = 0.0
    private var support = 1.0
    private var likelyPlaces = LikelyPlaces()

    struct Trial {
        var age = 0
        /// Sum over the trial of each window's fit, in standard deviations above the reference's mean.
        var mainFit = 0.0
        var rivalFit = 0.0
        /// The main window's log likelihood when the trial began.
        var mainLikelihood: Double
    }

    /// - Parameter references: frames on one timeline: those of the reference itself, then others warped onto it.
    public convenience init(
        references: [ReferenceFrames], parameters: FilterParameters = FilterParameters()
    ) {
        self.init(
            tiles: references.map { ReferenceTiles(frames: $0.values, dimensions: $0.dimensions) },
            parameters: parameters)
    }

    /// - Parameter tiles: the same frames, tiled; kept without a copy.
    public init(tiles: [ReferenceTiles], parameters: FilterParameters = FilterParameters()) {
        precondition(!tiles.isEmpty, "a filter needs a reference")
        self.parameters = parameters
        self.tiles = tiles
        frameCount = tiles[0].frameCount
        dimensions = tiles[0].dimensions
        main = WindowFilter(references: tiles, parameters: parameters)
        rival = WindowFilter(references: tiles, parameters: parameters)
        search = WholeReferenceSearch(reference: tiles[0], parameters: parameters)
        live = zeroedFloats(dimensions)
        main.wait(at: 0)
    }

    deinit { live.deallocate() }

    /// Sets the bars of the reference, where the music is likely to continue. Call it before the music starts.
    public func setBars(_ landmarks: ReferenceBars) { search.setBars(landmarks) }

    public func begin(at start: FrameIndex?) {
        let frame = min(max(start?.value ?? 0, 0), frameCount - 1)
        main.wait(at: frame)
        awaited = start == nil ? nil : frame
        movingFrames = 0
        search.forget()
        search.expect(awaited)
        provenFrames = start == nil ? 0 : parameters.provingFrames
        pausedFrames = 0
        trial = nil
        hops = 0
        rivalMass = 0
        support = 1
        likelyPlaces = LikelyPlaces()
    }

    /// Half a second: nobody taps more precisely, and within it the sound decides.
    private static let anchorSpreadFrames = 25

    public func anchor(at frame: FrameIndex, tempo: TempoRatio?) {
        let place = min(max(frame.value, 0), frameCount - 1)
        let ratio = Float(min(max(tempo?.value ?? 1, 0.5), 2))
        main.start(at: place, spreadFrames: Self.anchorSpreadFrames, tempo: ratio)
        awaited = nil
        movingFrames = 0
        search.expect(nil)
        search.concentrate(in: place, tempo: ratio)
        trial = nil
        hops = 0
        rivalMass = 0
        support = 1
        likelyPlaces = search.likelyPlaces()
    }

    /// Natural logarithm of the likelihood of everything heard since the last beginning or jump.
    public var logLikelihood: Double { main.logLikelihood }

    public func advance(_ frame: LiveFrame) -> AlignmentEstimate {
        parameters.weigh(frame.values, dimensions: dimensions, into: live)
        let searched = search.advance(live, isDropout: frame.isDropout)
        let noise = noise(frame)
        main.advance(live, noise: noise, isDropout: frame.isDropout)
        var jumped = hasLeapt
        hasLeapt = false
        if var trial {
            rival.advance(live, noise: noise, isDropout: frame.isDropout)
            trial.age += 1
            trial.mainFit += fit(main)
            trial.rivalFit += fit(rival)
            self.trial = trial
            if judge(trial) { jumped = true }
        }
        prove(jumped: jumped)
        if searched { considerRival() }
        if let awaited { watchStart(awaited, jumped: jumped) }
        hops += 1
        var estimate = AlignmentEstimate(
            frame: main.position + parameters.lagFrames, tempo: TempoRatio(main.tempo()), mass: main.mass,
            fit: fit(main), standing: main.standingShare, jumped: jumped, hasBegun: awaited == nil,
            rivalFrame: rivalFrame, rivalMass: rivalMass,
            rivalGain: trial.map { max(($0.rivalFit - $0.mainFit) / Double(max($0.age, 1)), 0) } ?? 0,
            support: support)
        estimate.isCalibrated = true
        estimate.likelyPlaces = likelyPlaces
        return estimate
    }

    /// The similarity at which noise is as likely as music.
    private func noise(_ frame: LiveFrame) -> Float {
        let fit =
            awaited != nil
            ? parameters.noiseFitBeforeStart : frame.isSoft ? parameters.softNoiseFit : parameters.noiseFit
        return search.meanSimilarity + fit * search.similarityDeviation
    }

    /// How well the newest live frame fits at the position, in standard deviations above the reference's mean.
    private func fit(_ window: WindowFilter) -> Double {
        Double((window.similarityAtPeak - search.meanSimilarity) / search.similarityDeviation)
    }

    /// A position that was jumped to is kept until something better comes; after some seconds it counts as proven.
    private func prove(jumped: Bool) {
        if jumped {
            provenFrames = 0
        } else if main.standingShare < 0.5 && fit(main) > 1 {
            provenFrames = min(provenFrames + 1, parameters.provingFrames)
        }
        pausedFrames = main.standingShare > 0.5 ? min(pausedFrames + 1, 50) : 0
        search.open(!isProven || pausedFrames == 50)
    }

    private var isProven: Bool { provenFrames >= parameters.provingFrames }

    /// Decides whether the music has begun: it must move on and fit for ``FilterParameters/startFrames``.
    ///
    /// If the position drifts on without fitting, the sound was noise, and the filter waits again.
    private func watchStart(_ frame: Int, jumped: Bool) {
        if main.standingShare < 0.5 && fit(main) > 1 {
            movingFrames += 1
        } else if movingFrames > 0 {
            movingFrames -= 1
        }
        if jumped || movingFrames >= parameters.startFrames {
            awaited = nil
            search.expect(nil)
        } else if main.peak > frame + 100 && movingFrames == 0 {
            main.wait(at: frame)
        }
    }

    /// Ends a trial once it is decided.
    /// - Returns: true when the rival has taken over.
    private func judge(_ trial: Trial) -> Bool {
        let lead = rival.logLikelihood - (main.logLikelihood - trial.mainLikelihood)
        let gain = (trial.rivalFit - trial.mainFit) / Double(trial.age)
        let share = isProven ? 1 : parameters.unprovenShare
        let isClear = gain > parameters.clearRivalFitGain * share && awaited == nil
        let isExpected = awaited == nil || fitsLikeMusic(trial)
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

    /// A tuning orchestra fits many held chords; only music moves on and fits for seconds.
    private func fitsLikeMusic(_ trial: Trial) -> Bool {
        guard (0.6...1.7).contains(rival.tempo()) else { return false }
        let fit = trial.rivalFit / Double(trial.age)
        if isWithinReach(rival.peak) { return fit > 1 }
        return trial.age >= parameters.awaitedTrialFrames && fit > parameters.awaitedRivalFit
    }

    /// True if music that started at the awaited place, with its first notes unheard, could have reached a frame.
    private func isWithinReach(_ frame: Int) -> Bool {
        guard let awaited else { return true }
        return frame > awaited && frame < awaited + min(2 * hops, 1000)
    }

    private var patience: Int {
        awaited == nil ? parameters.rivalPatienceFrames : parameters.awaitedTrialFrames + 50
    }

    /// Reads the search's result, and starts a trial if another place is worth one.
    private func considerRival() {
        // Lost music usually continues near its last known bar, so only a trusted position is noted.
        if isProven && pausedFrames < 50 { search.note(present: main.peak) }
        support = search.mass(around: main.peak, reachFrames: 125)
        likelyPlaces = search.likelyPlaces()
        let best = search.rival(awayFrom: main.peak, reachFrames: 75)
        rivalFrame = Double(best.frame)
        rivalMass = best.mass
        guard hops > 50, best.mass > parameters.rivalMass, support < best.mass else { return }
        // The trial continues while the search still favours the same place.
        if trial != nil && abs(best.frame - rival.peak) < 150 { return }
        rival.start(at: best.frame, spreadFrames: 25, tempo: best.tempo)
        trial = Trial(mainLikelihood: main.logLikelihood)
    }
}
