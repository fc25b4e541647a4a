import Platform

/// Limits the number of messages a second from each source address.
///
/// Messages are counted by address and not by port, because command-line senders use a new port for each message.
struct SenderRateLimiter: Sendable {
    private var rates: RateLimit<String>
    /// The addresses whose last message was refused.
    private var refusedAddresses: Set<String> = []

    init(messagesPerSecond: Int, maximumBurst: Int, maximumTrackedSenders: Int = 256) {
        rates = RateLimit(
            unitsPerSecond: messagesPerSecond, burst: maximumBurst, mostKeys: maximumTrackedSenders)
    }

    enum Verdict: Equatable {
        case allowed
        /// The message must be dropped. `isFirst` is true if the previous message was accepted, so that the sender is
        /// told only once.
        case tooFast(isFirst: Bool)
    }

    mutating func takeToken(from address: String, at now: Duration) -> Verdict {
        guard rates.take(of: address, at: now) != nil else {
            refusedAddresses.remove(address)
            return .allowed
        }
        if refusedAddresses.count >= rates.mostKeys { refusedAddresses = [] }
        return .tooFast(isFirst: refusedAddresses.insert(address).inserted)
    }
}
