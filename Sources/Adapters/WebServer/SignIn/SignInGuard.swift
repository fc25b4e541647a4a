import Foundation

/// Slows down password guessing without locking out the account's owner.
///
/// There are three counts: by address, by account, and by account from one address. Each has some free tries and then
/// a waiting time that doubles. A stranger can drive up the count by account from many addresses, so it does not
/// apply to addresses from which the account signed in before: nobody can lock the technician out during a show. A
/// device that sends the mark of an earlier sign-in has a count of its own instead of all three, so that strangers
/// behind the same router do not lock it out either. A try is counted when it begins, so that a thousand simultaneous
/// tries count as a thousand. Memory is limited.
public struct SignInGuard: Sendable {
    struct Rule: Equatable, Sendable {
        var freeTries: Int
        var longestWaitMilliseconds: Int64

        /// The waiting time: none for the free tries, then one second, two, four …
        func wait(afterTries tries: Int) -> Int64 {
            guard tries >= freeTries else { return 0 }
            let doublings = min(tries - freeTries, 20)
            return min(1_000 << Int64(doublings), longestWaitMilliseconds)
        }
    }

    static let byPair = Rule(freeTries: 5, longestWaitMilliseconds: 60_000)
    static let byAddress = Rule(freeTries: 20, longestWaitMilliseconds: 60_000)
    static let byAccount = Rule(freeTries: 10, longestWaitMilliseconds: 60_000)
    /// A count is forgotten this long after its last try.
    static let forgetMilliseconds: Int64 = 15 * 60_000
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
    /// Addresses from which each account signed in, by account name; the newest last.
    private var known: [String: [String]] = [:]
    /// Number of addresses kept for one account.
    public static let mostAddressesOfAccount = 20

    /// Asks for permission to try.
    /// - Parameters:
    ///   - device: the mark of a device that signed in to this account before; nil for any other.
    ///   - now: milliseconds of a clock that never goes back.
    ///   - isOwnMachine: true on the machine that the server runs on, where other people's tries cause no waiting.
    /// - Returns: milliseconds to wait first, and then nothing was counted; nil to go on, and then the try counts as
    ///   wrong until `succeeded` is called.
    public mutating func begin(
        account name: String, from address: String, device: String? = nil, at now: Int64,
        isOwnMachine: Bool = false
    ) -> Int64? {
        let keys = keys(name, address, device, isOwnMachine)
        let wait = keys.map { key, rule in remaining(key, rule, at: now) }.max() ?? 0
        guard wait <= 0 else { return wait }
        makeRoom(at: now)
        for (key, _) in keys {
            let old = fresh(key, at: now)
            counts[key] = Count(tries: old.tries + 1, last: now)
        }
        return nil
    }

    /// The standing of a visitor who tries to sign in, for the ``ResourceQuota`` of places.
    public func standing(
        account name: String, from address: String, device: String? = nil, at now: Int64,
        isOwnMachine: Bool = false
    ) -> ResourceQuota.Standing {
        let (account, network) = (Self.account(name), Self.network(of: address))
        if isOwnMachine { return .ownMachine }
        if device != nil || known[account]?.contains(network) == true { return .presumed }
        return fresh(.address(network), at: now).tries > 0 ? .doubtful : .anybody
    }

    /// Takes back a try that `begin` permitted but that could not be checked: it was neither right nor wrong.
    public mutating func withdraw(
        account name: String, from address: String, device: String? = nil, isOwnMachine: Bool = false
    ) {
        for (key, _) in keys(name, address, device, isOwnMachine) { takeBack(key) }
    }

    private mutating func takeBack(_ key: Key) {
        guard let count = counts[key] else { return }
        counts[key] = count.tries > 1 ? Count(tries: count.tries - 1, last: count.last) : nil
    }

    /// Records that the try that `begin` permitted was right.
    public mutating func succeeded(account name: String, from address: String, device: String? = nil) {
        let (account, network) = (Self.account(name), Self.network(of: address))
        for (key, _) in keys(name, address, device, false) {
            // For the address, only this try is taken back. Otherwise a stranger with an account could reset the
            // address's count.
            if case .address = key { takeBack(key) } else { counts[key] = nil }
        }
        counts[.account(account)] = nil
        let others = known[account, default: []].filter { $0 != network }
        known[account] = Array((others + [network]).suffix(Self.mostAddressesOfAccount))
    }

    /// Adds the addresses from which an account signed in before this server started; the newest last.
    mutating func addKnownNetworks(_ networks: [String], of name: String) {
        let account = Self.account(name)
        let newer = known[account, default: []]
        let older = networks.filter { !newer.contains($0) }
        known[account] = Array((older + newer).suffix(Self.mostAddressesOfAccount))
    }

    private func keys(
        _ name: String, _ address: String, _ device: String?, _ isOwnMachine: Bool
    ) -> [(Key, Rule)] {
        let (account, network) = (Self.account(name), Self.network(of: address))
        if let device { return [(.device(mark: device, account: account), Self.byPair)] }
        var keys = [
            (Key.address(network), Self.byAddress), (.pair(address: network, account: account), Self.byPair),
        ]
        if !isOwnMachine, known[account]?.contains(network) != true {
            keys.append((.account(account), Self.byAccount))
        }
        return keys
    }

    private func fresh(_ key: Key, at now: Int64) -> Count {
        guard let count = counts[key], now - count.last < Self.forgetMilliseconds else { return Count() }
        return count
    }

    private func remaining(_ key: Key, _ rule: Rule, at now: Int64) -> Int64 {
        let count = fresh(key, at: now)
        return rule.wait(afterTries: count.tries) - (now - count.last)
    }

    /// Forgets old counts and, if that is not enough, the half that was unused longest.
    private mutating func makeRoom(at now: Int64) {
        guard counts.count + 3 > Self.mostEntries else { return }
        counts = counts.filter { now - $0.value.last < Self.forgetMilliseconds }
        guard counts.count + 3 > Self.mostEntries else { return }
        let median = counts.values.map(\.last).sorted()[counts.count / 2]
        counts = counts.filter { $0.value.last > median }
    }

    /// The normal form of a name. It treats at least those spellings as equal that the accounts treat as equal (NFKC,
    /// lower case); a name of any length takes little memory.
    private static func account(_ name: String) -> String {
        let plain = name.precomposedStringWithCompatibilityMapping.lowercased().filter { !$0.isWhitespace }
        return String(decoding: plain.utf8.prefix(256), as: UTF8.self)
    }

    /// An IPv6 network of 64 bits counts as one address, because one visitor usually has all of its addresses.
    static func network(of address: String) -> String {
        guard address.contains(":"), !address.hasPrefix("::ffff:") else { return address }
        let halves = address.prefix { $0 != "%" }.split(separator: ":", omittingEmptySubsequences: false)
        guard let gap = halves.firstIndex(of: ""), gap < 4 else {
            return halves.prefix(4).joined(separator: ":") + "::/64"
        }
        // The gap stands for as many zeros as are missing to eight groups.
        let head = halves[..<gap].filter { !$0.isEmpty }
        let tail = halves[gap...].filter { !$0.isEmpty }
        let zeros = max(0, 8 - head.count - tail.count)
        let groups = head + Array(repeating: "0", count: zeros) + tail
        return groups.prefix(4).joined(separator: ":") + "::/64"
    }
}
