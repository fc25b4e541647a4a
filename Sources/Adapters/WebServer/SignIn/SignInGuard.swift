import Foundation

/// Slows down password guessing without locking out the account's owner.
///
/// Tries are counted in three ways: by address, by account, and by account together with address. Each count allows
/// some free tries; then the visitor must wait, each time twice as long.
///
/// Strangers can drive up the count of an account from many addresses. So this count does not apply to addresses from
/// which the account signed in before, and nobody can lock the technician out during a show. A browser that sends the
/// device mark of an earlier sign-in has a count of its own instead of the three counts. So strangers behind the same
/// router cannot lock it out either.
///
/// A try is counted when it begins, so that a thousand simultaneous tries count as a thousand. The memory for counts is
/// limited.
public struct SignInGuard: Sendable {
    struct Rule: Equatable, Sendable {
        var freeTries: Int
        var longestWaitMilliseconds: Int64

        /// The time in milliseconds to wait before the next try. There is no wait for the free tries; then it is one
        /// second, two, four and so on.
        func wait(afterTries tries: Int) -> Int64 {
            guard tries >= freeTries else { return 0 }
            let doublings = min(tries - freeTries, 20)
            return min(1_000 << Int64(doublings), longestWaitMilliseconds)
        }
    }

    static let accountAtAddressRule = Rule(freeTries: 5, longestWaitMilliseconds: 60_000)
    static let addressRule = Rule(freeTries: 20, longestWaitMilliseconds: 60_000)
    static let accountRule = Rule(freeTries: 10, longestWaitMilliseconds: 60_000)
    /// The time in milliseconds after its last try at which a count is reset.
    static let countLifetimeMilliseconds: Int64 = 15 * 60_000
    static let mostCounts = 20_000

    public init() {}

    private enum Key: Hashable {
        case address(String)
        case account(String)
        case accountAtAddress(address: String, account: String)
        case device(mark: String, account: String)
    }

    private struct TryCount {
        var tries = 0
        var lastTryMilliseconds: Int64 = 0
    }

    private var tryCounts: [Key: TryCount] = [:]
    /// The addresses from which each account signed in, by account name; the newest is last.
    private var knownNetworks: [String: [String]] = [:]
    /// The maximum number of addresses remembered for one account.
    public static let mostAddressesOfAccount = 20

    /// Decides whether a visitor may try a password now, and if so counts the try as wrong until
    /// ``recordSuccess(account:from:device:)`` is called.
    /// - Parameters:
    ///   - device: the browser's device mark, if it belongs to this account; otherwise nil.
    ///   - now: milliseconds of a clock that never goes back.
    ///   - isOwnMachine: true on the machine on which the server runs; tries of other people cause no waiting there.
    /// - Returns: nil if the visitor may try now; otherwise the milliseconds to wait first, and then nothing is
    ///   counted.
    public mutating func beginTry(
        account name: String, from address: String, device: String? = nil, at now: Int64,
        isOwnMachine: Bool = false
    ) -> Int64? {
        let keys = countKeysAndRules(name, address, device, isOwnMachine)
        let wait = keys.map { key, rule in remainingWait(key, rule, at: now) }.max() ?? 0
        guard wait <= 0 else { return wait }
        forgetOldCounts(at: now)
        for (key, _) in keys {
            let old = currentCount(key, at: now)
            tryCounts[key] = TryCount(tries: old.tries + 1, lastTryMilliseconds: now)
        }
        return nil
    }

    /// The trust in a visitor who is about to sign in. It decides which places of a ``ResourceQuota`` the visitor may
    /// use.
    public func trustLevel(
        account name: String, from address: String, device: String? = nil, at now: Int64,
        isOwnMachine: Bool = false
    ) -> ResourceQuota.TrustLevel {
        let (account, network) = (Self.normalizeAccountName(name), Self.network(of: address))
        if isOwnMachine { return .ownMachine }
        if device != nil || knownNetworks[account]?.contains(network) == true { return .presumedStaff }
        return currentCount(.address(network), at: now).tries > 0 ? .suspicious : .anybody
    }

    /// Removes a counted try whose password could not be checked, so that it was neither right nor wrong.
    public mutating func withdrawTry(
        account name: String, from address: String, device: String? = nil, isOwnMachine: Bool = false
    ) {
        for (key, _) in countKeysAndRules(name, address, device, isOwnMachine) { decrementCount(key) }
    }

    private mutating func decrementCount(_ key: Key) {
        guard let count = tryCounts[key] else { return }
        tryCounts[key] =
            count.tries > 1
            ? TryCount(tries: count.tries - 1, lastTryMilliseconds: count.lastTryMilliseconds) : nil
    }

    /// Records that the password of a counted try was right.
    public mutating func recordSuccess(account name: String, from address: String, device: String? = nil) {
        let (account, network) = (Self.normalizeAccountName(name), Self.network(of: address))
        for (key, _) in countKeysAndRules(name, address, device, false) {
            // The count of the address loses only this try. Otherwise a stranger with an account could reset it.
            if case .address = key { decrementCount(key) } else { tryCounts[key] = nil }
        }
        tryCounts[.account(account)] = nil
        let others = knownNetworks[account, default: []].filter { $0 != network }
        knownNetworks[account] = Array((others + [network]).suffix(Self.mostAddressesOfAccount))
    }

    /// Adds addresses from which an account signed in before this server started.
    /// - Parameter networks: the addresses; the newest is last.
    mutating func addKnownNetworks(_ networks: [String], of name: String) {
        let account = Self.normalizeAccountName(name)
        let newer = knownNetworks[account, default: []]
        let older = networks.filter { !newer.contains($0) }
        knownNetworks[account] = Array((older + newer).suffix(Self.mostAddressesOfAccount))
    }

    private func countKeysAndRules(
        _ name: String, _ address: String, _ device: String?, _ isOwnMachine: Bool
    ) -> [(Key, Rule)] {
        let (account, network) = (Self.normalizeAccountName(name), Self.network(of: address))
        if let device { return [(.device(mark: device, account: account), Self.accountAtAddressRule)] }
        var keys = [
            (Key.address(network), Self.addressRule),
            (.accountAtAddress(address: network, account: account), Self.accountAtAddressRule),
        ]
        if !isOwnMachine, knownNetworks[account]?.contains(network) != true {
            keys.append((.account(account), Self.accountRule))
        }
        return keys
    }

    private func currentCount(_ key: Key, at now: Int64) -> TryCount {
        guard let count = tryCounts[key], now - count.lastTryMilliseconds < Self.countLifetimeMilliseconds
        else {
            return TryCount()
        }
        return count
    }

    private func remainingWait(_ key: Key, _ rule: Rule, at now: Int64) -> Int64 {
        let count = currentCount(key, at: now)
        return rule.wait(afterTries: count.tries) - (now - count.lastTryMilliseconds)
    }

    /// Removes old counts. If that is not enough, it also removes the half with the oldest tries.
    private mutating func forgetOldCounts(at now: Int64) {
        guard tryCounts.count + 3 > Self.mostCounts else { return }
        tryCounts = tryCounts.filter { now - $0.value.lastTryMilliseconds < Self.countLifetimeMilliseconds }
        guard tryCounts.count + 3 > Self.mostCounts else { return }
        let median = tryCounts.values.map(\.lastTryMilliseconds).sorted()[tryCounts.count / 2]
        tryCounts = tryCounts.filter { $0.value.lastTryMilliseconds > median }
    }

    /// The normal form of an account name: NFKC, lower case, without blanks, at most 256 bytes. Names that the account
    /// store treats as equal have the same normal form.
    static func normalizeAccountName(_ name: String) -> String {
        let plain = name.precomposedStringWithCompatibilityMapping.lowercased().filter { !$0.isWhitespace }
        return String(decoding: plain.utf8.prefix(256), as: UTF8.self)
    }

    /// The network that counts as one address. For IPv6 it is the network of 64 bits, because one visitor usually has
    /// all of its addresses; for IPv4 it is the address itself.
    static func network(of address: String) -> String {
        guard address.contains(":"), !address.hasPrefix("::ffff:") else { return address }
        let halves = address.prefix { $0 != "%" }.split(separator: ":", omittingEmptySubsequences: false)
        guard let gap = halves.firstIndex(of: ""), gap < 4 else {
            return halves.prefix(4).joined(separator: ":") + "::/64"
        }
        // The gap "::" stands for as many zero groups as are missing to eight.
        let head = halves[..<gap].filter { !$0.isEmpty }
        let tail = halves[gap...].filter { !$0.isEmpty }
        let zeros = max(0, 8 - head.count - tail.count)
        let groups = head + Array(repeating: "0", count: zeros) + tail
        return groups.prefix(4).joined(separator: ":") + "::/64"
    }
}
