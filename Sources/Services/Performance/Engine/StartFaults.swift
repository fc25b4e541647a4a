import Podium
import Synchronization

/// What a start found damaged: told to the console whenever this server begins to reign, until it is mended.
package final class StartFaults: Sendable {
    private let open: Mutex<[TechnicalFault]>

    package init(_ faults: [TechnicalFault] = []) { open = Mutex(faults) }

    package var all: [TechnicalFault] { open.withLock { $0 } }

    /// - Returns: whether it was one of them.
    package func end(_ id: String) -> Bool {
        open.withLock { open in
            let index = open.firstIndex { $0.id == id }
            if let index { open.remove(at: index) }
            return index != nil
        }
    }
}
