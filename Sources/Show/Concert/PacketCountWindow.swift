/// Remembers which of a sender's packet counts arrived, the newest 64 individually, and how many are missing.
struct PacketCountWindow: Sendable {
    static let width: UInt64 = 64

    private let first: UInt64
    private(set) var newest: UInt64
    /// Bit n is set if `newest - n` arrived.
    private var heard: UInt64 = 1
    /// Number of different measure packets from `first` on.
    private var measures: UInt64 = 1
    /// Messages between the first and the newest measure packet. They take a count, but do not carry it.
    private var messages: UInt64 = 0
    /// Messages after the newest measure packet, whose counts that packet does not include yet.
    private var messagesSinceNewest: UInt64 = 0

    init(first: UInt64) {
        self.first = first
        newest = first
    }

    func isTooOld(_ count: UInt64) -> Bool { count < newest && newest - count >= Self.width }

    func contains(_ count: UInt64) -> Bool {
        guard count <= newest, newest - count < Self.width else { return false }
        return heard & (1 << (newest - count)) != 0
    }

    /// Adds a count that is not in the window yet.
    mutating func insert(_ count: UInt64) {
        if count > newest {
            let shift = count - newest
            heard = shift < Self.width ? heard << shift | 1 : 1
            newest = count
            messages += messagesSinceNewest
            messagesSinceNewest = 0
        } else if newest - count < Self.width {
            heard |= 1 << (newest - count)
        }
        if count >= first { measures += 1 }
    }

    mutating func countMessage() { messagesSinceNewest += 1 }

    /// Packets between the first and the newest one that did not arrive; 0 if duplicate messages outnumber them.
    var lost: UInt64 {
        let others = newest - first
        let accounted = (measures - 1) + messages
        return others > accounted ? others - accounted : 0
    }
}
