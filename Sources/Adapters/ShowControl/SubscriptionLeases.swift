/// The subscribers to the state and the end of each one's lease. Pure; the caller supplies the time.
public struct SubscriptionLeases: Sendable {
    public static let standardSeconds = 60.0
    public let most: Int
    private var ends: [OSCPeer: Duration] = [:]

    public init(most: Int = 64) { self.most = most }

    /// Begins or renews a lease; false if too many others hold one.
    public mutating func subscribe(_ peer: OSCPeer, seconds: Double?, at now: Duration) -> Bool {
        removeEnded(at: now)
        guard ends[peer] != nil || ends.count < most else { return false }
        ends[peer] = now + .seconds(seconds ?? Self.standardSeconds)
        return true
    }

    /// Ends a lease; false if there was none.
    @discardableResult public mutating func unsubscribe(_ peer: OSCPeer) -> Bool {
        ends.removeValue(forKey: peer) != nil
    }

    public mutating func holders(at now: Duration) -> [OSCPeer] {
        removeEnded(at: now)
        return Array(ends.keys)
    }

    private mutating func removeEnded(at now: Duration) {
        for (peer, end) in ends where end <= now { ends[peer] = nil }
    }
}
