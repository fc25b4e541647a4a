/// Tells for how long a server that leads must wait after its network has come back.
///
/// While its cable was out, the other server may have taken over. What reaches this server before the other's next
/// heartbeat would be carried out by both: it waits.
struct NetworkReturn: Sendable {
    private let readReturns: @Sendable () -> [String: Int]
    private var returns: [String: Int]
    private var returnedAt: Duration?

    /// A server that is not heard for this long after the network's return is not there.
    private static let longestWait = Duration.seconds(1)
    /// Heartbeats come ten times a second.
    private static let silence = Duration.milliseconds(300)

    /// - Parameter readReturns: gives for each network interface how often its carrier has come.
    init(readReturns: @escaping @Sendable () -> [String: Int] = { SystemProbes.carrierReturns() }) {
        (self.readReturns, returns) = (readReturns, readReturns())
    }

    /// True if the network has come back and the other server has not been heard since, for ``longestWait`` at most.
    /// - Parameter otherHeardAt: when the other server was heard last; nil if it never was.
    /// - Cost: reads a few small files while the other server is silent.
    mutating func mustWait(at now: Duration, otherHeardAt: Duration?) -> Bool {
        guard let otherHeardAt, now - otherHeardAt > Self.silence else {
            returnedAt = nil
            return false
        }
        note(at: now)
        guard let returnedAt else { return false }
        return otherHeardAt < returnedAt && now - returnedAt < Self.longestWait
    }

    /// Notes that an interface has come back; called ten times a second too, so that one that came long ago counts as
    /// that.
    mutating func note(at now: Duration) {
        let newest = readReturns()
        guard newest != returns else { return }
        if newest.contains(where: { $0.value > returns[$0.key] ?? 0 }) { returnedAt = now }
        returns = newest
    }
}
