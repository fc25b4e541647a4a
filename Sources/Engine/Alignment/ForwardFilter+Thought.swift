/// Exports the filter's probabilities for charts.
extension ForwardFilter {
    /// Divides the reference into equal stretches and adds to each the probability that the music is in it, given all
    /// frames so far.
    ///
    /// Two filters contribute: the search, coarse and over the whole reference, and the window, fine and around the
    /// position. Outside the window the search's probability is taken as it is; the rest is distributed as in the
    /// window:
    ///
    ///     p(stretch) = s(stretch) outside the window + (1 - Σ s outside) · w(stretch)
    ///
    /// In a chart, a ridge away from the position is therefore a place that the search considers likely, and the ridge
    /// at the position is paler by the same amount. The window of a rival on trial is not shown. `s` and `w` each sum
    /// to at most one, and so do the probabilities that are added. Before the search has heard anything, only the
    /// window contributes.
    ///
    /// Each frame's share is split between the two stretches with the nearest centres, so that a steady tempo gives a
    /// smooth ridge and not a staircase.
    ///
    /// Do not call this on the real-time following thread.
    /// - Parameter sums: one value per stretch, in the order of the reference.
    /// - Complexity: O(frames of the window + frames of the reference / pooling).
    public func addProbabilities(to sums: inout [Float]) {
        guard !sums.isEmpty else { return }
        let scale = Float(sums.count) / Float(referenceFrameCount)
        let window =
            mainWindow
            .windowStart..<min(mainWindow.windowStart + parameters.windowFrames, referenceFrameCount)
        let pooling = parameters.framesPerPooledFrame
        var outside: Float = 0
        for first in stride(from: 0, to: referenceFrameCount - pooling + 1, by: pooling)
        where !window.contains(first + pooling / 2) {
            let mass = Float(wholeReferenceSearch.probability(around: first, reachFrames: 0))
            outside += mass
            sums.spread(mass, at: (Float(first) + Float(pooling) / 2) * scale)
        }
        let share = max(1 - outside, 0)
        for frame in window {
            sums.spread(
                share * Float(mainWindow.probability(from: frame, to: frame)),
                at: (Float(frame) + 0.5) * scale)
        }
    }
}

extension [Float] {
    /// Adds a value to the two bins with the nearest centres, or to one bin beyond the outermost centres.
    fileprivate mutating func spread(_ value: Float, at place: Float) {
        let low = Int((place - 0.5).rounded(.down))
        let share = place - 0.5 - Float(low)
        self[Swift.min(Swift.max(low, 0), count - 1)] += value * (1 - share)
        self[Swift.min(Swift.max(low + 1, 0), count - 1)] += value * share
    }
}
