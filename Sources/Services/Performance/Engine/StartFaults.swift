import Podium
import Synchronization

/// Faults found at startup. The console shows them each time this server becomes active, until they are mended.
package final class StartFaults: Sendable {
    private let open: Mutex<[TechnicalFault]>

    package init(_ faults: [TechnicalFault] = []) { open = Mutex(faults) }

    package var all: [TechnicalFault] { open.withLock { $0 } }

    /// Ends a fault.
    /// - Returns: true if it was one of those found at startup.
    package func end(_ id: String) -> Bool {
        open.withLock { open in
            let index = open.firstIndex { $0.id == id }
            if let index { open.remove(at: index) }
            return index != nil
        }
    }
}
