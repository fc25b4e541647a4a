import MusicalTime

/// Follows by a forward filter in a window, watched by a search of the whole reference.
///
/// Where the search has believed in another place for a while, a second window is tried there. It takes over when
/// it has explained the sound so much better, for so long, that chance is excluded; a passage that merely
/// resembles the present one never does.
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
    let search: WholeSearch
    var trial: Trial?
    var hops = 0
    /// Where the music is awaited; nil once it has begun, or where nobody knows.
    private(set) var awaited: Int?
    /// Frames in which the music seemed to have begun.
    var movingFrames = 0
    /// Frames that fitted since the last jump, or since a beginning that nobody knew.
    private var provenFrames = 0
    private var pausedFrames = 0
    /// The position was changed between two frames; the next estimate says so.
    var hasLeapt = false
    private var rivalFrame = 0.0
    private var rivalMass = 0.0
    private var support = 1.0
    private var likelyPlaces = LikelyPlaces()

    struct Trial {
        var age = 0
        /// Sums over the trial of how well each fits, in standard deviations above the reference's mean.
        var mainFit = 0.0
        var rivalFit = 0.0
        /// What the main window had explained when the trial began.
        var mainLikelihood: Double
    }

    /// - Parameter references: frames of one timeline: the reference itself, and others warped onto it.
    public convenience init(
        references: [ReferenceFrames], parameters: FilterParameters = FilterParameters()
    ) {
        self.init(
            tiles: references.map { ReferenceTiles(frames: $0.values, dimensions: $0.dimensions) },
            parameters: parameters)
    }

    /// - Parameter tiles: the same, tiled; kept, not copied.
    public init(tiles: [ReferenceTiles], parameters: FilterParameters = FilterParameters()) {
        precondition(!tiles.isEmpty, "a filter needs a reference")
        self.parameters = parameters
        self.tiles = tiles
        frameCount = tiles[0].frameCount
        dimensions = tiles[0].dimensions
        main = WindowFilter(references: tiles, parameters: parameters)
        rival = WindowFilter(references: tiles, parameters: parameters)
        search = WholeSearch(reference: tiles[0], parameters: parameters)
        live = zeroedFloats(dimensions)
        main.wait(at: 0)
    }

    deinit { live.deallocate() }

    /// The bars of the reference, where it is likely to go on; before the music starts.
    public func know(_ landmarks: Landmarks) { search.know(landmarks) }

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

    /// Half a second: nobody taps more exactly, and the sound tells within it.
    private static let anchorSpreadFrames = 25

    public func anchor(at frame: FrameIndex, tempo: TempoRatio?) {
        let place = min(max(frame.value, 0), frameCount - 1)
        let ratio = Float(min(max(tempo?.value ?? 1, 0.5), 2))
        main.start(at: place, spreadFrames: Self.anchorSpreadFrames, tempo: ratio)
        awaited = nil
        movingFrames = 0
        search.expect(nil)
        search.believe(in: place, tempo: ratio)
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
        if searched { lookElsewhere() }
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

    /// Similarity at which noise is as likely as music.
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

    /// A place jumped to is believed for as long as nothing better comes; after some seconds it is proven.
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

    /// Decides whether the music has begun: it moves on and fits for half a second.
    ///
    /// What drifts on without fitting was noise, and is awaited again.
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

    /// Ends a trial that is decided.
    /// - Returns: true when the rival has taken over.
    private func judge(_ trial: Trial) -> Bool {
        let lead = rival.logLikelihood - (main.logLikelihood - trial.mainLikelihood)
        let gain = (trial.rivalFit - trial.mainFit) / Double(trial.age)
        let share = isProven ? 1 : parameters.unprovenShare
        let isClear = gain > parameters.clearRivalFitGain * share && awaited == nil
        let isExpected = awaited == nil || isMusic(trial)
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

    /// An orchestra that tunes fits many a held chord; only music moves on and fits for seconds.
    private func isMusic(_ trial: Trial) -> Bool {
        guard (0.6...1.7).contains(rival.tempo()) else { return false }
        let fit = trial.rivalFit / Double(trial.age)
        if isWithinReach(rival.peak) { return fit > 1 }
        return trial.age >= parameters.awaitedTrialFrames && fit > parameters.awaitedRivalFit
    }

    /// The music would be there had it begun at the awaited place and its first notes gone unheard.
    private func isWithinReach(_ frame: Int) -> Bool {
        guard let awaited else { return true }
        return frame > awaited && frame < awaited + min(2 * hops, 1000)
    }

    private var patience: Int {
        awaited == nil ? parameters.rivalPatienceFrames : parameters.awaitedTrialFrames + 50
    }

    /// Takes note of what the search has found, and starts a trial where it is worth one.
    private func lookElsewhere() {
        // Who has lost the way goes on near where it was last known.
        if isProven && pausedFrames < 50 { search.note(present: main.peak) }
        support = search.mass(around: main.peak, reachFrames: 125)
        likelyPlaces = search.likelyPlaces()
        let best = search.rival(awayFrom: main.peak, reachFrames: 75)
        rivalFrame = Double(best.frame)
        rivalMass = best.mass
        guard hops > 50, best.mass > parameters.rivalMass, support < best.mass else { return }
        // A trial goes on while the search still means the same place.
        if trial != nil && abs(best.frame - rival.peak) < 150 { return }
        rival.start(at: best.frame, spreadFrames: 25, tempo: best.tempo)
        trial = Trial(mainLikelihood: main.logLikelihood)
    }
}
