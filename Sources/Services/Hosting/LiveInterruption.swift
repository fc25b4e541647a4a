import Dispatch
import Foundation
import ServiceLifecycle
import Synchronization

/// Notices that the person or the system wants the run to end, so that it can end in order.
package final class LiveInterruption: Service {
    private let made = Atomic<Bool>(false)
    private let signals: AsyncStream<Void>
    // Made once, cancelled once; both may happen on any thread.
    nonisolated(unsafe) private var sources: [any DispatchSourceSignal] = []

    package init() {
        let (signals, signalled) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        self.signals = signals
        // A reader of our output that goes away is a failed write, not the end.
        signal(SIGPIPE, SIG_IGN)
        sources = Self.signals.map { number in
            signal(number, SIG_IGN)
            let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
            source.setEventHandler { [weak self] in
                self?.made.store(true, ordering: .releasing)
                signalled.yield()
            }
            source.resume()
            return source
        }
    }

    /// Returns when somebody wants the end, or the group that it runs in has ended.
    package func run() async { for await _ in signals.cancelOnGracefulShutdown() { return } }

    package var isMade: Bool { made.load(ordering: .acquiring) }

    /// From here on a signal ends the process at once.
    package func disarm() {
        for source in sources { source.cancel() }
        for number in Self.signals { signal(number, SIG_DFL) }
    }

    private static let signals = [SIGINT, SIGTERM, SIGHUP]
}
