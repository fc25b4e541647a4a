import Hosting
import Rehearsal

/// Limits the messages of a stand to a steady rate, with a burst after a pause.
///
/// A stand that was offline sends its work in one burst; a faulty stand is slowed down before it harms others. All
/// stands of one user together have four times the allowance of one stand.
struct StandRateLimit: Sendable {
    static let messagesPerSecond: Int64 = 50
    static let burstMessages: Int64 = 400
    private static let userAllowanceFactor: Int64 = 4
    private static let mostEntries = 10_000

    private enum AllowanceHolder: Hashable {
        case stand(StandKey)
        case user(Rehearsal.User.ID)
    }

    /// The used part of an allowance, in thousandths of a message, and the time of that figure in milliseconds.
    private struct UsedAllowance {
        var usedThousandths: Int64
        var atMilliseconds: Int64
    }

    private var usedAllowances: [AllowanceHolder: UsedAllowance] = [:]

    /// Number of stands and users that have an entry in the rate limit's table.
    var count: Int { usedAllowances.count }

    /// Counts messages of a stand if they are within its allowance.
    /// - Parameters:
    ///   - count: number of messages.
    ///   - now: milliseconds of a monotonic clock.
    /// - Returns: nil if the messages were counted; otherwise the milliseconds to wait, and nothing was counted.
    mutating func charge(_ count: Int, by stand: StandKey, at now: Int64) -> Int64? {
        dropOldEntries(at: now)
        let cost = Int64(min(max(count, 1), 10_000)) * 1_000
        var keys = [(AllowanceHolder.stand(stand), Int64(1))]
        // Without sign-in all stands belong to one user, who needs no common limit.
        if stand.user != RehearsalRoomUser.idWithoutSignIn {
            keys.append((.user(stand.user), Self.userAllowanceFactor))
        }
        var wait: Int64 = 0
        for (key, share) in keys {
            let over = remainingUsage(key, share, at: now) + cost - Self.burstMessages * share * 1_000
            // Thousandths of a message, divided by messages a second, are milliseconds.
            if over > 0 {
                wait = max(
                    wait, (over + Self.messagesPerSecond * share - 1) / (Self.messagesPerSecond * share))
            }
        }
        guard wait == 0 else { return wait }
        for (key, share) in keys {
            usedAllowances[key] = UsedAllowance(
                usedThousandths: remainingUsage(key, share, at: now) + cost, atMilliseconds: now)
        }
        return nil
    }

    private func remainingUsage(_ key: AllowanceHolder, _ share: Int64, at now: Int64) -> Int64 {
        guard let old = usedAllowances[key] else { return 0 }
        return max(0, old.usedThousandths - (now - old.atMilliseconds) * Self.messagesPerSecond * share)
    }

    private mutating func dropOldEntries(at now: Int64) {
        guard usedAllowances.count > Self.mostEntries else { return }
        // Milliseconds after which a used-up allowance is full again.
        let forgotten = Self.burstMessages * 1_000 / Self.messagesPerSecond
        usedAllowances = usedAllowances.filter { now - $0.value.atMilliseconds < forgotten }
        guard usedAllowances.count > Self.mostEntries else { return }
        // Thousands of unknown stands within seconds: the older half of the entries is dropped, so those stands start
        // with a full allowance.
        let median = usedAllowances.values.map(\.atMilliseconds).sorted()[usedAllowances.count / 2]
        usedAllowances = usedAllowances.filter { $0.value.atMilliseconds > median }
    }
}
