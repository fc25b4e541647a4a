/// Watches whether this server's network interfaces keep their carrier, so that a silence of the other server can be told
/// from a bad cable of this one. Belongs to one thread.
struct CarrierWatch {
    private let readChanges: () -> [String: Int]
    private var changes: [String: Int]
    private var readAt: Duration
    /// Nil while no carrier has changed since the start.
    private var changedAt: Duration?

    /// Several times within ``FailoverSettings/silence``, because a few small files are read each time.
    private static let interval = Duration.milliseconds(100)

    /// - Parameter readChanges: returns for each interface how often its carrier has changed.
    init(at now: Duration, readChanges: @escaping () -> [String: Int] = { SystemProbes.carrierChanges() }) {
        (self.readChanges, changes, readAt) = (readChanges, readChanges(), now)
    }

    /// True if no carrier has changed for so long, or since the start.
    mutating func isSteady(at now: Duration, for time: Duration) -> Bool {
        if now - readAt >= Self.interval {
            let newest = readChanges()
            if newest != changes { (changes, changedAt) = (newest, now) }
            readAt = now
        }
        return changedAt.map { now - $0 >= time } ?? true
    }
}
