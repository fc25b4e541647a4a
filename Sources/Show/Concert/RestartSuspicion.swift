/// Collects rising packet counts that are lower than the newest one, to tell a restarted sender from delayed packets.
///
/// Delayed packets arrive one by one between newer ones, while the counts of a restarted sender keep coming. The
/// packets that were counted as late or duplicate meanwhile are remembered, to be subtracted if the sender did restart.
struct RestartSuspicion: Sendable {
    /// Number of rising counts that prove a restart: one second at the standard rate.
    static let countsProvingRestart = 5

    private(set) var counts: [UInt64]
    private(set) var late: UInt64 = 0
    private(set) var duplicates: UInt64 = 0

    init(_ count: UInt64) { counts = [count] }

    var isProven: Bool { counts.count >= Self.countsProvingRestart }

    mutating func insert(_ count: UInt64) {
        if let last = counts.last, count <= last {
            self = RestartSuspicion(count)
        } else {
            counts.append(count)
        }
    }

    mutating func recordDroppedPacket(duplicate: Bool) {
        if duplicate { duplicates += 1 } else { late += 1 }
    }
}
