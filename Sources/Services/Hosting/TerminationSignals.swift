import Dispatch
import Foundation

/// Runs a closure, on a thread of the dispatch library, each time the person at the terminal or the system asks the
/// process to end.
package final class TerminationSignals: Sendable {
    private static let numbers = [SIGINT, SIGTERM, SIGHUP]
    // Dispatch sources may be used on any thread.
    nonisolated(unsafe) private let sources: [any DispatchSourceSignal]

    package init(_ action: @escaping @Sendable () -> Void) {
        sources = Self.numbers.map { number in
            signal(number, SIG_IGN)
            let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
            source.setEventHandler(handler: action)
            source.resume()
            return source
        }
    }

    /// From now on a signal ends the process at once.
    package func disarm() {
        for source in sources { source.cancel() }
        for number in Self.numbers { signal(number, SIG_DFL) }
    }
}
