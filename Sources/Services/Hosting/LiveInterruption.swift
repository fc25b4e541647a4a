import Dispatch
import Foundation
import ServiceLifecycle
import Synchronization

/// Catches SIGINT, SIGTERM and SIGHUP, so that a live run can shut down in order.
package final class LiveInterruption: Service {
    private let made = Atomic<Bool>(false)
    private let signals: AsyncStream<Void>
    // The signal sources are set once and cancelled once, possibly on different threads.
    nonisolated(unsafe) private var sources: [any DispatchSourceSignal] = []

    package init() {
        let (signals, signalled) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        self.signals = signals
        // Without this, the process would be killed when the reader of its output goes away; now the write fails
        // instead.
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

    /// Returns after the first signal, or when the surrounding service group shuts down.
    package func run() async { for await _ in signals.cancelOnGracefulShutdown() { return } }

    package var isMade: Bool { made.load(ordering: .acquiring) }

    /// Restores the default handling, in which a signal ends the process at once.
    package func disarm() {
        for source in sources { source.cancel() }
        for number in Self.signals { signal(number, SIG_DFL) }
    }

    private static let signals = [SIGINT, SIGTERM, SIGHUP]
}
