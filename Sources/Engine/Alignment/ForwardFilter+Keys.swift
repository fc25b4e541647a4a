import MusicalTime

/// Connects the filter with a search in several keys.
extension ForwardFilter {
    /// Makes a search in several keys on this reference. Call it before the music starts.
    public func makeMusicalKeySearch(keys: Int, framesPerSecond: Int) -> MusicalKeySearch {
        MusicalKeySearch(
            keys: keys, beside: search, framesPerSecond: framesPerSecond, parameters: parameters)
    }

    /// Makes every key possible again and brings the searches into step with the filter's own search.
    public func wake(_ keys: MusicalKeySearch) {
        let pooling = parameters.searchPooling
        keys.forget(skipping: (pooling - search.pooledFrames) % pooling)
    }

    /// True if it is known where the music will begin, and it has not begun yet.
    public var isAwaited: Bool { awaited != nil }

    /// Passes the place at which the music is awaited to a search in several keys.
    public func tell(_ keys: MusicalKeySearch) { keys.expect(awaited) }

    /// Sets the searches in all keys to a place.
    public func anchor(_ keys: MusicalKeySearch, at frame: FrameIndex) {
        keys.concentrate(in: min(max(frame.value, 0), frameCount - 1), tempo: 1)
    }

    /// Distance from the position, in frames, that the music may have covered in a key that was not recognised.
    private static let behindFrames = 100
    private static let aheadFrames = 400

    /// Changes to a key: the frames from now on are made in it, and the filter takes over its search's
    /// probabilities.
    public func continueInKey(_ keys: MusicalKeySearch, key: Int) {
        search.take(over: keys.searches[key])
        trial = nil
        hops = 0
        movingFrames = 0
        // The music has sounded for seconds in a key that was not recognised. Look near the position first, then
        // anywhere.
        let here = awaited ?? main.peak
        let near = search.mostProbablePlace(
            in: max(here - Self.behindFrames, 0)..<min(here + Self.aheadFrames, frameCount))
        if near.mass > 0.2 {
            if let awaited, near.frame < awaited + 50 {
                main.wait(at: awaited)
            } else if abs(near.frame - main.peak) > 25 {
                main.start(at: near.frame, spreadFrames: 25, tempo: near.tempo)
                hasLeapt = awaited == nil
                // The music counts as half begun: the next frames decide.
                movingFrames = parameters.startFrames / 2
            }
        } else if let awaited {
            main.wait(at: awaited)
        } else {
            let found = search.mostProbablePlace(in: 0..<frameCount)
            guard found.mass > 0.5 else { return }
            main.start(at: found.frame, spreadFrames: 25, tempo: found.tempo)
            hasLeapt = true
        }
    }
}
