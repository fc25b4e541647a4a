import Hosting
import Platform
import Rehearsal

/// Limits the messages of a stand to a steady rate, with a burst after a pause.
///
/// A stand that was offline sends its work in one burst; a faulty stand is slowed down before it harms others. All
/// stands of one user together have four times the allowance of one stand.
struct StandRateLimit: Sendable {
    static let messagesPerSecond = 50
    static let burstMessages = 400
    private static let userAllowanceFactor = 4
    private static let mostEntries = 5_000

    private var stands = RateLimit<StandKey>(
        unitsPerSecond: messagesPerSecond, burst: burstMessages, mostKeys: mostEntries)
    private var users = RateLimit<Rehearsal.User.ID>(
        unitsPerSecond: messagesPerSecond * userAllowanceFactor,
        burst: burstMessages * userAllowanceFactor, mostKeys: mostEntries)

    /// Number of stands and users that are remembered.
    var count: Int { stands.count + users.count }

    /// Counts messages of a stand if they are within its allowance.
    /// - Parameters:
    ///   - count: number of messages.
    ///   - now: milliseconds of a monotonic clock.
    /// - Returns: nil if the messages were counted; otherwise the milliseconds to wait, and nothing was counted.
    mutating func charge(_ count: Int, by stand: StandKey, at now: Int64) -> Int64? {
        let (units, now) = (Double(min(max(count, 1), 10_000)), Duration.milliseconds(now))
        // Without sign-in all stands belong to one user, who needs no common limit.
        let isAlone = stand.user == RehearsalRoomUser.idWithoutSignIn
        let waits = [
            stands.wait(for: units, of: stand, at: now),
            isAlone ? nil : users.wait(for: units, of: stand.user, at: now),
        ]
        if let longest = waits.compactMap(\.self).max() { return longest.wholeMilliseconds }
        _ = stands.take(units, of: stand, at: now)
        if !isAlone { _ = users.take(units, of: stand.user, at: now) }
        return nil
    }
}
