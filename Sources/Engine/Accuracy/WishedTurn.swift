/// A page turn as the player wished it: the page's true end, less the time the player reads ahead.
public struct WishedTurn: Hashable, Sendable {
    /// The page turned to.
    public var page: Int
    /// Live seconds.
    public var seconds: Double
    /// Live seconds at which the music comes to the page, and at which it leaves it again.
    public var played: Range<Double>
    /// Printed number of the last measure before the turn.
    public var measure: Int

    /// - Parameters:
    ///   - page: of a printed measure.
    ///   - leadSeconds: how long before the end, by how many seconds the last measure before it truly lasts.
    /// - Returns: in time order; none where the music stays on its page. Where the music stops before a page's end
    ///   (a hold), the end is where it stops.
    public static func all(
        in truth: Truth, page: (Int) -> Int, leadSeconds: (Double) -> Double
    ) -> [WishedTurn] {
        var wishes: [WishedTurn] = []
        for row in truth.measures.indices.dropFirst() {
            let before = Int(truth.measures[row - 1])
            let next = page(Int(truth.measures[row]))
            guard next != page(before) else { continue }
            let onset = truth.onsets[row]
            let hold = truth.holds.first { $0.start < onset && $0.end >= onset - 1e-3 }
            let end = max(hold?.start ?? onset, truth.onsets[row - 1])
            if let last = wishes.indices.last {
                wishes[last].played = wishes[last].played.lowerBound..<onset
            }
            wishes.append(
                WishedTurn(
                    page: next, seconds: end - leadSeconds(end - truth.onsets[row - 1]),
                    played: onset..<max(truth.end, onset), measure: before))
        }
        return wishes
    }
}

/// A page turn as a stand made it.
public struct MadeTurn: Hashable, Sendable {
    public var page: Int
    /// Live seconds.
    public var seconds: Double

    public init(page: Int, seconds: Double) {
        self.page = page
        self.seconds = seconds
    }
}
