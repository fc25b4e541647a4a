import Alignment
import Features
import MusicalTime

/// Finds the pitch of a performance: its tuning from the spectrum, its key by searching the piece in seven keys.
///
/// Belongs to the real-time following thread; after `init` no allocation, no lock. While the key is undecided, each hop
/// costs seven frames and seven whole searches. While the music is followed with certainty, it costs only the votes for
/// the tuning.
final class PitchSearch {
    /// The number of semitones above and below the reference's key that are tried.
    static let reach = 3
    private static let keyCount = 2 * reach + 1

    /// Semitones by which the performance's key is higher than the reference's.
    private(set) var transpositionSemitones = 0
    /// Cents by which the performance is tuned higher than the nearest key at A = 440 Hz.
    private(set) var tuningCents = 0.0

    private let analyser: SpectrumAnalyser
    private let filter: ForwardFilter
    private let builders: [FrameBuilder]
    private let frame: UnsafeMutablePointer<Float>
    private let keys: MusicalKeySearch
    private var tuning: TuningEstimate
    private var isComparingKeys = true
    private var isCertain = false
    /// True if, when the searches were last told, the music was awaited at a known place.
    private var isAwaitingStart = false
    private var certainHops = 0
    private var doubtfulHops = 0
    private var hops = 0
    private let framesPerSecond: Int

    init(
        analyser: SpectrumAnalyser, offsets: PitchOffsetFilters, filter: ForwardFilter,
        features: FrameFeatures = .bands
    ) {
        self.analyser = analyser
        self.filter = filter
        framesPerSecond = analyser.parameters.framesPerSecond
        builders = (0..<Self.keyCount).map { key in
            FrameBuilder(
                analyser: analyser, library: offsets, pitchOffsetCents: Double(key - Self.reach) * 100,
                features: features)
        }
        keys = filter.makeMusicalKeySearch(keys: Self.keyCount, framesPerSecond: framesPerSecond)
        tuning = TuningEstimate(parameters: analyser.parameters, halfLifeSeconds: 30)
        let dimensions = features.dimensions(analyser.parameters)
        frame = .allocate(capacity: dimensions)
        frame.initialize(repeating: 0, count: dimensions)
    }

    deinit { frame.deallocate() }

    /// Makes every key possible again; the tuning found so far stays.
    func begin() {
        isComparingKeys = true
        isCertain = false
        certainHops = 0
        doubtfulHops = 0
        transpositionSemitones = 0
        keys.reset()
        filter.passAwaitedFrame(keys)
        isAwaitingStart = filter.isAwaitingStart
    }

    /// Compares all keys once more at the position that an operator has given; the key found so far stays until another
    /// one wins.
    func anchor(at frame: FrameIndex) {
        isComparingKeys = true
        certainHops = 0
        filter.anchor(keys, at: frame)
    }

    /// The pitch offset at which frames must be made, in cents relative to A = 440 Hz.
    var offsetCents: Double { Double(transpositionSemitones) * 100 + tuningCents }

    /// Updates tuning and key from the analyser's newest hop.
    /// - Returns: true if ``offsetCents`` has changed.
    func hear(isQuiet: Bool, isDropout: Bool) -> Bool {
        var changed = false
        if !isQuiet { tuning.vote(analyser) }
        hops += 1
        if hops % (framesPerSecond / 2) == 0 { changed = retune() }
        if isComparingKeys && compareKeys(isQuiet: isQuiet, isDropout: isDropout) { changed = true }
        return changed
    }

    /// The total weight of votes that is needed to know the tuning: about a second of music.
    private static let votesNeeded = 100.0
    /// The agreement of the votes below which the sound counts as having no tuning.
    private static let agreementNeeded = 0.15
    /// The change of tuning in cents below which the present tuning is kept.
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

    /// The lead by which another key must win while the present key is not followed with certainty: the natural
    /// logarithm of the likelihood ratio over some seconds. `leadToReplace` is the lead it needs otherwise.
    private static let leadToChange = 12.0
    private static let leadToReplace = 30.0
    /// The seconds of certainty after which the keys are no longer compared. After `secondsToWake` of doubt they are
    /// compared again.
    private static let certainSecondsToRest = 15
    private static let secondsToWake = 1

    /// Notes whether the newest report was certain, because a follower that is certain need not search for the key.
    func note(isCertain: Bool) {
        self.isCertain = isCertain
        certainHops = isCertain ? certainHops + 1 : 0
        doubtfulHops = isCertain ? 0 : doubtfulHops + 1
        if isComparingKeys && certainHops > Self.certainSecondsToRest * framesPerSecond {
            isComparingKeys = false
        } else if !isComparingKeys && doubtfulHops > Self.secondsToWake * framesPerSecond {
            filter.restartKeySearch(keys)
            isComparingKeys = true
        }
    }

    private func compareKeys(isQuiet: Bool, isDropout: Bool) -> Bool {
        if isAwaitingStart != filter.isAwaitingStart {
            isAwaitingStart = filter.isAwaitingStart
            filter.passAwaitedFrame(keys)
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
