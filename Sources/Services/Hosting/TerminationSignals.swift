import Dispatch
import Foundation

/// Runs a closure at every SIGINT, SIGTERM and SIGHUP, on a thread of the dispatch library.
package final class TerminationSignals: Sendable {
    private static let signalNumbers = [SIGINT, SIGTERM, SIGHUP]
    // Dispatch sources may be used on any thread.
    nonisolated(unsafe) private let sources: [any DispatchSourceSignal]

    package init(_ action: @escaping @Sendable () -> Void) {
        sources = Self.signalNumbers.map { number in
            signal(number, SIG_IGN)
            let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
            source.setEventHandler(handler: action)
            source.resume()
            return source
        }
    }

    /// Restores the default handling, in which a signal ends the process at once.
    package func restoreDefaultSignals() {
        for source in sources { source.cancel() }
        for number in Self.signalNumbers { signal(number, SIG_DFL) }
    }
}
