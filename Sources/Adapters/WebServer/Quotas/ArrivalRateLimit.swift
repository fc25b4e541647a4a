/// A rate limit for each of many names, such as addresses: a burst of events at once, then a number of events per
/// second.
///
/// It is for events that cost the server work before it can refuse them. It has no clock; the caller supplies the time.
public struct ArrivalRateLimit: Sendable {
    static let mostRememberedNames = 4_096

    private struct EventCount: Sendable {
        var count: Double
        var lastEvent: ContinuousClock.Instant
    }

    let eventsPerSecond: Double
    let burst: Double
    private var eventCountsByName: [String: EventCount] = [:]

    /// - Parameter burst: the number of events that are allowed at once after a pause.
    public init(eventsPerSecond: Int, burst: Int) {
        self.eventsPerSecond = Double(eventsPerSecond)
        self.burst = Double(max(burst, 1))
    }

    /// Counts an event, if the rate allows it.
    /// - Parameter name: the name whose rate is limited, for example an address.
    /// - Returns: false if the rate is exceeded; the event is then not counted.
    public mutating func admitEvent(_ name: String, at now: ContinuousClock.Instant) -> Bool {
        forgetOldNames(at: now)
        let count = decayedEventCount(name, at: now) + 1
        guard count <= burst else { return false }
        eventCountsByName[name] = EventCount(count: count, lastEvent: now)
        return true
    }

    /// True if the next event of this name would be refused.
    public func isUsedUp(_ name: String, at now: ContinuousClock.Instant) -> Bool {
        decayedEventCount(name, at: now) + 1 > burst
    }

    private func decayedEventCount(_ name: String, at now: ContinuousClock.Instant) -> Double {
        guard let old = eventCountsByName[name] else { return 0 }
        return max(0, old.count - max(0, (now - old.lastEvent) / .seconds(1)) * eventsPerSecond)
    }

    /// Removes names that may have a full burst again. If that is not enough, it also removes the half with the oldest
    /// events.
    private mutating func forgetOldNames(at now: ContinuousClock.Instant) {
        guard eventCountsByName.count >= Self.mostRememberedNames else { return }
        eventCountsByName = eventCountsByName.filter {
            $0.value.count > (now - $0.value.lastEvent) / .seconds(1) * eventsPerSecond
        }
        guard eventCountsByName.count >= Self.mostRememberedNames else { return }
        let median = eventCountsByName.values.map(\.lastEvent).sorted()[eventCountsByName.count / 2]
        eventCountsByName = eventCountsByName.filter { $0.value.lastEvent > median }
    }
}
