import Hosting
import Rehearsal

/// Limits the messages of a stand to a steady rate, with a burst after a pause.
///
/// A stand that was offline sends its work in one burst; a faulty stand is slowed down before it harms others. All
/// stands of one user together have four times the allowance of one stand.
struct StandRateLimit: Sendable {
    static let perSecond: Int64 = 50
    static let burst: Int64 = 400
    private static let userAllowanceFactor: Int64 = 4
    private static let mostEntries = 10_000

    private enum Key: Hashable {
        case stand(StandKey)
        case user(Rehearsal.User.ID)
    }

    /// Used allowance in thousandths of a message, at a time in milliseconds.
    private struct Usage {
        var thousandths: Int64
        var at: Int64
    }

    private var usage: [Key: Usage] = [:]

    /// Number of stands and users that have an entry in the rate limit's table.
    var count: Int { usage.count }

    /// Counts messages of a stand if they are within its allowance.
    /// - Parameters:
    ///   - count: number of messages.
    ///   - now: milliseconds of a monotonic clock.
    /// - Returns: nil if the messages were counted; otherwise the milliseconds to wait, and nothing was counted.
    mutating func charge(_ count: Int, by stand: StandKey, at now: Int64) -> Int64? {
        dropOldEntries(at: now)
        let cost = Int64(min(max(count, 1), 10_000)) * 1_000
        var keys = [(Key.stand(stand), Int64(1))]
        // Without sign-in all stands belong to one user, who needs no common limit.
        if stand.user != RoomPerson.idWithoutSignIn {
            keys.append((.user(stand.user), Self.userAllowanceFactor))
        }
        var wait: Int64 = 0
        for (key, share) in keys {
            let over = remainingUsage(key, share, at: now) + cost - Self.burst * share * 1_000
            // Thousandths of a message, divided by messages a second, are milliseconds.
            if over > 0 { wait = max(wait, (over + Self.perSecond * share - 1) / (Self.perSecond * share)) }
        }
        guard wait == 0 else { return wait }
        for (key, share) in keys {
            usage[key] = Usage(thousandths: remainingUsage(key, share, at: now) + cost, at: now)
        }
        return nil
    }

    private func remainingUsage(_ key: Key, _ share: Int64, at now: Int64) -> Int64 {
        guard let old = usage[key] else { return 0 }
        return max(0, old.thousandths - (now - old.at) * Self.perSecond * share)
    }

    private mutating func dropOldEntries(at now: Int64) {
        guard usage.count > Self.mostEntries else { return }
        // Milliseconds after which a used-up allowance is full again.
        let forgotten = Self.burst * 1_000 / Self.perSecond
        usage = usage.filter { now - $0.value.at < forgotten }
        guard usage.count > Self.mostEntries else { return }
        // Thousands of unknown stands within seconds: the older half of the entries is dropped, so those stands start
        // with a full allowance.
        let median = usage.values.map(\.at).sorted()[usage.count / 2]
        usage = usage.filter { $0.value.at > median }
    }
}
