import Alignment
import Features
import MusicalTime

/// Finds the pitch of a performance: its tuning from its spectrum, its key by following in seven of them.
///
/// Belongs to the follow lane; after `init` no allocation, no lock. While the key is open each hop costs seven
/// frames and seven windows; afterwards nothing but the tuning's votes.
final class PitchSearch {
    /// Semitones to either side that are tried.
    static let reach = 3
    private static let keys = 2 * reach + 1

    /// How much higher the performance is in key than the reference.
    private(set) var transpositionSemitones = 0
    /// How much higher it is tuned than the nearest key at A = 440 Hz.
    private(set) var tuningCents = 0.0

    private let stage: SpectrumStage
    private let filter: ForwardFilter
    private let builders: [FrameBuilder]
    private let frame: UnsafeMutablePointer<Float>
    private let trial: PitchTrial
    private var tuning: TuningEstimate
    private var isOpen = true
    private var hops = 0
    private let framesPerSecond: Int

    init(stage: SpectrumStage, offsets: PitchOffsets, filter: ForwardFilter) {
        self.stage = stage
        self.filter = filter
        framesPerSecond = stage.parameters.framesPerSecond
        builders = (0..<Self.keys).map { key in
            FrameBuilder(
                stage: stage, library: offsets, pitchOffsetCents: Double(key - Self.reach) * 100)
        }
        trial = filter.makePitchTrial(keys: Self.keys)
        tuning = TuningEstimate(parameters: stage.parameters, halfLifeSeconds: 30)
        frame = .allocate(capacity: stage.parameters.dimensions)
        frame.initialize(repeating: 0, count: stage.parameters.dimensions)
    }

    deinit { frame.deallocate() }

    /// Opens the question again; what is known of the tuning stays.
    func begin(at start: FrameIndex?) {
        // The keys are compared at one place: where it is unknown they cannot be.
        isOpen = start != nil
        transpositionSemitones = 0
        filter.begin(trial, at: start)
    }

    /// The offset at which frames are to be made, in cents above A = 440 Hz.
    var offsetCents: Double { Double(transpositionSemitones) * 100 + tuningCents }

    /// The music has gone on elsewhere: the keys were compared at a place that is no longer the music's.
    func close() { isOpen = false }

    /// Hears the stage's newest hop.
    /// - Returns: true when ``offsetCents`` has changed.
    func hear(isQuiet: Bool, isDropout: Bool) -> Bool {
        var changed = false
        if !isQuiet { tuning.vote(stage) }
        hops += 1
        if hops % (framesPerSecond / 2) == 0 { changed = retune() }
        if isOpen && tryKeys(isQuiet: isQuiet, isDropout: isDropout) { changed = true }
        return changed
    }

    /// Votes of about a second of music.
    private static let votesNeeded = 100.0
    /// Below this agreement of the votes the sound has no tuning.
    private static let agreementNeeded = 0.15
    /// Nearer than this the present tuning is kept.
    private static let smallestChangeCents = 6.0

    private func retune() -> Bool {
        guard tuning.weight > Self.votesNeeded, tuning.agreement > Self.agreementNeeded else { return false }
        // The estimate is modulo a semitone: take the reading nearest to the present one.
        var cents = tuning.cents
        if cents - tuningCents > 65 { cents -= 100 } else if tuningCents - cents > 65 { cents += 100 }
        guard abs(cents - tuningCents) >= Self.smallestChangeCents else { return false }
        tuningCents = cents
        for key in 0..<Self.keys {
            builders[key].retune(pitchOffsetCents: Double(key - Self.reach) * 100 + cents)
        }
        return true
    }

    /// A key must have been followed for so long before it is believed, and the question is closed after so long.
    private static let shortestTrialSeconds = 1.5
    private static let longestTrialSeconds = 20.0
    /// Natural logarithm of the likelihood ratio by which another key must win: where the present one does not
    /// follow at all, and where it seems to.
    private static let leadToChange = 40.0
    private static let leadToReplace = 120.0

    private func tryKeys(isQuiet: Bool, isDropout: Bool) -> Bool {
        for key in 0..<Self.keys {
            builders[key].build(into: frame)
            filter.advance(
                trial, key: key, LiveFrame(values: frame, isQuiet: isQuiet, isDropout: isDropout))
        }
        var best = 0
        for key in 1..<Self.keys where trial.logLikelihood(of: key) > trial.logLikelihood(of: best) {
            best = key
        }
        // Noise fits no key: only what moves on through the score and fits is music.
        let followed = trial.followedFrames(of: best)
        guard Double(followed) > Self.shortestTrialSeconds * Double(framesPerSecond) else { return false }
        let present = transpositionSemitones + Self.reach
        if best == present {
            isOpen = Double(followed) < Self.longestTrialSeconds * Double(framesPerSecond)
            return false
        }
        let lead = trial.logLikelihood(of: best) - trial.logLikelihood(of: present)
        // The present key may seem to follow too: then the other must explain far more.
        let isPresentFollowing = trial.followedFrames(of: present) >= followed / 2
        guard lead > (isPresentFollowing ? Self.leadToReplace : Self.leadToChange) else { return false }
        transpositionSemitones = best - Self.reach
        filter.adopt(trial, key: best)
        isOpen = false
        return true
    }
}
