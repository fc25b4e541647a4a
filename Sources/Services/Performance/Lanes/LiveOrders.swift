import Score
import Synchronization

/// What a person or the desk asks of the follower.
struct LiveOrder: Sendable, BitwiseCopyable {
    enum Kind: Sendable, BitwiseCopyable {
        /// Forget the performance so far and wait for the music there.
        case begin
        /// The music is there now.
        case anchor
    }

    var kind: Kind
    /// Index into the programme.
    var piece: Int
    /// Nil where nobody knows the measure; only for ``Kind/begin``.
    var position: ScorePosition?
    /// Rises from order to order; a report says which one it was made under.
    var number: UInt32
}

/// Brings orders from the services to the follow lane, in order.
///
/// Any thread gives, the lane takes; the lane never waits. What is given while the box is full replaces nothing
/// and is refused: a person cannot order faster than fifty hops a second.
final class LiveOrders: @unchecked Sendable {
    // @unchecked: the slots between `taken` and `given` belong to the lane, the rest to whoever holds the lock.
    private let slots: UnsafeMutablePointer<LiveOrder>
    private let given = Atomic<Int>(0)
    private let taken = Atomic<Int>(0)
    private let giving = Mutex(())
    private static let capacity = 64

    init() { slots = .allocate(capacity: Self.capacity) }

    deinit { slots.deallocate() }

    /// - Returns: false where the lane has not taken the last 64 orders.
    func give(_ order: LiveOrder) -> Bool {
        giving.withLock { _ in
            let end = given.load(ordering: .relaxed)
            guard end - taken.load(ordering: .acquiring) < Self.capacity else { return false }
            (slots + end % Self.capacity).initialize(to: order)
            given.store(end + 1, ordering: .releasing)
            return true
        }
    }

    /// The oldest order that was not taken yet. Lane: follow; wait-free.
    func take() -> LiveOrder? {
        let start = taken.load(ordering: .relaxed)
        guard start < given.load(ordering: .acquiring) else { return nil }
        let order = slots[start % Self.capacity]
        taken.store(start + 1, ordering: .releasing)
        return order
    }
}
