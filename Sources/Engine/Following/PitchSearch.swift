import Alignment
import Features
import MusicalTime

/// Finds the pitch of a performance: its tuning from the spectrum, its key by searching the piece in seven keys.
///
/// Belongs to the follow lane; after `init` no allocation, no lock. While the key is undecided each hop costs seven
/// frames and seven whole searches; while the music is followed with certainty it costs only the votes for the
/// tuning.
final class PitchSearch {
    /// Number of semitones to either side that are tried.
    static let reach = 3
    private static let keyCount = 2 * reach + 1

    /// Semitones by which the performance's key is higher than the reference's.
    private(set) var transpositionSemitones = 0
    /// Cents by which the performance is tuned higher than the nearest key at A = 440 Hz.
    private(set) var tuningCents = 0.0

    private let stage: SpectrumAnalyser
    private let filter: ForwardFilter
    private let builders: [FrameBuilder]
    private let frame: UnsafeMutablePointer<Float>
    private let keys: MusicalKeySearch
    private var tuning: TuningEstimate
    private var isOpen = true
    private var isCertain = false
    /// True if the music is awaited at a known place, according to what the searches were last told.
    private var isAwaited = false
    private var certainHops = 0
    private var doubtfulHops = 0
    private var hops = 0
    private let framesPerSecond: Int

    init(
        stage: SpectrumAnalyser, offsets: PitchOffsetFilters, filter: ForwardFilter,
        features: FrameFeatures = .bands
    ) {
        self.stage = stage
        self.filter = filter
        framesPerSecond = stage.parameters.framesPerSecond
        builders = (0..<Self.keyCount).map { key in
            FrameBuilder(
                stage: stage, library: offsets, pitchOffsetCents: Double(key - Self.reach) * 100,
                features: features)
        }
        keys = filter.makeMusicalKeySearch(keys: Self.keyCount, framesPerSecond: framesPerSecond)
        tuning = TuningEstimate(parameters: stage.parameters, halfLifeSeconds: 30)
        let dimensions = features.dimensions(stage.parameters)
        frame = .allocate(capacity: dimensions)
        frame.initialize(repeating: 0, count: dimensions)
    }

    deinit { frame.deallocate() }

    /// Reopens the question of the key; the tuning found so far stays.
    func begin() {
        isOpen = true
        isCertain = false
        certainHops = 0
        doubtfulHops = 0
        transpositionSemitones = 0
        keys.forget()
        filter.tell(keys)
        isAwaited = filter.isAwaited
    }

    /// An operator has said where the music is: the key found so far stays, and all keys are compared there once
    /// more.
    func anchor(at frame: FrameIndex) {
        isOpen = true
        certainHops = 0
        filter.anchor(keys, at: frame)
    }

    /// The pitch offset at which frames must be made, in cents above A = 440 Hz.
    var offsetCents: Double { Double(transpositionSemitones) * 100 + tuningCents }

    /// Uses the stage's newest hop to update tuning and key.
    /// - Returns: true when ``offsetCents`` has changed.
    func hear(isQuiet: Bool, isDropout: Bool) -> Bool {
        var changed = false
        if !isQuiet { tuning.vote(stage) }
        hops += 1
        if hops % (framesPerSecond / 2) == 0 { changed = retune() }
        if isOpen && compareKeys(isQuiet: isQuiet, isDropout: isDropout) { changed = true }
        return changed
    }

    /// Weight of the votes that a tuning needs: about a second of music.
    private static let votesNeeded = 100.0
    /// Agreement of the votes below which the sound has no tuning.
    private static let agreementNeeded = 0.15
    /// Change below which the present tuning is kept.
    private static let smallestChangeCents = 6.0

    private func retune() -> Bool {
        guard tuning.weight > Self.votesNeeded, tuning.agreement > Self.agreementNeeded else { return false }
        // The estimate is modulo a semitone, so the reading nearest to the present tuning is used.
        var cents = tuning.cents
        if cents - tuningCents > 65 { cents -= 100 } else if tuningCents - cents > 65 { cents += 100 }
        guard abs(cents - tuningCents) >= Self.smallestChangeCents else { return false }
        tuningCents = cents
        for key in 0..<Self.keyCount {
            builders[key].retune(pitchOffsetCents: Double(key - Self.reach) * 100 + cents)
        }
        return true
    }

    /// Natural logarithm of the likelihood ratio, over some seconds, by which another key must win: while the
    /// present key is not followed with certainty, and while it is.
    private static let leadToChange = 12.0
    private static let leadToReplace = 30.0
    /// Seconds of certainty after which the keys are no longer compared, and of doubt after which they are again.
    private static let certainSecondsToRest = 15
    private static let secondsToWake = 1

    /// Takes note of how certain the newest report was: a follower that is certain need not search for the key.
    func note(isCertain: Bool) {
        self.isCertain = isCertain
        certainHops = isCertain ? certainHops + 1 : 0
        doubtfulHops = isCertain ? 0 : doubtfulHops + 1
        if isOpen && certainHops > Self.certainSecondsToRest * framesPerSecond {
            isOpen = false
        } else if !isOpen && doubtfulHops > Self.secondsToWake * framesPerSecond {
            filter.wake(keys)
            isOpen = true
        }
    }

    private func compareKeys(isQuiet: Bool, isDropout: Bool) -> Bool {
        if isAwaited != filter.isAwaited {
            isAwaited = filter.isAwaited
            filter.tell(keys)
        }
        for key in 0..<Self.keyCount {
            builders[key].build(into: frame)
            keys.advance(key, LiveFrame(values: frame, isQuiet: isQuiet, isDropout: isDropout))
        }
        let present = transpositionSemitones + Self.reach
        let best = keys.best
        guard best != present,
            keys.lead(over: present) > (isCertain ? Self.leadToReplace : Self.leadToChange)
        else { return false }
        transpositionSemitones = best - Self.reach
        filter.continueInKey(keys, key: best)
        return true
    }
}
