import RealModule

/// Searches the whole reference in several keys at once: which key explains the sound, wherever in the piece it is.
///
/// A performance may sound some semitones higher or lower than the reference. Every key has a ``WholeSearch`` of
/// its own; the likelihoods of what they heard in the last seconds are compared. No key is decided for ever: an
/// orchestra that tunes before the concert is forgotten some seconds after the music has begun.
///
/// Belongs to one thread; after `init` no allocation, no lock. Cost: one whole search a key and pooled frame. The
/// searches take turns in the frames between two pooled ones, so that no frame has to bear them all.
public final class KeySearch {
    /// Seconds after which the evidence of a frame counts 1/e.
    private static let memorySeconds = 4.0

    let searches: [WholeSearch]
    /// For each key, the natural logarithm of the likelihood of what was heard of late.
    private var evidence: [Double]
    /// What the keys that have moved make of the newest pooled frame; counts when all of them have.
    private var newest: [Double]
    private var isWaiting: [Bool]
    private var framesToSkip = 0
    private let fade: Double
    private let live: UnsafeMutablePointer<Float>
    private let parameters: FilterParameters
    private let dimensions: Int

    /// - Parameter search: of the same reference, whose pooled frames and scratch memory these use too.
    init(keys: Int, beside search: WholeSearch, framesPerSecond: Int, parameters: FilterParameters) {
        let pooled = search.tiles
        searches = (0..<keys).map { _ in
            WholeSearch(pooled: pooled, parameters: parameters, scratch: search.scratch)
        }
        evidence = Array(repeating: 0, count: keys)
        newest = Array(repeating: 0, count: keys)
        isWaiting = Array(repeating: false, count: keys)
        fade = Double.exp(
            -Double(parameters.searchPooling) / (Double(framesPerSecond) * Self.memorySeconds))
        self.parameters = parameters
        dimensions = pooled.dimensions
        live = zeroedFloats(dimensions)
    }

    deinit { live.deallocate() }

    /// Every key and every place is possible again.
    public func forget() { forget(skipping: 0) }

    /// The same, and hears nothing for so many frames.
    func forget(skipping frames: Int) {
        framesToSkip = frames
        for key in searches.indices {
            searches[key].forget()
            evidence[key] = 0
            isWaiting[key] = false
        }
    }

    /// The music is expected to begin at a frame any moment; nil: it has begun, or nobody knows where it will.
    func expect(_ frame: Int?) {
        for search in searches { search.expect(frame) }
    }

    /// Every key is possible, and the music is there now.
    func believe(in frame: Int, tempo: Float) {
        for key in searches.indices {
            searches[key].believe(in: frame, tempo: tempo)
            evidence[key] = 0
            isWaiting[key] = false
        }
    }

    /// Takes a live frame in one key; once a frame for each key, in their order.
    public func advance(_ key: Int, _ frame: LiveFrame) {
        let isLast = key == searches.count - 1
        guard framesToSkip == 0 else {
            if isLast { framesToSkip -= 1 }
            return
        }
        let search = searches[key]
        parameters.weigh(frame.values, dimensions: dimensions, into: live)
        if search.gather(live, isDropout: frame.isDropout) { isWaiting[key] = true }
        if isWaiting[key] && search.pooledFrames == turn(of: key) {
            search.move()
            newest[key] = Double(search.stepLogLikelihood)
            isWaiting[key] = false
            // The last turn is the last key's or, where there are fewer frames than keys, an earlier one's.
            if isWaiting.allSatisfy({ !$0 }) { count() }
        }
    }

    /// Live frames behind the pooled one after which a key moves: evenly spread, none beside the filter's own search.
    private func turn(of key: Int) -> Int {
        let turns = parameters.searchPooling - 1
        return turns > 0 ? 1 + key % turns : 0
    }

    private func count() {
        for key in evidence.indices { evidence[key] = evidence[key] * fade + newest[key] }
    }

    /// The key that explains best what was heard of late.
    public var best: Int {
        var best = 0
        for key in 1..<evidence.count where evidence[key] > evidence[best] { best = key }
        return best
    }

    /// By how much the best key explains the last seconds better than another: the logarithm of a likelihood ratio.
    public func lead(over key: Int) -> Double { evidence[best] - evidence[key] }
}
