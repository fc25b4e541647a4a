/// Limits the number of messages a second from each source address, with a token bucket for each.
///
/// Counted by address and not by port, because command-line senders use a new port for each message. The number of
/// buckets is limited; beyond it, the address silent for longest is forgotten (its bucket was full again).
struct SenderRateLimiter: Sendable {
    let messagesPerSecond: Double
    let burst: Double
    let most: Int
    private var buckets: [String: Bucket] = [:]

    private struct Bucket {
        var left: Double
        var filled: Duration
        var isDry = false
    }

    init(messagesPerSecond: Double, burst: Double, most: Int = 256) {
        self.messagesPerSecond = messagesPerSecond
        self.burst = burst
        self.most = most
    }

    enum Verdict: Equatable {
        case goesOn
        /// `isFirst` is true if the message before was accepted, so that the sender is told only once.
        case tooFast(isFirst: Bool)
    }

    mutating func take(from address: String, at now: Duration) -> Verdict {
        if buckets[address] == nil, buckets.count >= most,
            let oldest = buckets.min(by: { $0.value.filled < $1.value.filled })?.key
        {
            buckets[oldest] = nil
        }
        var bucket = buckets[address] ?? Bucket(left: burst, filled: now)
        let seconds = max(.zero, now - bucket.filled) / .seconds(1)
        bucket.left = min(burst, bucket.left + seconds * messagesPerSecond)
        bucket.filled = max(now, bucket.filled)
        defer { buckets[address] = bucket }
        guard bucket.left >= 1 else {
            defer { bucket.isDry = true }
            return .tooFast(isFirst: !bucket.isDry)
        }
        bucket.left -= 1
        bucket.isDry = false
        return .goesOn
    }
}
