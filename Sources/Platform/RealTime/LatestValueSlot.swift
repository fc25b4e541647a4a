import Synchronization

/// Passes the latest value from one thread to others. One writer, any number of readers, no locks, no allocation on
/// delivery.
///
/// The value is stored as machine words in two slots that are written in turn. Each word is atomic, so there is never
/// a data race. The writer never waits; it costs one store per eight bytes. A reader copies the newest slot. It
/// copies again only if the writer has begun to overwrite this slot meanwhile. A slot is overwritten only by the
/// second delivery after its own, so a writer suspended half-way delays nobody.
///
/// Source: H.-J. Boehm, "Can seqlocks get along with programming language memory models?", MSPC 2012. The second slot
/// spares readers the wait for a suspended writer.
public final class LatestValueSlot<Value: BitwiseCopyable & Sendable>: @unchecked Sendable {
    // @unchecked: the words that the pointer refers to are atomic, and initialised before the slot is shared.
    private let slotWords: UnsafeMutablePointer<Atomic<UInt64>>
    private let wordsPerSlot: Int
    /// The numbers of deliveries begun and finished. Value number n lies in slot n & 1.
    private let begunDeliveries = Atomic<Int>(0)
    private let finishedDeliveries = Atomic<Int>(0)

    public init() {
        wordsPerSlot = (MemoryLayout<Value>.size + 7) / 8
        slotWords = .allocate(capacity: max(1, 2 * wordsPerSlot))
        for index in 0..<2 * wordsPerSlot { (slotWords + index).initialize(to: Atomic(0)) }
    }

    deinit {
        slotWords.deinitialize(count: 2 * wordsPerSlot)
        slotWords.deallocate()
    }

    /// The number of values delivered so far. A reader that remembers this number can tell whether there is a new
    /// value.
    public var deliveryCount: Int { finishedDeliveries.load(ordering: .acquiring) }

    /// Replaces the value. Must be called from one thread at a time. Wait-free.
    public func deliver(_ value: Value) {
        let number = begunDeliveries.load(ordering: .relaxed) &+ 1
        begunDeliveries.store(number, ordering: .relaxed)
        // A reader that sees a word of this delivery also sees that the delivery had begun.
        atomicMemoryFence(ordering: .releasing)
        let slot = slotWords + (number & 1) * wordsPerSlot
        withUnsafeBytes(of: value) { bytes in
            for index in 0..<wordsPerSlot {
                slot[index].store(loadWord(index, of: bytes), ordering: .relaxed)
            }
        }
        finishedDeliveries.store(number, ordering: .releasing)
    }

    /// Returns the newest value; nil before the first delivery. The result is never a mixture of two values.
    public func latestValue() -> Value? {
        withUnsafeTemporaryAllocation(byteCount: max(8, wordsPerSlot * 8), alignment: 16) { copy in
            while true {
                let number = finishedDeliveries.load(ordering: .acquiring)
                guard number > 0 else { return nil }
                let slot = slotWords + (number & 1) * wordsPerSlot
                for index in 0..<wordsPerSlot {
                    copy.storeBytes(
                        of: slot[index].load(ordering: .relaxed), toByteOffset: index * 8, as: UInt64.self)
                }
                atomicMemoryFence(ordering: .acquiring)
                // The slot is used again by delivery number + 2.
                if begunDeliveries.load(ordering: .relaxed) < number &+ 2 {
                    return copy.loadUnaligned(as: Value.self)
                }
            }
        }
    }

    private func loadWord(_ index: Int, of bytes: UnsafeRawBufferPointer) -> UInt64 {
        let start = index * 8
        if start + 8 <= bytes.count { return bytes.loadUnaligned(fromByteOffset: start, as: UInt64.self) }
        var tail: UInt64 = 0
        for offset in start..<bytes.count { tail |= UInt64(bytes[offset]) << UInt64(8 * (offset - start)) }
        return tail
    }
}
