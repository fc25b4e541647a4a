/// Follows the same music in several keys at once, until one key explains it.
///
/// A performance may sound up to some semitones higher or lower than the reference. Which, is decided by
/// following: every key has a window of its own, and the likelihoods are compared.
/// Belongs to one thread; after `init` no allocation, no lock. Cost: one window a key and frame.
public final class PitchTrial {
    /// Frames in which music was heard.
    public private(set) var heardFrames = 0
    var windows: [WindowFilter]
    private let live: UnsafeMutablePointer<Float>
    private let parameters: FilterParameters
    private let dimensions: Int

    init(
        keys: Int, references: [ReferenceTiles], parameters: FilterParameters, dimensions: Int
    ) {
        windows = (0..<keys).map { _ in WindowFilter(references: references, parameters: parameters) }
        self.parameters = parameters
        self.dimensions = dimensions
        live = zeroedFloats(dimensions)
    }

    deinit { live.deallocate() }

    /// Natural logarithm of the likelihood of what was heard, in one key.
    public func logLikelihood(of key: Int) -> Double { windows[key].logLikelihood }

    /// Share of the mass that stands still, in one key.
    public func standingShare(of key: Int) -> Double { windows[key].standingShare }

    func begin(at frame: Int) {
        for window in windows { window.wait(at: frame) }
        heardFrames = 0
    }

    func advance(_ key: Int, _ frame: LiveFrame, noise: Float) {
        parameters.weigh(frame.values, dimensions: dimensions, into: live)
        windows[key].advance(live, noise: noise, isDropout: frame.isDropout)
    }

    /// Counts a hop in which music was heard, or not.
    public func countFrame(isHeard: Bool) { if isHeard { heardFrames += 1 } }

    func exchange(_ key: Int, with window: inout WindowFilter) { swap(&windows[key], &window) }
}
