/// The subscribers to the state, and the time at which each subscription ends. Reads no clock; the caller supplies the
/// time.
public struct OSCSubscriptionLeases: Sendable {
    public static let defaultLeaseSeconds = 60.0
    public let maximumLeases: Int
    private var leaseEnds: [OSCPeer: Duration] = [:]

    public init(maximumLeases: Int = 64) { self.maximumLeases = maximumLeases }

    /// Begins or renews a lease; returns false if too many others hold one.
    public mutating func subscribe(_ peer: OSCPeer, seconds: Double?, at now: Duration) -> Bool {
        removeEndedLeases(at: now)
        guard leaseEnds[peer] != nil || leaseEnds.count < maximumLeases else { return false }
        leaseEnds[peer] = now + .seconds(seconds ?? Self.defaultLeaseSeconds)
        return true
    }

    /// Ends a lease; returns false if there was none.
    @discardableResult public mutating func unsubscribe(_ peer: OSCPeer) -> Bool {
        leaseEnds.removeValue(forKey: peer) != nil
    }

    public mutating func activePeers(at now: Duration) -> [OSCPeer] {
        removeEndedLeases(at: now)
        return Array(leaseEnds.keys)
    }

    private mutating func removeEndedLeases(at now: Duration) {
        for (peer, end) in leaseEnds where end <= now { leaseEnds[peer] = nil }
    }
}
