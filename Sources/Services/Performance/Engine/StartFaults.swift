import Podium
import Synchronization

/// What a start found damaged: told to the console whenever this server begins to reign, until it is mended.
final class StartFaults: Sendable {
    private let open: Mutex<[Fault]>

    init(_ faults: [Fault] = []) { open = Mutex(faults) }

    var all: [Fault] { open.withLock { $0 } }

    /// - Returns: whether it was one of them.
    func end(_ id: String) -> Bool {
        open.withLock { open in
            let index = open.firstIndex { $0.id == id }
            if let index { open.remove(at: index) }
            return index != nil
        }
    }
}
