/// Collects rising packet counts that are lower than the newest one, to tell a restarted sender from delayed packets.
///
/// Delayed packets arrive one by one between newer ones, while the counts of a restarted sender keep coming. Packets
/// counted meanwhile as late or duplicate are remembered. If the sender did restart, they are subtracted again.
struct SenderRestartSuspicion: Sendable {
    /// Number of rising counts that prove a restart: one second at the standard rate.
    static let countsProvingRestart = 5

    private(set) var risingCounts: [UInt64]
    private(set) var lateSinceSuspected: UInt64 = 0
    private(set) var duplicatesSinceSuspected: UInt64 = 0

    init(_ count: UInt64) { risingCounts = [count] }

    var isProven: Bool { risingCounts.count >= Self.countsProvingRestart }

    mutating func insert(_ count: UInt64) {
        if let last = risingCounts.last, count <= last {
            self = SenderRestartSuspicion(count)
        } else {
            risingCounts.append(count)
        }
    }

    mutating func recordDroppedPacket(duplicate: Bool) {
        if duplicate { duplicatesSinceSuspected += 1 } else { lateSinceSuspected += 1 }
    }
}
