import Rehearsal

/// How much a stand may send: a steady rate, and more for a while after a silence.
///
/// A stand that was away delivers what it made meanwhile in one go; a program gone wild is slowed down before it
/// costs anybody else anything. A user's stands together have four times one stand's allowance.
struct SendAllowance: Sendable {
    static let perSecond: Int64 = 50
    static let burst: Int64 = 400
    private static let standsPerUser: Int64 = 4
    private static let mostEntries = 10_000

    private enum Key: Hashable {
        case stand(StandKey)
        case user(Rehearsal.User.ID)
    }

    /// In thousandths of a message, as of an instant.
    private struct Spent {
        var thousandths: Int64
        var at: Int64
    }

    private var spent: [Key: Spent] = [:]

    /// How many stands and users are remembered.
    var count: Int { spent.count }

    /// - Parameters:
    ///   - count: of messages.
    ///   - now: milliseconds of a clock that never goes back.
    /// - Returns: milliseconds to wait first, then nothing was counted; nil where they may be sent.
    mutating func take(_ count: Int, by stand: StandKey, at now: Int64) -> Int64? {
        makeRoom(at: now)
        let cost = Int64(min(max(count, 1), 10_000)) * 1_000
        var keys = [(Key.stand(stand), Int64(1))]
        // Without a sign-in all stands are one person's.
        if stand.user != RoomPerson.localID { keys.append((.user(stand.user), Self.standsPerUser)) }
        var wait: Int64 = 0
        for (key, share) in keys {
            let over = left(key, share, at: now) + cost - Self.burst * share * 1_000
            // Thousandths of a message by messages a second are milliseconds.
            if over > 0 { wait = max(wait, (over + Self.perSecond * share - 1) / (Self.perSecond * share)) }
        }
        guard wait == 0 else { return wait }
        for (key, share) in keys {
            spent[key] = Spent(thousandths: left(key, share, at: now) + cost, at: now)
        }
        return nil
    }

    private func left(_ key: Key, _ share: Int64, at now: Int64) -> Int64 {
        guard let old = spent[key] else { return 0 }
        return max(0, old.thousandths - (now - old.at) * Self.perSecond * share)
    }

    private mutating func makeRoom(at now: Int64) {
        guard spent.count > Self.mostEntries else { return }
        // After so long everything is earned back.
        let forgotten = Self.burst * 1_000 / Self.perSecond
        spent = spent.filter { now - $0.value.at < forgotten }
        guard spent.count > Self.mostEntries else { return }
        // Strangers by the thousand within seconds: whoever sent least recently is trusted anew.
        let median = spent.values.map(\.at).sorted()[spent.count / 2]
        spent = spent.filter { $0.value.at > median }
    }
}
