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
    private let pitchCount: Int
    private let live: UnsafeMutablePointer<Float>
    private var main: WindowFilter
    private var rival: WindowFilter
    private let search: WholeSearch
    private var trial: Trial?
    private var hops = 0
    private var rivalFrame = 0.0
    private var rivalMass = 0.0
    private var support = 1.0

    private struct Trial {
        var age = 0
        /// What the main window had explained when the trial began.
        var mainLikelihood: Double
    }

    /// - Parameter references: frames of one timeline: the reference itself, and others warped onto it.
    public init(references: [ReferenceFrames], parameters: FilterParameters = FilterParameters()) {
        precondition(!references.isEmpty, "a filter needs a reference")
        self.parameters = parameters
        frameCount = references[0].frameCount
        dimensions = references[0].dimensions
        pitchCount = dimensions / 2
        let tiles = references.map { ReferenceTiles(frames: $0.values, dimensions: $0.dimensions) }
        main = WindowFilter(references: tiles, parameters: parameters)
        rival = WindowFilter(references: tiles, parameters: parameters)
        search = WholeSearch(frames: references[0], parameters: parameters)
        live = zeroedFloats(dimensions)
        main.wait(at: 0)
    }

    deinit { live.deallocate() }

    public func begin(at start: FrameIndex?) {
        main.wait(at: min(max(start?.value ?? 0, 0), frameCount - 1))
        search.forget()
        trial = nil
        hops = 0
        rivalMass = 0
        support = 1
    }

    /// Natural logarithm of the likelihood of everything heard since the last beginning or jump.
    public var logLikelihood: Double { main.logLikelihood }

    public func advance(_ frame: LiveFrame) -> AlignmentEstimate {
        for value in 0..<pitchCount { live[value] = frame.values[value] * parameters.pitchWeight }
        for value in pitchCount..<dimensions { live[value] = frame.values[value] * parameters.onsetWeight }
        let searched = search.advance(live, isDropout: frame.isDropout)
        let noise = search.meanSimilarity + parameters.noiseFit * search.similarityDeviation
        main.advance(live, noise: noise, isDropout: frame.isDropout)
        var jumped = false
        if var trial {
            rival.advance(live, noise: noise, isDropout: frame.isDropout)
            trial.age += 1
            self.trial = trial
            jumped = judge(trial)
        }
        if searched { lookElsewhere() }
        hops += 1
        return AlignmentEstimate(
            frame: main.position + parameters.lagFrames, tempo: TempoRatio(main.tempo()), mass: main.mass,
            fit: Double((main.similarityAtPeak - search.meanSimilarity) / search.similarityDeviation),
            standing: main.standingShare, jumped: jumped, rivalFrame: rivalFrame, rivalMass: rivalMass,
            support: support)
    }

    /// Ends a trial that is decided.
    /// - Returns: true when the rival has taken over.
    private func judge(_ trial: Trial) -> Bool {
        let lead = rival.logLikelihood - (main.logLikelihood - trial.mainLikelihood)
        if abs(rival.peak - main.peak) < 50 {
            self.trial = nil
        } else if lead > parameters.rivalLead && trial.age >= parameters.rivalTrialFrames {
            swap(&main, &rival)
            self.trial = nil
            return true
        } else if trial.age > parameters.rivalPatienceFrames || lead < -parameters.rivalLead / 2 {
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
        guard trial == nil, hops > 50, best.mass > parameters.rivalMass, support < best.mass else { return }
        rival.start(at: best.frame, spreadFrames: 25, tempo: best.tempo)
        trial = Trial(mainLikelihood: main.logLikelihood)
    }
}
