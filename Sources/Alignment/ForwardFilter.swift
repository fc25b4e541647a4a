import MusicalTime

/// Follows by a forward filter in a window, watched by a search of the whole reference.
///
/// Where the search has believed in another place for a while, a second window is tried there. It takes over when
/// it has explained the sound so much better, for so long, that chance is excluded; a passage that merely
/// resembles the present one never does.
///
/// Belongs to one thread; after `init` no allocation, no lock. Bounded work: two windows and one search step.
public final class ForwardFilter: AlignmentMethod {
    private let parameters: FilterParameters
    private let frameCount: Int
    private let dimensions: Int
    private let tiles: [ReferenceTiles]
    private let live: UnsafeMutablePointer<Float>
    private var main: WindowFilter
    private var rival: WindowFilter
    private let search: WholeSearch
    private var trial: Trial?
    private var hops = 0
    /// Where the music is awaited; nil once it has begun, or where nobody knows.
    private var awaited: Int?
    /// Frames in which the music seemed to have begun.
    private var movingFrames = 0
    private var rivalFrame = 0.0
    private var rivalMass = 0.0
    private var support = 1.0

    private struct Trial {
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

    public func begin(at start: FrameIndex?) {
        let frame = min(max(start?.value ?? 0, 0), frameCount - 1)
        main.wait(at: frame)
        awaited = start == nil ? nil : frame
        movingFrames = 0
        search.forget()
        trial = nil
        hops = 0
        rivalMass = 0
        support = 1
    }

    /// Natural logarithm of the likelihood of everything heard since the last beginning or jump.
    public var logLikelihood: Double { main.logLikelihood }

    public func advance(_ frame: LiveFrame) -> AlignmentEstimate {
        parameters.weigh(frame.values, dimensions: dimensions, into: live)
        let searched = search.advance(live, isDropout: frame.isDropout)
        let noise = noise
        main.advance(live, noise: noise, isDropout: frame.isDropout)
        var jumped = false
        if var trial {
            rival.advance(live, noise: noise, isDropout: frame.isDropout)
            trial.age += 1
            trial.mainFit += fit(main)
            trial.rivalFit += fit(rival)
            self.trial = trial
            jumped = judge(trial)
        }
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
        return estimate
    }

    /// Similarity at which noise is as likely as music.
    private var noise: Float {
        let fit = awaited == nil ? parameters.noiseFit : parameters.noiseFitBeforeStart
        return search.meanSimilarity + fit * search.similarityDeviation
    }

    /// How well the newest live frame fits at the position, in standard deviations above the reference's mean.
    private func fit(_ window: WindowFilter) -> Double {
        Double((window.similarityAtPeak - search.meanSimilarity) / search.similarityDeviation)
    }

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
        } else if main.peak > frame + 100 && movingFrames == 0 {
            main.wait(at: frame)
        }
    }

    /// Makes a trial of several keys on this reference; before the music starts.
    public func makePitchTrial(keys: Int) -> PitchTrial {
        PitchTrial(keys: keys, references: tiles, parameters: parameters, dimensions: dimensions)
    }

    /// Begins a trial where this filter begins.
    public func begin(_ trial: PitchTrial, at start: FrameIndex?) {
        trial.begin(at: min(max(start?.value ?? 0, 0), frameCount - 1))
    }

    /// Moves one key of a trial by a live frame in that key.
    public func advance(_ trial: PitchTrial, key: Int, _ frame: LiveFrame) {
        trial.advance(
            key, frame, noise: noise, fitting: search.meanSimilarity + search.similarityDeviation)
    }

    /// Goes on in a key of the trial: frames come in that key from now on.
    public func adopt(_ trial: PitchTrial, key: Int) {
        trial.exchange(key, with: &main)
        search.forget()
        self.trial = nil
        hops = 0
    }

    /// Ends a trial that is decided.
    /// - Returns: true when the rival has taken over.
    private func judge(_ trial: Trial) -> Bool {
        let lead = rival.logLikelihood - (main.logLikelihood - trial.mainLikelihood)
        let gain = (trial.rivalFit - trial.mainFit) / Double(trial.age)
        let isClear = gain > parameters.clearRivalFitGain
        let hasWon =
            gain > parameters.rivalFitGain
            && lead > (isClear ? parameters.rivalLead / 2 : parameters.rivalLead)
            && trial.age >= (isClear ? parameters.rivalTrialFrames / 2 : parameters.rivalTrialFrames)
        if abs(rival.peak - main.peak) < 50 {
            self.trial = nil
        } else if hasWon {
            swap(&main, &rival)
            self.trial = nil
            return true
        } else if trial.age > parameters.rivalPatienceFrames || lead < -30 {
            self.trial = nil
        }
        return false
    }

    /// Takes note of what the search has found, and starts a trial where it is worth one.
    private func lookElsewhere() {
        support = search.mass(around: main.peak, reachFrames: 125)
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
