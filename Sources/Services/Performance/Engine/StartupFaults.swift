import Podium
import Synchronization

/// Faults of the show's files, found at startup or when a piece was put on. The console shows them each time this
/// server becomes active, until they are mended.
final class StartupFaults: Sendable {
    private let openFaults: Mutex<[TechnicalFault]>

    init(_ faults: [TechnicalFault] = []) { openFaults = Mutex(faults) }

    var all: [TechnicalFault] { openFaults.withLock { $0 } }

    /// Ends a fault.
    /// - Returns: true if it was one of these faults.
    func endFault(_ id: String) -> Bool {
        openFaults.withLock { open in
            let index = open.firstIndex { $0.id == id }
            if let index { open.remove(at: index) }
            return index != nil
        }
    }

    /// Takes the faults of all lists and content files of a changed programme, in place of those of the one before.
    /// - Returns: the ids of the faults that are over.
    func replaceProgrammeFaults(by found: [TechnicalFault]) -> [String] {
        openFaults.withLock { open in
            let before = open.filter { ShowProgrammeBuilder.isProgrammeFault($0.id) }
            open.removeAll { ShowProgrammeBuilder.isProgrammeFault($0.id) }
            open += found
            return before.map(\.id).filter { id in !found.contains { $0.id == id } }
        }
    }
}
