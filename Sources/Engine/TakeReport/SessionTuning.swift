import RealModule

/// One playing of a bar, with what was heard of its tuning.
public struct HeardBar: Equatable, Sendable {
    /// The movement of the score, and the bar in playing order.
    public var movement: Int
    public var played: Int
    public var printed: Int
    /// Seconds since the session began.
    public var seconds: Double
    public var votes: TuningVotes
    /// True if the alignment does not say for certain where the bar is.
    public var isDoubtful: Bool

    public init(
        movement: Int, played: Int, printed: Int, seconds: Double, votes: TuningVotes,
        isDoubtful: Bool = false
    ) {
        (self.movement, self.played, self.printed) = (movement, played, printed)
        (self.seconds, self.votes, self.isDoubtful) = (seconds, votes, isDoubtful)
    }
}

/// Why the tuning of a bar cannot be judged.
public enum TuningDoubt: String, Equatable, Sendable, CaseIterable {
    /// The bar is shorter than a window, or nothing sounded in it.
    case tooShort
    /// The sound has no common tuning: noise, speech, drums, or dense sound.
    case noTuning
    /// It is not certain where the bar is in the recording.
    case unalignedBar
}

/// The tuning of an ensemble over a session, by bar and over time.
public struct SessionTuning: Equatable, Sendable {
    /// The tuning of one bar of the session.
    public struct Bar: Equatable, Sendable {
        public var movement: Int
        public var played: Int
        public var printed: Int
        /// The playings that could be judged.
        public var playings: Int
        /// Cents above A = 440 Hz; nil if it cannot be judged.
        public var cents: Double?
        /// Half of the votes are within so many cents of it.
        public var spread: Double?
        /// The difference from the neighbouring bars, in cents, if it stands out; otherwise nil.
        public var standsOutBy: Double?
        public var doubt: TuningDoubt?
    }

    /// The tuning at one time of the session.
    public struct Point: Equatable, Sendable {
        /// Seconds since the session began.
        public var seconds: Double
        public var cents: Double
    }

    public var bars: [Bar] = []
    /// The tuning of each judged playing in the order of time, without steps of a whole semitone.
    public var points: [Point] = []
    /// The median of all points; nil if nothing could be judged.
    public var medianCents: Double?
    /// The rise of the tuning from the first to the last point, by the straight line through the points, in cents.
    public var driftCents: Double?

    /// A bar stands out if it differs from its neighbours by more than this, in cents, and by four times what they
    /// usually differ.
    public static let leastStandingOut = 8.0
    /// The bars on either side with which a bar is compared.
    private static let neighbours = 6
    private static let fewestPointsOfDrift = 8

    /// - Complexity: O(playings × 200) + O(points²) for the first 400 points of the drift.
    public init(_ heard: [HeardBar]) {
        let judged = heard.sorted { $0.seconds < $1.seconds }
        var recent: [Double] = []
        var centsByBar: [BarKey: [Double]] = [:]
        for playing in judged where !playing.isDoubtful {
            guard let tuning = playing.votes.tuning else { continue }
            // Half a semitone up and half a semitone down are the same votes; the nearest to what came before is meant.
            var cents = tuning.cents
            if let before = Self.median(recent) { cents += 100 * ((before - cents) / 100).rounded() }
            recent.append(cents)
            if recent.count > 7 { recent.removeFirst() }
            points.append(Point(seconds: playing.seconds, cents: cents))
            centsByBar[BarKey(playing), default: []].append(cents)
        }
        medianCents = Self.median(points.map { $0.cents })
        driftCents = Self.drift(points)
        let playings = Dictionary(grouping: judged, by: BarKey.init)
        bars = playings.keys.sorted().map { key in
            Self.bar(key, playings[key] ?? [], cents: centsByBar[key] ?? [])
        }
        markStandingOut()
    }

    private struct BarKey: Hashable, Comparable {
        var movement: Int
        var played: Int

        init(_ bar: HeardBar) { (movement, played) = (bar.movement, bar.played) }

        static func < (one: BarKey, other: BarKey) -> Bool {
            (one.movement, one.played) < (other.movement, other.played)
        }
    }

    private static func bar(_ key: BarKey, _ playings: [HeardBar], cents: [Double]) -> Bar {
        let certain = playings.filter { !$0.isDoubtful }
        let spreads = certain.compactMap { $0.votes.tuning?.spread }
        var doubt: TuningDoubt?
        if cents.isEmpty {
            doubt =
                certain.isEmpty
                ? .unalignedBar : certain.allSatisfy { $0.votes.windowCount == 0 } ? .tooShort : .noTuning
        }
        return Bar(
            movement: key.movement, played: key.played, printed: playings.first?.printed ?? 0,
            playings: cents.count, cents: median(cents), spread: median(spreads), standsOutBy: nil,
            doubt: doubt)
    }

    private mutating func markStandingOut() {
        var differences: [Int: Double] = [:]
        for index in bars.indices {
            guard let cents = bars[index].cents else { continue }
            let near = (max(0, index - Self.neighbours)...min(bars.count - 1, index + Self.neighbours))
                .filter { $0 != index && bars[$0].movement == bars[index].movement }
                .compactMap { bars[$0].cents }
            guard near.count >= 4, let usual = Self.median(near) else { continue }
            differences[index] = cents - usual
        }
        let usual = Self.median(differences.values.map(abs)) ?? 0
        for (index, difference) in differences
        where abs(difference) >= max(Self.leastStandingOut, 4 * usual) {
            bars[index].standsOutBy = difference
        }
    }

    /// The rise from the first to the last point by the median of the slopes between all pairs of points, so that a few
    /// wrong ones do not bend it.
    private static func drift(_ points: [Point]) -> Double? {
        guard points.count >= fewestPointsOfDrift, let first = points.first, let last = points.last,
            last.seconds > first.seconds
        else { return nil }
        let step = max(points.count / 400, 1)
        let some = stride(from: 0, to: points.count, by: step).map { points[$0] }
        var slopes: [Double] = []
        for (index, one) in some.enumerated() {
            for other in some[(index + 1)...] where other.seconds > one.seconds {
                slopes.append((other.cents - one.cents) / (other.seconds - one.seconds))
            }
        }
        return median(slopes).map { $0 * (last.seconds - first.seconds) }
    }

    static func median(_ values: [Double]) -> Double? {
        guard !values.isEmpty else { return nil }
        let sorted = values.sorted()
        return (sorted[(sorted.count - 1) / 2] + sorted[sorted.count / 2]) / 2
    }
}
