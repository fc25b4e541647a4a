/// A rate limit for each of many names, such as addresses: a burst of events at once, then a number of events per
/// second.
///
/// It is for events that cost the server work before it can refuse them. It has no clock; the caller supplies the time.
struct ArrivalRateLimit {
    static let mostRemembered = 4_096

    private struct Spent {
        var count: Double
        var at: ContinuousClock.Instant
    }

    let perSecond: Double
    let burst: Double
    private var spent: [String: Spent] = [:]

    /// - Parameter burst: the number of events that are allowed at once after a pause.
    init(perSecond: Int, burst: Int) {
        self.perSecond = Double(perSecond)
        self.burst = Double(max(burst, 1))
    }

    /// Counts an event, if the rate allows it.
    /// - Parameter name: whose event it is, for example an address.
    /// - Returns: false if the rate is exceeded; the event is then not counted.
    mutating func admit(_ name: String, at now: ContinuousClock.Instant) -> Bool {
        makeRoom(at: now)
        let count = spentCount(name, at: now) + 1
        guard count <= burst else { return false }
        spent[name] = Spent(count: count, at: now)
        return true
    }

    /// True if the next event of this name would be refused.
    func isUsedUp(_ name: String, at now: ContinuousClock.Instant) -> Bool {
        spentCount(name, at: now) + 1 > burst
    }

    private func spentCount(_ name: String, at now: ContinuousClock.Instant) -> Double {
        guard let old = spent[name] else { return 0 }
        return max(0, old.count - max(0, (now - old.at) / .seconds(1)) * perSecond)
    }

    /// Removes names that may have a full burst again. If that is not enough, it also removes the half with the oldest
    /// events.
    private mutating func makeRoom(at now: ContinuousClock.Instant) {
        guard spent.count >= Self.mostRemembered else { return }
        spent = spent.filter { $0.value.count > (now - $0.value.at) / .seconds(1) * perSecond }
        guard spent.count >= Self.mostRemembered else { return }
        let median = spent.values.map(\.at).sorted()[spent.count / 2]
        spent = spent.filter { $0.value.at > median }
    }
}
