import Synchronization
import WebServer

/// Makes guessing the speakers' code slow: a wrong one is answered late, and few are looked at together.
///
/// A right code is answered at once, so that speakers behind the same router as a stranger get in.
final class CodeGuesses: Sendable {
    /// The wait before the answer to a wrong code.
    static let wait = Duration.seconds(2)
    static let mostAtOnce = 32
    static let mostAtOnceOfAddress = 4

    /// By network: a visitor may have many IPv6 addresses of one.
    private let waiting = Mutex<[String: Int]>([:])

    /// Begins a try from an address.
    /// - Returns: false if too many wrong codes wait for their answers.
    func begin(from address: String) -> Bool {
        let network = ResourceQuota.Holder(address: address).network
        return waiting.withLock { waiting in
            guard waiting.values.reduce(0, +) < Self.mostAtOnce,
                waiting[network, default: 0] < Self.mostAtOnceOfAddress
            else { return false }
            waiting[network, default: 0] += 1
            return true
        }
    }

    func end(from address: String) {
        let network = ResourceQuota.Holder(address: address).network
        waiting.withLock { waiting in
            let left = (waiting[network] ?? 1) - 1
            waiting[network] = left > 0 ? left : nil
        }
    }
}
