/// What the filter believes, for a picture of it.
extension ForwardFilter {
    /// Adds the probability that the music is in each of equal stretches of the reference, by all frames so far.
    ///
    /// Two filters make it up: the search, coarse and over everything, and the window, fine and around the
    /// position. What the search has outside the window stays where it is; all the rest is the window's, laid out
    /// as the window has it:
    ///
    ///     p(stretch) = s(stretch), where outside the window, + (1 - Σ s outside) · w(stretch)
    ///
    /// So a ridge beside the position is a place the search believes in, and the ridge at the position pales as
    /// it does. The window of a rival on trial is not shown. `s` and `w` sum to one at most, so the sum of what is
    /// added is one at most. Before the search has heard anything all belief is the window's.
    ///
    /// Each frame's share is split between the two stretches whose middles are nearest, so that a steady advance
    /// is a smooth ridge and no staircase.
    ///
    /// Not for the follow lane.
    /// - Parameter sums: one for each stretch, the reference's first frame in the first.
    /// - Complexity: O(frames of the window + frames of the reference / pooling).
    public func addThought(to sums: inout [Float]) {
        guard !sums.isEmpty else { return }
        let scale = Float(sums.count) / Float(frameCount)
        let window = main.base..<min(main.base + parameters.windowFrames, frameCount)
        let pooling = parameters.searchPooling
        var outside: Float = 0
        for first in stride(from: 0, to: frameCount - pooling + 1, by: pooling)
        where !window.contains(first + pooling / 2) {
            let mass = Float(search.mass(around: first, reachFrames: 0))
            outside += mass
            sums.spread(mass, at: (Float(first) + Float(pooling) / 2) * scale)
        }
        let share = max(1 - outside, 0)
        for frame in window {
            sums.spread(share * Float(main.mass(from: frame, to: frame)), at: (Float(frame) + 0.5) * scale)
        }
    }
}

extension [Float] {
    /// Adds a value to the two bins whose middles are nearest; beyond the outermost middles to one.
    fileprivate mutating func spread(_ value: Float, at place: Float) {
        let low = Int((place - 0.5).rounded(.down))
        let share = place - 0.5 - Float(low)
        self[Swift.min(Swift.max(low, 0), count - 1)] += value * (1 - share)
        self[Swift.min(Swift.max(low + 1, 0), count - 1)] += value * share
    }
}
