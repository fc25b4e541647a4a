/// A rate limit: a burst at once, then a number a second.
///
/// Each time costs the server some work before it can refuse anything. Pure; the caller brings the time.
struct ArrivalRate {
    static let mostRemembered = 4_096

    private struct Spent {
        var count: Double
        var at: ContinuousClock.Instant
    }

    let perSecond: Double
    let burst: Double
    private var spent: [String: Spent] = [:]

    /// - Parameter burst: at once, after a silence.
    init(perSecond: Int, burst: Int) {
        self.perSecond = Double(perSecond)
        self.burst = Double(max(burst, 1))
    }

    /// - Returns: false where it is too soon; then nothing was counted.
    mutating func take(_ name: String, at now: ContinuousClock.Instant) -> Bool {
        makeRoom(at: now)
        let count = left(name, at: now) + 1
        guard count <= burst else { return false }
        spent[name] = Spent(count: count, at: now)
        return true
    }

    /// Somebody has come as often as is allowed.
    func isUsedUp(_ name: String, at now: ContinuousClock.Instant) -> Bool {
        left(name, at: now) + 1 > burst
    }

    private func left(_ name: String, at now: ContinuousClock.Instant) -> Double {
        guard let old = spent[name] else { return 0 }
        return max(0, old.count - max(0, (now - old.at) / .seconds(1)) * perSecond)
    }

    /// Forgets those that have earned back what they spent, and where that is not enough, the half that came least
    /// recently.
    private mutating func makeRoom(at now: ContinuousClock.Instant) {
        guard spent.count >= Self.mostRemembered else { return }
        spent = spent.filter { $0.value.count > (now - $0.value.at) / .seconds(1) * perSecond }
        guard spent.count >= Self.mostRemembered else { return }
        let median = spent.values.map(\.at).sorted()[spent.count / 2]
        spent = spent.filter { $0.value.at > median }
    }
}
