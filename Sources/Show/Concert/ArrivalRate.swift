/// Measures packets per second over the last few seconds.
struct ArrivalRate: Sendable {
    static let measuredSpan = Duration.seconds(5)
    static let mostArrivals = 512

    private var arrivals: [Duration] = []

    mutating func insert(_ arrival: Duration) {
        arrivals.append(arrival)
        arrivals.removeAll { arrival - $0 > Self.measuredSpan }
        if arrivals.count > Self.mostArrivals { arrivals.removeFirst(arrivals.count - Self.mostArrivals) }
    }

    /// Returns zero if the newest arrival is older than ``measuredSpan`` or is the only one.
    func packetsPerSecond(at now: Duration) -> Double {
        guard let first = arrivals.first, let last = arrivals.last else { return 0 }
        guard last > first, now - last <= Self.measuredSpan else { return 0 }
        return Double(arrivals.count - 1) / ((last - first) / .seconds(1))
    }
}
