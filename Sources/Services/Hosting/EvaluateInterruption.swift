import Dispatch
import Foundation

/// Runs a closure once when the process is asked to end, by Ctrl-C at the terminal or by the system.
package final class EvaluateInterruption {
    private let sources: [any DispatchSourceSignal]

    package init(_ action: @escaping @Sendable () -> Void) {
        sources = Self.signals.map { number in
            signal(number, SIG_IGN)
            let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
            source.setEventHandler(handler: action)
            source.resume()
            return source
        }
    }

    package func disarm() {
        for source in sources { source.cancel() }
        for number in Self.signals { signal(number, SIG_DFL) }
    }

    private static let signals = [SIGINT, SIGTERM, SIGHUP]
}
