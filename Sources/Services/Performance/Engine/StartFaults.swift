import Podium
import Synchronization

/// Faults found at startup. The console shows them each time this server becomes active, until they are mended.
final class StartFaults: Sendable {
    private let open: Mutex<[TechnicalFault]>

    init(_ faults: [TechnicalFault] = []) { open = Mutex(faults) }

    var all: [TechnicalFault] { open.withLock { $0 } }

    /// Ends a fault.
    /// - Returns: true if it was one of those found at startup.
    func end(_ id: String) -> Bool {
        open.withLock { open in
            let index = open.firstIndex { $0.id == id }
            if let index { open.remove(at: index) }
            return index != nil
        }
    }
}
