/// Limits the number of messages a second from each source address, with a token bucket for each address.
///
/// Messages are counted by address and not by port, because command-line senders use a new port for each message. The
/// number of buckets is limited; beyond it, the address that was silent for longest loses its bucket.
struct SenderRateLimiter: Sendable {
    let messagesPerSecond: Double
    let maximumBurst: Double
    let maximumTrackedSenders: Int
    private var bucketsByAddress: [String: TokenBucket] = [:]

    private struct TokenBucket {
        var tokens: Double
        var lastRefill: Duration
        var hasRefused = false
    }

    init(messagesPerSecond: Double, maximumBurst: Double, maximumTrackedSenders: Int = 256) {
        self.messagesPerSecond = messagesPerSecond
        self.maximumBurst = maximumBurst
        self.maximumTrackedSenders = maximumTrackedSenders
    }

    enum Verdict: Equatable {
        case allowed
        /// The message must be dropped. `isFirst` is true if the previous message was accepted, so that the sender is
        /// told only once.
        case tooFast(isFirst: Bool)
    }

    mutating func takeToken(from address: String, at now: Duration) -> Verdict {
        if bucketsByAddress[address] == nil, bucketsByAddress.count >= maximumTrackedSenders,
            let oldest = bucketsByAddress.min(by: { $0.value.lastRefill < $1.value.lastRefill })?.key
        {
            bucketsByAddress[oldest] = nil
        }
        var bucket = bucketsByAddress[address] ?? TokenBucket(tokens: maximumBurst, lastRefill: now)
        let seconds = max(.zero, now - bucket.lastRefill) / .seconds(1)
        bucket.tokens = min(maximumBurst, bucket.tokens + seconds * messagesPerSecond)
        bucket.lastRefill = max(now, bucket.lastRefill)
        defer { bucketsByAddress[address] = bucket }
        guard bucket.tokens >= 1 else {
            defer { bucket.hasRefused = true }
            return .tooFast(isFirst: !bucket.hasRefused)
        }
        bucket.tokens -= 1
        bucket.hasRefused = false
        return .allowed
    }
}
