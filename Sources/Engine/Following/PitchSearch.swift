import Alignment
import Features
import MusicalTime

/// Finds the pitch of a performance: its tuning from its spectrum, its key by searching the piece in seven of them.
///
/// Belongs to the follow lane; after `init` no allocation, no lock. While the key is open each hop costs seven
/// frames and seven whole searches; while the music is followed with certainty nothing but the tuning's votes.
final class PitchSearch {
    /// Semitones to either side that are tried.
    static let reach = 3
    private static let keyCount = 2 * reach + 1

    /// How much higher the performance is in key than the reference.
    private(set) var transpositionSemitones = 0
    /// How much higher it is tuned than the nearest key at A = 440 Hz.
    private(set) var tuningCents = 0.0

    private let stage: SpectrumStage
    private let filter: ForwardFilter
    private let builders: [FrameBuilder]
    private let frame: UnsafeMutablePointer<Float>
    private let keys: KeySearch
    private var tuning: TuningEstimate
    private var isOpen = true
    private var isCertain = false
    /// The music is awaited at a place, as far as the searches were told.
    private var isAwaited = false
    private var certainHops = 0
    private var doubtfulHops = 0
    private var hops = 0
    private let framesPerSecond: Int

    init(stage: SpectrumStage, offsets: PitchOffsets, filter: ForwardFilter, features: FrameFeatures = .bands)
    {
        self.stage = stage
        self.filter = filter
        framesPerSecond = stage.parameters.framesPerSecond
        builders = (0..<Self.keyCount).map { key in
            FrameBuilder(
                stage: stage, library: offsets, pitchOffsetCents: Double(key - Self.reach) * 100,
                features: features)
        }
        keys = filter.makeKeySearch(keys: Self.keyCount, framesPerSecond: framesPerSecond)
        tuning = TuningEstimate(parameters: stage.parameters, halfLifeSeconds: 30)
        let dimensions = features.dimensions(stage.parameters)
        frame = .allocate(capacity: dimensions)
        frame.initialize(repeating: 0, count: dimensions)
    }

    deinit { frame.deallocate() }

    /// Opens the question again; what is known of the tuning stays.
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

    /// Somebody who knows says where the music is: the key that was found stays, and is compared there once more.
    func anchor(at frame: FrameIndex) {
        isOpen = true
        certainHops = 0
        filter.anchor(keys, at: frame)
    }

    /// The offset at which frames are to be made, in cents above A = 440 Hz.
    var offsetCents: Double { Double(transpositionSemitones) * 100 + tuningCents }

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
        for key in 0..<Self.keyCount {
            builders[key].retune(pitchOffsetCents: Double(key - Self.reach) * 100 + cents)
        }
        return true
    }

    /// Natural logarithm of the likelihood ratio, over some seconds, by which another key must win: where the
    /// present one does not follow, and where it seems to.
    private static let leadToChange = 12.0
    private static let leadToReplace = 30.0
    /// Certain for so long, the key is no longer asked for; doubtful for so long, it is again.
    private static let secondsToRest = 15
    private static let secondsToWake = 1

    /// Takes note of how certain the newest report was: who follows need not search for the key.
    func note(isCertain: Bool) {
        self.isCertain = isCertain
        certainHops = isCertain ? certainHops + 1 : 0
        doubtfulHops = isCertain ? 0 : doubtfulHops + 1
        if isOpen && certainHops > Self.secondsToRest * framesPerSecond {
            isOpen = false
        } else if !isOpen && doubtfulHops > Self.secondsToWake * framesPerSecond {
            filter.wake(keys)
            isOpen = true
        }
    }

    private func tryKeys(isQuiet: Bool, isDropout: Bool) -> Bool {
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
        filter.adopt(keys, key: best)
        return true
    }
}
