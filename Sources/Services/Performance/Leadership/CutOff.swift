/// Tells for how long a server that leads must wait after it was cut off: its network has come back, or it stood still
/// itself.
///
/// Meanwhile the other server may have taken over. What reaches this server before the other's next heartbeat would be
/// carried out by both: it waits.
struct CutOff: Sendable {
    private let readReturns: @Sendable () -> [String: Int]
    private var returns: [String: Int]
    private var endedAt: Duration?
    /// A heartbeat that is heard before this time may have been on its way since before the takeover.
    private var believesFrom = Duration.zero
    private var longestWait = Self.afterNetwork

    /// A server that is not heard for this long after the network's return is not there.
    private static let afterNetwork = Duration.seconds(1)
    /// The same after this server stood still: the link between both may have been closed, and is opened again.
    private static let afterStall = Duration.seconds(3)
    /// A server that stood still reads what has come meanwhile within this time.
    private static let readsOld = Duration.milliseconds(500)
    /// Another server that has been silent for longer was not there before this one stood still.
    private static let longestStall = Duration.seconds(30)
    /// Heartbeats come ten times a second.
    private static let silence = Duration.milliseconds(300)

    /// - Parameter readReturns: gives for each network interface how often its carrier has come.
    init(readReturns: @escaping @Sendable () -> [String: Int] = { SystemProbes.carrierReturns() }) {
        (self.readReturns, returns) = (readReturns, readReturns())
    }

    /// True if this server was cut off and the other server has not been heard since, for a few seconds at most.
    /// - Parameter otherHeardAt: when the other server was heard last; nil if it never was.
    /// - Cost: reads a few small files while the other server is silent.
    mutating func mustWait(at now: Duration, otherHeardAt: Duration?) -> Bool {
        guard let otherHeardAt else { return false }
        if now - otherHeardAt > Self.silence { noteNetwork(at: now) }
        guard let endedAt else { return false }
        if otherHeardAt >= believesFrom { self.endedAt = nil }
        return otherHeardAt < believesFrom && now - endedAt < longestWait
    }

    /// Notes that an interface has come back; called ten times a second too, so that one that came long ago counts as
    /// that.
    mutating func noteNetwork(at now: Duration) {
        let newest = readReturns()
        guard newest != returns else { return }
        if newest.contains(where: { $0.value > returns[$0.key] ?? 0 }) {
            (endedAt, believesFrom, longestWait) = (now, now, Self.afterNetwork)
        }
        returns = newest
    }

    /// Notes that this server stood still until now.
    mutating func noteStall(at now: Duration, otherHeardAt: Duration?) {
        guard let otherHeardAt, now - otherHeardAt < Self.longestStall else { return }
        guard endedAt.map({ $0 < otherHeardAt }) ?? true else { return }
        (endedAt, believesFrom, longestWait) = (now, now + Self.readsOld, Self.afterStall)
    }
}
