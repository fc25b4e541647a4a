import MusicalTime

/// The key of the performance: what a search in several of them needs of the filter, and what it finds.
extension ForwardFilter {
    /// Makes a search in several keys on this reference; before the music starts.
    public func makeKeySearch(keys: Int, framesPerSecond: Int) -> KeySearch {
        KeySearch(
            keys: keys, beside: search, framesPerSecond: framesPerSecond, parameters: parameters)
    }

    /// Every key is possible again; the searches move in step with the filter's own.
    public func wake(_ keys: KeySearch) {
        let pooling = parameters.searchPooling
        keys.forget(skipping: (pooling - search.pooledFrames) % pooling)
    }

    /// True until the music has begun, where it is known at which place it will.
    public var isAwaited: Bool { awaited != nil }

    /// Tells a search in several keys where the music is awaited.
    public func tell(_ keys: KeySearch) { keys.expect(awaited) }

    /// Believes in a place in every key.
    public func anchor(_ keys: KeySearch, at frame: FrameIndex) {
        keys.believe(in: min(max(frame.value, 0), frameCount - 1), tempo: 1)
    }

    /// How far from the position the music may have come in a key that was not heard.
    private static let behindFrames = 100
    private static let aheadFrames = 400

    /// Goes on in a key: frames come in that key from now on, and what its search believes is taken over.
    public func adopt(_ keys: KeySearch, key: Int) {
        search.take(over: keys.searches[key])
        trial = nil
        hops = 0
        movingFrames = 0
        // It has been played for seconds in a key that was not heard: here, or else anywhere.
        let here = awaited ?? main.peak
        let near = search.heaviest(
            in: max(here - Self.behindFrames, 0)..<min(here + Self.aheadFrames, frameCount))
        if near.mass > 0.2 {
            if let awaited, near.frame < awaited + 50 {
                main.wait(at: awaited)
            } else if abs(near.frame - main.peak) > 25 {
                main.start(at: near.frame, spreadFrames: 25, tempo: near.tempo)
                hasLeapt = awaited == nil
                // Half believed to have begun: what follows decides.
                movingFrames = parameters.startFrames / 2
            }
        } else if let awaited {
            main.wait(at: awaited)
        } else {
            let found = search.heaviest(in: 0..<frameCount)
            guard found.mass > 0.5 else { return }
            main.start(at: found.frame, spreadFrames: 25, tempo: found.tempo)
            hasLeapt = true
        }
    }
}
