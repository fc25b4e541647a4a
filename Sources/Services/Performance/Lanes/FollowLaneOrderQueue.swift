import Score
import Synchronization

/// An order for the follower from a person or the show engine.
struct FollowLaneOrder: Sendable, BitwiseCopyable {
    package enum Kind: @unchecked Sendable, BitwiseCopyable {
        // @unchecked: the pointer is to a FollowerBox that stays alive until the order is carried out.
        /// Tells the follower to forget the performance so far and to wait for the music to begin at the position.
        case awaitMusicStart
        /// The same, and the music begins now or has begun within the last two seconds.
        case beginMusic
        /// Tells the follower that the music is at the position now.
        case anchor
        /// Hands over the follower of a changed programme, which the ``FollowerExchange`` keeps alive. The order has no
        /// number of its own; the order after it has.
        case changeFollower(UnsafeRawPointer)
        /// Confirms by its number that all orders before it were carried out.
        case confirm
    }

    package var kind: Kind
    /// The piece's index in the programme.
    var piece: Int
    /// The position in the piece; nil if the measure is unknown, which only ``Kind/awaitMusicStart`` allows.
    var position: ScorePosition?
    /// A number that rises with each order; a report contains the number of the newest order carried out before it.
    var number: UInt32
}

/// A queue of orders from any thread to the follow thread.
///
/// The follow thread never waits for a sender. An order is refused if the queue is full; people cannot give orders
/// faster than the follow thread takes them, which is fifty times a second.
package final class FollowLaneOrderQueue: @unchecked Sendable {
    // @unchecked: the slots from `removedCount` to `addedCount` belong to the follow thread, the others to the holder
    // of the lock.
    private let slots: UnsafeMutablePointer<FollowLaneOrder>
    private let addedCount = Atomic<Int>(0)
    private let removedCount = Atomic<Int>(0)
    /// True during a rehearsal. Not an order with a number: the follow thread reads it before each hop.
    let isRehearsal = Atomic<Bool>(false)
    private let senderLock = Mutex(())
    private static let capacity = 64

    init() { slots = .allocate(capacity: Self.capacity) }

    deinit { slots.deallocate() }

    /// Adds an order to the queue.
    /// - Returns: false if the queue already holds 64 orders.
    func add(_ order: FollowLaneOrder) -> Bool {
        senderLock.withLock { _ in
            let end = addedCount.load(ordering: .relaxed)
            guard end - removedCount.load(ordering: .acquiring) < Self.capacity else { return false }
            (slots + end % Self.capacity).initialize(to: order)
            addedCount.store(end + 1, ordering: .releasing)
            return true
        }
    }

    /// Removes the oldest order from the queue. For the follow thread; wait-free.
    func removeOldest() -> FollowLaneOrder? {
        let start = removedCount.load(ordering: .relaxed)
        guard start < addedCount.load(ordering: .acquiring) else { return nil }
        let order = slots[start % Self.capacity]
        removedCount.store(start + 1, ordering: .releasing)
        return order
    }
}
