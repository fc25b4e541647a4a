/// The people who wait until their passphrase can be checked, in the order of their arrival.
///
/// Nobody keeps a request open while waiting: the answer says when to ask again, and whoever asks again is known by
/// name and network. Networks do not wait for each other, so that a stranger's crowd keeps nobody else out.
struct SignInQueue: Sendable {
    /// Somebody who waits: an account's name as it was written, and the network.
    struct Waiter: Hashable, Sendable {
        var network: String
        var account: String
    }

    struct Answer: Equatable, Sendable {
        /// 1 for whoever is next of all networks.
        var number: Int
        var askAgain: Duration
    }

    private struct Entry: Sendable {
        var arrival: UInt64
        var lastAsked: ContinuousClock.Instant
        var mayAsk: ContinuousClock.Instant
    }

    static let most = 2_000
    static let mostOfNetwork = 160
    /// Whoever has not asked again for this long has gone.
    static let forgottenAfter = Duration.seconds(5)
    /// The first so many of a network may take a place that becomes free; as many as may be checked of one address.
    static let front = SignInService.passwordCheckLimits.perAddress
    /// About the time of one check, by which the others are told when to ask again.
    static let timeOfCheck = Duration.milliseconds(90)
    static let shortestWait = Duration.milliseconds(250)
    static let longestWait = Duration.milliseconds(1_500)
    /// Clocks of pages are not exact.
    private static let tolerance = Duration.milliseconds(100)

    private var entries: [Waiter: Entry] = [:]
    private var arrivals: UInt64 = 0

    /// True if somebody may take a place now: the first ones of a network who wait, or anybody where nobody waits.
    mutating func isAtFront(_ waiter: Waiter, at now: ContinuousClock.Instant) -> Bool {
        entries = entries.filter { now - $0.value.lastAsked < Self.forgottenAfter }
        return countBefore(waiter, of: waiter.network) < (entries[waiter] == nil ? 1 : Self.front)
    }

    /// Enters somebody, or leaves whoever waits already in the same place.
    /// - Returns: nil if too many wait, or if this one asks again and again without waiting.
    mutating func wait(_ waiter: Waiter, at now: ContinuousClock.Instant) -> Answer? {
        let known = entries[waiter]
        if let known, now < known.mayAsk - Self.tolerance { return nil }
        if known == nil {
            guard entries.count < Self.most,
                entries.keys.count(where: { $0.network == waiter.network }) < Self.mostOfNetwork
            else { return nil }
            arrivals += 1
        }
        let entry = Entry(arrival: known?.arrival ?? arrivals, lastAsked: now, mayAsk: now)
        entries[waiter] = entry
        let ahead = countBefore(waiter, of: waiter.network)
        let wait = min(max(Self.timeOfCheck * ahead, Self.shortestWait), Self.longestWait)
        entries[waiter]?.mayAsk = now + wait
        return Answer(number: countBefore(waiter, of: nil) + 1, askAgain: wait)
    }

    mutating func remove(_ waiter: Waiter) { entries[waiter] = nil }

    /// The number of people who wait and came before, of one network or of all.
    private func countBefore(_ waiter: Waiter, of network: String?) -> Int {
        let arrival = entries[waiter]?.arrival ?? .max
        return entries.count { (network == nil || $0.key.network == network) && $0.value.arrival < arrival }
    }
}
