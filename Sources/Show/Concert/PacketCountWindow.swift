/// Remembers which packet counts of a sender arrived, the newest 64 individually, and how many are missing.
struct PacketCountWindow: Sendable {
    static let mostRememberedCounts: UInt64 = 64

    private let firstCount: UInt64
    private(set) var newestCount: UInt64
    /// A bit for each of the newest counts: bit n is set if the count `newestCount - n` arrived.
    private var arrivedBits: UInt64 = 1
    /// Number of different measure packets that arrived, with counts from `firstCount` on.
    private var arrivedMeasurePackets: UInt64 = 1
    /// Number of messages that arrived between the first and the newest measure packet. The sender counts them, but
    /// they do not carry their count.
    private var arrivedMessages: UInt64 = 0
    /// Number of messages that arrived after the newest measure packet. The count in that packet does not include
    /// them.
    private var messagesAfterNewestMeasure: UInt64 = 0

    init(firstCount: UInt64) {
        self.firstCount = firstCount
        newestCount = firstCount
    }

    func isTooOld(_ count: UInt64) -> Bool {
        count < newestCount && newestCount - count >= Self.mostRememberedCounts
    }

    func contains(_ count: UInt64) -> Bool {
        guard count <= newestCount, newestCount - count < Self.mostRememberedCounts else { return false }
        return arrivedBits & (1 << (newestCount - count)) != 0
    }

    /// Adds a count that is not yet in the window.
    mutating func insert(_ count: UInt64) {
        if count > newestCount {
            let shift = count - newestCount
            arrivedBits = shift < Self.mostRememberedCounts ? arrivedBits << shift | 1 : 1
            newestCount = count
            arrivedMessages += messagesAfterNewestMeasure
            messagesAfterNewestMeasure = 0
        } else if newestCount - count < Self.mostRememberedCounts {
            arrivedBits |= 1 << (newestCount - count)
        }
        if count >= firstCount { arrivedMeasurePackets += 1 }
    }

    mutating func countMessage() { messagesAfterNewestMeasure += 1 }

    /// Number of packets between the first and the newest one that did not arrive; 0 if duplicate messages outnumber
    /// them.
    var lostPackets: UInt64 {
        let others = newestCount - firstCount
        let accounted = (arrivedMeasurePackets - 1) + arrivedMessages
        return others > accounted ? others - accounted : 0
    }
}
