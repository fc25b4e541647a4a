/// The freshness of this server's copy of the other server's stored data (catalogue, rooms, content), on which
/// ``Failover`` bases its decisions.
public enum ReplicaFreshness: Hashable, Sendable {
    /// No copies are made: there is nothing to copy, or the other server's version does not offer copies.
    case notReplicated
    /// The time at which both servers last had the same data, on the clock of ``Failover``; nil before the first
    /// time.
    case lastInSync(at: Duration?)

    /// True if little can be missing: when the other server was last heard, both had had the same data at most
    /// ``ReplicationMonitor/freshnessLimit`` before.
    ///
    /// The console uses the same limit of two seconds, so that its statement “the backup has the same” and a takeover
    /// within a second agree. A shorter limit would count a copy as old when a busy machine answers a request only
    /// after a second.
    /// - Parameter since: the time at which the current term was first followed; a copy from before belongs to an
    ///   earlier term.
    func isCurrent(heardAt: Duration, since: Duration) -> Bool {
        switch self {
        case .notReplicated: true
        case .lastInSync(let at):
            at.map { $0 >= since && heardAt - $0 <= ReplicationMonitor.freshnessLimit } ?? false
        }
    }
}
