/// Follows the same music in several keys at once, until one key explains it.
///
/// A performance may sound up to some semitones higher or lower than the reference. Which, is decided by
/// following: every key has a window of its own, and the likelihoods are compared.
/// Belongs to one thread; after `init` no allocation, no lock. Cost: one window a key and frame.
public final class PitchTrial {
    /// For each key, frames in which the music moved on and fitted, less those in which it did not.
    private var followedFrames: [Int]
    var windows: [WindowFilter]
    private let live: UnsafeMutablePointer<Float>
    private let parameters: FilterParameters
    private let dimensions: Int

    init(
        keys: Int, references: [ReferenceTiles], parameters: FilterParameters, dimensions: Int
    ) {
        windows = (0..<keys).map { _ in WindowFilter(references: references, parameters: parameters) }
        followedFrames = Array(repeating: 0, count: keys)
        self.parameters = parameters
        self.dimensions = dimensions
        live = zeroedFloats(dimensions)
    }

    deinit { live.deallocate() }

    /// Natural logarithm of the likelihood of what was heard, in one key.
    public func logLikelihood(of key: Int) -> Double { windows[key].logLikelihood }

    /// For how many frames one key has followed, less those in which it has not.
    public func followedFrames(of key: Int) -> Int { followedFrames[key] }

    func begin(at frame: Int) {
        for window in windows { window.wait(at: frame) }
        for key in followedFrames.indices { followedFrames[key] = 0 }
    }

    /// - Parameters:
    ///   - noise: similarity at which noise is as likely as music.
    ///   - fitting: similarity from which the sound counts as this music.
    func advance(_ key: Int, _ frame: LiveFrame, noise: Float, fitting: Float) {
        parameters.weigh(frame.values, dimensions: dimensions, into: live)
        windows[key].advance(live, noise: noise, isDropout: frame.isDropout)
        let follows =
            !frame.isQuiet && !frame.isDropout && windows[key].standingShare < 0.5
            && windows[key].similarityAtPeak > fitting
        followedFrames[key] = max(followedFrames[key] + (follows ? 1 : -1), 0)
    }

    func exchange(_ key: Int, with window: inout WindowFilter) { swap(&windows[key], &window) }
}
