/// A page turn as the player wished it: at the true end of the page, minus the time the player reads ahead.
public struct WishedPageTurn: Hashable, Sendable {
    /// Index of the page turned to.
    public var targetPage: Int
    /// The time at which the player wishes the turn, in seconds of the live recording.
    public var wishedAtSeconds: Double
    /// The interval in which the page is being played, in seconds of the live recording.
    public var pagePlayingInterval: Range<Double>
    /// Printed number of the last measure before the turn.
    public var lastMeasureBeforeTurn: Int

    /// Returns all turns that the player wishes.
    /// - Parameters:
    ///   - page: returns the page of a printed measure.
    ///   - leadSeconds: returns how long before the page's end the turn is wished, given the true duration in seconds
    ///     of the last measure before it.
    /// - Returns: the turns in time order; empty if the music stays on its page. If a hold begins before the page's
    ///   end, the page ends with the start of the hold.
    public static func allWishedTurns(
        in truth: GroundTruth, page: (Int) -> Int, leadSeconds: (Double) -> Double
    ) -> [WishedPageTurn] {
        var wishes: [WishedPageTurn] = []
        for row in truth.measureNumbers.indices.dropFirst() {
            let before = Int(truth.measureNumbers[row - 1])
            let next = page(Int(truth.measureNumbers[row]))
            guard next != page(before) else { continue }
            let onset = truth.measureOnsets[row]
            let hold = truth.unplayedIntervals.first { $0.start < onset && $0.end >= onset - 1e-3 }
            let end = max(hold?.start ?? onset, truth.measureOnsets[row - 1])
            if let last = wishes.indices.last {
                wishes[last].pagePlayingInterval = wishes[last].pagePlayingInterval.lowerBound..<onset
            }
            wishes.append(
                WishedPageTurn(
                    targetPage: next, wishedAtSeconds: end - leadSeconds(end - truth.measureOnsets[row - 1]),
                    pagePlayingInterval: onset..<max(truth.endSeconds, onset), lastMeasureBeforeTurn: before))
        }
        return wishes
    }
}

/// A page turn as a music stand made it.
public struct ActualPageTurn: Hashable, Sendable {
    public var page: Int
    /// The moment of the turn in seconds of the live recording.
    public var seconds: Double

    public init(page: Int, seconds: Double) {
        self.page = page
        self.seconds = seconds
    }
}
