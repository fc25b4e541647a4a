import Glibc
import ServiceLifecycle
import Synchronization

/// Catches SIGINT, SIGTERM and SIGHUP, so that a live run can shut down in order.
package final class ShutdownSignal: Service {
    private final class RequestFlag: Sendable {
        let isMade = Atomic<Bool>(false)
    }

    private let requestFlag: RequestFlag
    private let shutdownRequests: AsyncStream<Void>
    private let signals: TerminationSignals

    package init() {
        let (requests, requested) = AsyncStream.makeStream(
            of: Void.self, bufferingPolicy: .bufferingNewest(1))
        let request = RequestFlag()
        (self.shutdownRequests, self.requestFlag) = (requests, request)
        // Without this, the process would be killed when the reader of its output goes away; now the write fails
        // instead.
        signal(SIGPIPE, SIG_IGN)
        signals = TerminationSignals {
            request.isMade.store(true, ordering: .releasing)
            requested.yield()
        }
    }

    /// Returns after the first signal, or when the surrounding service group shuts down.
    package func run() async { for await _ in shutdownRequests.cancelOnGracefulShutdown() { return } }

    package var isRequested: Bool { requestFlag.isMade.load(ordering: .acquiring) }

    /// Restores the default handling, in which a signal ends the process at once.
    package func restoreDefaultSignals() { signals.restoreDefaultSignals() }
}
