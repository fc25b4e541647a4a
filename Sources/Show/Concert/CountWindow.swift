/// Which counts of one sender were heard, and how many are missing; the newest 64 one by one.
struct CountWindow: Sendable {
    static let width: UInt64 = 64

    private let first: UInt64
    private(set) var newest: UInt64
    /// Bit n is set where `newest - n` was heard.
    private var heard: UInt64 = 1
    /// Distinct measure packets from `first` on.
    private var measures: UInt64 = 1
    /// Messages between the first and the newest measure packet; they are counted but do not say so.
    private var messages: UInt64 = 0
    /// Messages behind the newest measure packet, whose counts it does not cover yet.
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

    /// Notes a count that is not in the window yet.
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

    mutating func insertMessage() { messagesSinceNewest += 1 }

    /// Packets between the first and the newest that did not arrive; zero where messages came twice.
    var lost: UInt64 {
        let others = newest - first
        let accounted = (measures - 1) + messages
        return others > accounted ? others - accounted : 0
    }
}
