/// How current this server's copy is of the other server's stored data (catalogue, rooms, content); ``Failover``
/// needs it for its decisions.
public enum ReplicaFreshness: Hashable, Sendable {
    /// There is nothing to copy, or the other server's version does not offer copies.
    case noneMade
    /// The time at which both servers last had the same data, on the clock of ``Failover``; nil before the first
    /// time.
    case same(at: Duration?)

    /// True if little can be missing: both had the same data at most ``ReplicationMonitor/current`` before the other
    /// server was last heard.
    ///
    /// The limit of two seconds is also the console's, so that “the backup has the same” and a takeover within a
    /// second go together. A shorter limit would count a copy as old when a busy machine answers a request only
    /// after a second.
    /// - Parameter since: when the current term was first followed; a copy from before belongs to an earlier one.
    func isCurrent(heardAt: Duration, since: Duration) -> Bool {
        switch self {
        case .noneMade: true
        case .same(let at): at.map { $0 >= since && heardAt - $0 <= ReplicationMonitor.current } ?? false
        }
    }
}
