/// Limits how much each of many, such as addresses or users, may ask for: a burst after a pause, then so many units a
/// second. It is for what costs the server work before it can refuse it.
///
/// It has no clock: the caller supplies the time since any fixed moment. Whatever is above `mostKeys` is forgotten, the
/// longest silent first, and then has a full burst again.
public struct RateLimit<Key: Hashable & Sendable>: Sendable {
    private struct Use: Sendable {
        var units: Double
        var at: Duration
    }

    public let unitsPerSecond: Double
    /// The units that may be taken at once after a pause.
    public let burst: Double
    public let mostKeys: Int
    private var uses: [Key: Use] = [:]

    public init(unitsPerSecond: Int, burst: Int, mostKeys: Int = 4_096) {
        self.unitsPerSecond = Double(unitsPerSecond)
        self.burst = Double(max(burst, 1))
        self.mostKeys = mostKeys
    }

    /// Number of keys that are remembered.
    public var count: Int { uses.count }

    /// Takes units, if the rate allows it.
    /// - Returns: nil if they were taken; otherwise how long to wait, and nothing was taken.
    public mutating func take(_ units: Double = 1, of key: Key, at now: Duration) -> Duration? {
        forgetOldKeys(at: now)
        if let wait = wait(for: units, of: key, at: now) { return wait }
        uses[key] = Use(units: used(of: key, at: now) + units, at: max(now, uses[key]?.at ?? now))
        return nil
    }

    /// The time until these units may be taken; nil if they may be taken now.
    public func wait(for units: Double = 1, of key: Key, at now: Duration) -> Duration? {
        let over = used(of: key, at: now) + units - burst
        return over > 0 ? .seconds(over / unitsPerSecond) : nil
    }

    private func used(of key: Key, at now: Duration) -> Double {
        guard let use = uses[key] else { return 0 }
        return max(0, use.units - max(0, (now - use.at) / .seconds(1)) * unitsPerSecond)
    }

    private mutating func forgetOldKeys(at now: Duration) {
        guard uses.count >= mostKeys else { return }
        uses = uses.filter { $0.value.units > (now - $0.value.at) / .seconds(1) * unitsPerSecond }
        guard uses.count >= mostKeys else { return }
        let median = uses.values.map(\.at).sorted()[uses.count / 2]
        uses = uses.filter { $0.value.at > median }
    }
}

extension RateLimit {
    /// Takes units; false if the rate does not allow it.
    public mutating func admits(_ key: Key, units: Double = 1, at now: ContinuousClock.Instant) -> Bool {
        take(units, of: key, at: now.sinceStart) == nil
    }

    /// True if the next unit would be refused.
    public func isUsedUp(_ key: Key, at now: ContinuousClock.Instant) -> Bool {
        wait(of: key, at: now.sinceStart) != nil
    }
}

extension Duration {
    /// Rounded up (a thousandth more counts as none), for an answer that says how long to wait.
    public var wholeMilliseconds: Int64 { Int64((self / .milliseconds(1) - 0.001).rounded(.up)) }
}

private let start = ContinuousClock.now

extension ContinuousClock.Instant {
    fileprivate var sinceStart: Duration { start.duration(to: self) }
}
