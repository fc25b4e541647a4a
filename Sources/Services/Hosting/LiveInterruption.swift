import Dispatch
import Foundation
import Synchronization

/// Notices that the person or the system wants the run to end, so that it can end in order.
final class LiveInterruption: Sendable {
    private let made = Atomic<Bool>(false)
    // Made once, cancelled once; both may happen on any thread.
    nonisolated(unsafe) private var sources: [any DispatchSourceSignal] = []

    init() {
        // A reader of our output that goes away is a failed write, not the end.
        signal(SIGPIPE, SIG_IGN)
        sources = Self.signals.map { number in
            signal(number, SIG_IGN)
            let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
            source.setEventHandler { [weak self] in self?.made.store(true, ordering: .releasing) }
            source.resume()
            return source
        }
    }

    var isMade: Bool { made.load(ordering: .acquiring) }

    /// From here on a signal ends the process at once.
    func disarm() {
        for source in sources { source.cancel() }
        for number in Self.signals { signal(number, SIG_DFL) }
    }

    private static let signals = [SIGINT, SIGTERM, SIGHUP]
}
