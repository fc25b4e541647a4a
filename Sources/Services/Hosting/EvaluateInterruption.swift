import Dispatch
import Foundation

/// Runs a closure once when the person at the terminal or the system asks the process to end.
final class EvaluateInterruption {
    private let sources: [any DispatchSourceSignal]

    init(_ action: @escaping @Sendable () -> Void) {
        sources = Self.signals.map { number in
            signal(number, SIG_IGN)
            let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
            source.setEventHandler(handler: action)
            source.resume()
            return source
        }
    }

    func disarm() {
        for source in sources { source.cancel() }
        for number in Self.signals { signal(number, SIG_DFL) }
    }

    private static let signals = [SIGINT, SIGTERM, SIGHUP]
}
