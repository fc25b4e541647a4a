/// Counts below the newest that rise among themselves: a sender that began anew, or stragglers.
///
/// Stragglers come one by one between newer packets; a new sender's counts keep coming. What was tallied on
/// the way is kept, to be taken back once it is clear that the sender was new.
struct RestartSuspicion: Sendable {
    /// So many in a row settle it: a second of the standard rate.
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
