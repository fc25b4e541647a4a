import Foundation

/// Slows down password guessing without locking out the account's owner.
///
/// Tries are counted in three ways: by address, by account, and by account together with address. Each count allows
/// some free tries; then the visitor must wait, each time twice as long.
///
/// Strangers can drive up the count of an account from many addresses. So this count does not apply to addresses from
/// which the account signed in before, and nobody can lock the technician out during a show. A browser that sends the
/// device mark of an earlier sign-in has a count of its own instead of the three, so that strangers at the same router
/// do not lock it out either.
///
/// A try is counted when it begins, so that a thousand simultaneous tries count as a thousand. The memory for counts is
/// limited.
public struct SignInGuard: Sendable {
    struct Rule: Equatable, Sendable {
        var freeTries: Int
        var longestWaitMilliseconds: Int64

        /// The time in milliseconds to wait before the next try: none for the free tries, then one second, two, four
        /// and so on.
        func wait(afterTries tries: Int) -> Int64 {
            guard tries >= freeTries else { return 0 }
            let doublings = min(tries - freeTries, 20)
            return min(1_000 << Int64(doublings), longestWaitMilliseconds)
        }
    }

    static let pairRule = Rule(freeTries: 5, longestWaitMilliseconds: 60_000)
    static let addressRule = Rule(freeTries: 20, longestWaitMilliseconds: 60_000)
    static let accountRule = Rule(freeTries: 10, longestWaitMilliseconds: 60_000)
    /// The time in milliseconds after its last try at which a count is reset.
    static let countLifetimeMilliseconds: Int64 = 15 * 60_000
    static let mostEntries = 20_000

    public init() {}

    private enum Key: Hashable {
        case address(String)
        case account(String)
        case pair(address: String, account: String)
        case device(mark: String, account: String)
    }

    private struct Count {
        var tries = 0
        var last: Int64 = 0
    }

    private var counts: [Key: Count] = [:]
    /// The addresses from which each account signed in, by account name; the newest is last.
    private var knownNetworks: [String: [String]] = [:]
    /// The maximum number of addresses remembered for one account.
    public static let mostAddressesOfAccount = 20

    /// Decides whether a visitor may try a password now, and if so counts the try as wrong until
    /// ``succeeded(account:from:device:)`` is called.
    /// - Parameters:
    ///   - device: the browser's device mark, if it belongs to this account; otherwise nil.
    ///   - now: milliseconds of a clock that never goes back.
    ///   - isOwnMachine: true on the machine that the server runs on, where other people's tries cause no waiting.
    /// - Returns: nil if the visitor may try now; otherwise the milliseconds to wait first, and then nothing is
    ///   counted.
    public mutating func beginTry(
        account name: String, from address: String, device: String? = nil, at now: Int64,
        isOwnMachine: Bool = false
    ) -> Int64? {
        let keys = countKeys(name, address, device, isOwnMachine)
        let wait = keys.map { key, rule in remaining(key, rule, at: now) }.max() ?? 0
        guard wait <= 0 else { return wait }
        makeRoom(at: now)
        for (key, _) in keys {
            let old = currentCount(key, at: now)
            counts[key] = Count(tries: old.tries + 1, last: now)
        }
        return nil
    }

    /// The trust in a visitor who is about to sign in. It decides which places of a ``ResourceQuota`` the visitor may
    /// use.
    public func trustLevel(
        account name: String, from address: String, device: String? = nil, at now: Int64,
        isOwnMachine: Bool = false
    ) -> ResourceQuota.TrustLevel {
        let (account, network) = (Self.account(name), Self.network(of: address))
        if isOwnMachine { return .ownMachine }
        if device != nil || knownNetworks[account]?.contains(network) == true { return .presumedStaff }
        return currentCount(.address(network), at: now).tries > 0 ? .suspicious : .anybody
    }

    /// Removes a counted try whose password could not be checked, so that it was neither right nor wrong.
    public mutating func withdrawTry(
        account name: String, from address: String, device: String? = nil, isOwnMachine: Bool = false
    ) {
        for (key, _) in countKeys(name, address, device, isOwnMachine) { decrementCount(key) }
    }

    private mutating func decrementCount(_ key: Key) {
        guard let count = counts[key] else { return }
        counts[key] = count.tries > 1 ? Count(tries: count.tries - 1, last: count.last) : nil
    }

    /// Records that the password of a counted try was right.
    public mutating func succeeded(account name: String, from address: String, device: String? = nil) {
        let (account, network) = (Self.account(name), Self.network(of: address))
        for (key, _) in countKeys(name, address, device, false) {
            // The count of the address loses only this try. Otherwise a stranger with an account could reset it.
            if case .address = key { decrementCount(key) } else { counts[key] = nil }
        }
        counts[.account(account)] = nil
        let others = knownNetworks[account, default: []].filter { $0 != network }
        knownNetworks[account] = Array((others + [network]).suffix(Self.mostAddressesOfAccount))
    }

    /// Adds addresses from which an account signed in before this server started.
    /// - Parameter networks: the addresses; the newest is last.
    mutating func addKnownNetworks(_ networks: [String], of name: String) {
        let account = Self.account(name)
        let newer = knownNetworks[account, default: []]
        let older = networks.filter { !newer.contains($0) }
        knownNetworks[account] = Array((older + newer).suffix(Self.mostAddressesOfAccount))
    }

    private func countKeys(
        _ name: String, _ address: String, _ device: String?, _ isOwnMachine: Bool
    ) -> [(Key, Rule)] {
        let (account, network) = (Self.account(name), Self.network(of: address))
        if let device { return [(.device(mark: device, account: account), Self.pairRule)] }
        var keys = [
            (Key.address(network), Self.addressRule),
            (.pair(address: network, account: account), Self.pairRule),
        ]
        if !isOwnMachine, knownNetworks[account]?.contains(network) != true {
            keys.append((.account(account), Self.accountRule))
        }
        return keys
    }

    private func currentCount(_ key: Key, at now: Int64) -> Count {
        guard let count = counts[key], now - count.last < Self.countLifetimeMilliseconds else {
            return Count()
        }
        return count
    }

    private func remaining(_ key: Key, _ rule: Rule, at now: Int64) -> Int64 {
        let count = currentCount(key, at: now)
        return rule.wait(afterTries: count.tries) - (now - count.last)
    }

    /// Removes old counts. If that is not enough, it also removes the half with the oldest tries.
    private mutating func makeRoom(at now: Int64) {
        guard counts.count + 3 > Self.mostEntries else { return }
        counts = counts.filter { now - $0.value.last < Self.countLifetimeMilliseconds }
        guard counts.count + 3 > Self.mostEntries else { return }
        let median = counts.values.map(\.last).sorted()[counts.count / 2]
        counts = counts.filter { $0.value.last > median }
    }

    /// The normal form of an account name: NFKC, lower case, without blanks, at most 256 bytes. Names that the account
    /// store treats as equal have the same normal form.
    private static func account(_ name: String) -> String {
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
