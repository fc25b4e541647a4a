import Podium
import Synchronization

/// Faults found at startup. The console shows them each time this server becomes active, until they are mended.
final class StartupFaults: Sendable {
    private let openFaults: Mutex<[TechnicalFault]>

    init(_ faults: [TechnicalFault] = []) { openFaults = Mutex(faults) }

    var all: [TechnicalFault] { openFaults.withLock { $0 } }

    /// Ends a fault.
    /// - Returns: true if it was one of the faults found at startup.
    func endFault(_ id: String) -> Bool {
        openFaults.withLock { open in
            let index = open.firstIndex { $0.id == id }
            if let index { open.remove(at: index) }
            return index != nil
        }
    }
}
