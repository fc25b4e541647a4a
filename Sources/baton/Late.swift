import Synchronization

/// Something that is made after those who refer to it.
final class Late<Value: Sendable>: Sendable {
    private let held = Mutex<Value?>(nil)

    var value: Value? { held.withLock { $0 } }

    func set(_ value: Value) { held.withLock { $0 = value } }
}
