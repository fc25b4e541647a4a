/// Lets each source address send so many messages a second and no more: one bucket per address.
///
/// Kept per address and not per port, since command-line senders use a new port for each message. Buckets
/// are bounded; with more addresses than that, the one silent for longest is forgotten (it was full again).
struct SenderRates: Sendable {
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
        /// `isFirst`: the one before went on, so the sender may be told once.
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
