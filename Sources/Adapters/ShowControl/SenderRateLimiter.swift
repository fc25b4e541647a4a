/// Limits the number of messages a second from each source address, with a token bucket for each address.
///
/// Messages are counted by address and not by port, because command-line senders use a new port for each message. The
/// number of buckets is limited; beyond it, the address that was silent for longest loses its bucket.
struct SenderRateLimiter: Sendable {
    let messagesPerSecond: Double
    let burst: Double
    let maximumBuckets: Int
    private var buckets: [String: Bucket] = [:]

    private struct Bucket {
        var tokens: Double
        var lastRefill: Duration
        var isEmpty = false
    }

    init(messagesPerSecond: Double, burst: Double, maximumBuckets: Int = 256) {
        self.messagesPerSecond = messagesPerSecond
        self.burst = burst
        self.maximumBuckets = maximumBuckets
    }

    enum Verdict: Equatable {
        case allowed
        /// The message must be dropped. `isFirst` is true if the previous message was accepted, so that the sender is
        /// told only once.
        case tooFast(isFirst: Bool)
    }

    mutating func takeToken(from address: String, at now: Duration) -> Verdict {
        if buckets[address] == nil, buckets.count >= maximumBuckets,
            let oldest = buckets.min(by: { $0.value.lastRefill < $1.value.lastRefill })?.key
        {
            buckets[oldest] = nil
        }
        var bucket = buckets[address] ?? Bucket(tokens: burst, lastRefill: now)
        let seconds = max(.zero, now - bucket.lastRefill) / .seconds(1)
        bucket.tokens = min(burst, bucket.tokens + seconds * messagesPerSecond)
        bucket.lastRefill = max(now, bucket.lastRefill)
        defer { buckets[address] = bucket }
        guard bucket.tokens >= 1 else {
            defer { bucket.isEmpty = true }
            return .tooFast(isFirst: !bucket.isEmpty)
        }
        bucket.tokens -= 1
        bucket.isEmpty = false
        return .allowed
    }
}
