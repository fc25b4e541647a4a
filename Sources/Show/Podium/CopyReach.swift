/// How far this server has what people made on the other one: what ``Succession`` is told before it decides.
public enum CopyReach: Hashable, Sendable {
    /// There is nothing to copy, or the other is of a version that gives no copies.
    case noneMade
    /// When both last had the same, on the clock of ``Succession``; nil before the first time.
    case same(at: Duration?)

    /// Whether little can be missing: both had the same at most ``CopyWatch/current`` before the other was heard last.
    ///
    /// The same two seconds as on the console, so that “the backup has the same” and the takeover within a second go
    /// together. Less would count a copy as old on a machine that keeps a question waiting for a second.
    /// - Parameter since: when this reign began to be followed; what was the same before is of another.
    func isCurrent(heardAt: Duration, since: Duration) -> Bool {
        switch self {
        case .noneMade: true
        case .same(let at): at.map { $0 >= since && heardAt - $0 <= CopyWatch.current } ?? false
        }
    }
}
