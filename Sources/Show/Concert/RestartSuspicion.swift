/// Collects rising counts below the newest one: they come from a restarted sender, or are delayed packets.
///
/// Delayed packets arrive one by one between newer ones; the counts of a restarted sender keep coming. The
/// statistics collected meanwhile are kept, so that they can be taken back if the sender did restart.
struct RestartSuspicion: Sendable {
    /// This many counts in a row prove a restart: one second at the standard rate.
    static let evidence = 5

    private(set) var counts: [UInt64]
    private(set) var late: UInt64 = 0
    private(set) var duplicates: UInt64 = 0

    init(_ count: UInt64) { counts = [count] }

    var isSettled: Bool { counts.count >= Self.evidence }

    mutating func insert(_ count: UInt64) {
        if let last = counts.last, count <= last {
            self = RestartSuspicion(count)
        } else {
            counts.append(count)
        }
    }

    mutating func note(duplicate: Bool) {
        if duplicate { duplicates += 1 } else { late += 1 }
    }
}
