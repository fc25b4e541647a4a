import RealModule

/// Searches the whole reference in several keys at once, for the key that explains the sound wherever it is.
///
/// A performance may sound some semitones higher or lower than the reference. Each key has its own
/// ``WholeReferenceSearch``; the likelihoods of the last seconds are compared. The choice is never final: what a
/// tuning orchestra suggested is forgotten some seconds after the music has begun.
///
/// Belongs to one thread; after `init` no allocation, no lock. Cost: one step of a whole search per key and pooled
/// frame. The searches take turns in the frames between two pooled ones, so that no frame carries all the work.
public final class MusicalKeySearch {
    /// Seconds after which the evidence of a frame counts 1/e.
    private static let memorySeconds = 4.0

    let searches: [WholeReferenceSearch]
    /// Per key: the natural logarithm of the likelihood of the last seconds, fading.
    private var evidence: [Double]
    /// Per key: the log likelihood of the newest pooled frame. It counts once all keys have moved.
    private var newest: [Double]
    private var isWaiting: [Bool]
    private var framesToSkip = 0
    private let fade: Double
    private let live: UnsafeMutablePointer<Float>
    private let parameters: FilterParameters
    private let dimensions: Int

    /// - Parameter search: a search of the same reference; its pooled frames and its scratch memory are shared.
    init(keys: Int, beside search: WholeReferenceSearch, framesPerSecond: Int, parameters: FilterParameters) {
        let pooled = search.tiles
        searches = (0..<keys).map { _ in
            WholeReferenceSearch(pooled: pooled, parameters: parameters, scratch: search.scratch)
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

    /// Makes every key and every place possible again.
    public func forget() { forget(skipping: 0) }

    /// Makes every key and every place possible again, and ignores the next `frames` frames.
    func forget(skipping frames: Int) {
        framesToSkip = frames
        for key in searches.indices {
            searches[key].forget()
            evidence[key] = 0
            isWaiting[key] = false
        }
    }

    /// Sets the frame at which the music may begin at any moment; nil if it has begun or the place is unknown.
    func expect(_ frame: Int?) {
        for search in searches { search.expect(frame) }
    }

    /// Makes every key possible, with the music at this frame now.
    func concentrate(in frame: Int, tempo: Float) {
        for key in searches.indices {
            searches[key].concentrate(in: frame, tempo: tempo)
            evidence[key] = 0
            isWaiting[key] = false
        }
    }

    /// Takes a live frame made in one key. Call it once per frame for each key, in the order of the keys.
    public func advance(_ key: Int, _ frame: LiveFrame) {
        let isLast = key == searches.count - 1
        guard framesToSkip == 0 else {
            if isLast { framesToSkip -= 1 }
            return
        }
        let search = searches[key]
        parameters.weigh(frame.values, dimensions: dimensions, into: live)
        if search.poolFrame(live, isDropout: frame.isDropout) { isWaiting[key] = true }
        if isWaiting[key] && search.pooledFrames == turn(of: key) {
            search.move()
            newest[key] = Double(search.stepLogLikelihood)
            isWaiting[key] = false
            // The last turn belongs to the last key or, with fewer frames than keys, to an earlier one.
            if isWaiting.allSatisfy({ !$0 }) { count() }
        }
    }

    /// Live frames after a pooled one at which a key moves: evenly spread, and never in the frame of the filter's
    /// own search.
    private func turn(of key: Int) -> Int {
        let turns = parameters.searchPooling - 1
        return turns > 0 ? 1 + key % turns : 0
    }

    private func count() {
        for key in evidence.indices { evidence[key] = evidence[key] * fade + newest[key] }
    }

    /// The key that best explains the last seconds.
    public var best: Int {
        var best = 0
        for key in 1..<evidence.count where evidence[key] > evidence[best] { best = key }
        return best
    }

    /// Natural logarithm of the likelihood ratio between the best key and another one, over the last seconds.
    public func lead(over key: Int) -> Double { evidence[best] - evidence[key] }
}
