/// Remembers which packet counts of a sender arrived, the newest 64 individually, and how many are missing.
struct PacketCountWindow: Sendable {
    static let width: UInt64 = 64

    private let first: UInt64
    private(set) var newest: UInt64
    /// A bit for each of the newest counts: bit n is set if the count `newest - n` arrived.
    private var arrivedBits: UInt64 = 1
    /// Number of different measure packets that arrived, with counts from `first` on.
    private var measures: UInt64 = 1
    /// Number of messages that arrived between the first and the newest measure packet. The sender counts them, but
    /// they do not carry their count.
    private var messages: UInt64 = 0
    /// Number of messages that arrived after the newest measure packet, so that its count does not include them yet.
    private var messagesSinceNewest: UInt64 = 0

    init(first: UInt64) {
        self.first = first
        newest = first
    }

    func isTooOld(_ count: UInt64) -> Bool { count < newest && newest - count >= Self.width }

    func contains(_ count: UInt64) -> Bool {
        guard count <= newest, newest - count < Self.width else { return false }
        return arrivedBits & (1 << (newest - count)) != 0
    }

    /// Adds a count that is not yet in the window.
    mutating func insert(_ count: UInt64) {
        if count > newest {
            let shift = count - newest
            arrivedBits = shift < Self.width ? arrivedBits << shift | 1 : 1
            newest = count
            messages += messagesSinceNewest
            messagesSinceNewest = 0
        } else if newest - count < Self.width {
            arrivedBits |= 1 << (newest - count)
        }
        if count >= first { measures += 1 }
    }

    mutating func countMessage() { messagesSinceNewest += 1 }

    /// Number of packets between the first and the newest one that did not arrive; 0 if duplicate messages outnumber
    /// them.
    var lost: UInt64 {
        let others = newest - first
        let accounted = (measures - 1) + messages
        return others > accounted ? others - accounted : 0
    }
}
