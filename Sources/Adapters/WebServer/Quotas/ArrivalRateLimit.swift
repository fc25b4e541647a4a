/// A rate limit: a burst at once, then a number a second.
///
/// For events that cost the server work before it can refuse them. Pure; the caller supplies the time.
struct ArrivalRateLimit {
    static let mostRemembered = 4_096

    private struct Spent {
        var count: Double
        var at: ContinuousClock.Instant
    }

    let perSecond: Double
    let burst: Double
    private var spent: [String: Spent] = [:]

    /// - Parameter burst: number of events allowed at once after a pause.
    init(perSecond: Int, burst: Int) {
        self.perSecond = Double(perSecond)
        self.burst = Double(max(burst, 1))
    }

    /// Counts an event of `name`.
    /// - Returns: false if the rate is exceeded; then nothing was counted.
    mutating func take(_ name: String, at now: ContinuousClock.Instant) -> Bool {
        makeRoom(at: now)
        let count = left(name, at: now) + 1
        guard count <= burst else { return false }
        spent[name] = Spent(count: count, at: now)
        return true
    }

    /// True if the next event of `name` would be refused.
    func isUsedUp(_ name: String, at now: ContinuousClock.Instant) -> Bool {
        left(name, at: now) + 1 > burst
    }

    private func left(_ name: String, at now: ContinuousClock.Instant) -> Double {
        guard let old = spent[name] else { return 0 }
        return max(0, old.count - max(0, (now - old.at) / .seconds(1)) * perSecond)
    }

    /// Forgets names whose allowance is full again and, if that is not enough, the half that was used least recently.
    private mutating func makeRoom(at now: ContinuousClock.Instant) {
        guard spent.count >= Self.mostRemembered else { return }
        spent = spent.filter { $0.value.count > (now - $0.value.at) / .seconds(1) * perSecond }
        guard spent.count >= Self.mostRemembered else { return }
        let median = spent.values.map(\.at).sorted()[spent.count / 2]
        spent = spent.filter { $0.value.at > median }
    }
}
