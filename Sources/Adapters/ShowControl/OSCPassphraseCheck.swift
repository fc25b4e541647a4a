/// Asks each address once for the shared passphrase, before any other message from it is processed.
///
/// OSC has no sign-in and no encryption, so the passphrase prevents mistakes, but not attacks from the same network.
/// The list of allowed senders is checked first; if both are set, a sender must pass both checks. After five wrong
/// passphrases, a socket must wait a minute; other sockets need not. After thirty wrong passphrases from several
/// sockets of an address, all its sockets that have not passed yet must wait. The check reads no clock; the caller
/// supplies the time.
struct OSCPassphraseCheck: Sendable {
    /// The time for which an accepted passphrase is valid for an address: long enough for the day of a show.
    static let admissionLifetime = Duration.seconds(12 * 3_600)
    static let lockoutDuration = Duration.seconds(60)
    static let maximumTriesPerSocket = 5
    static let maximumTriesPerAddress = 30
    static let maximumRememberedAddresses = 256

    /// An address with its transport. Strangers can forge the sender of a UDP packet but not of a TCP connection, so
    /// failed tries are counted separately for each transport.
    private struct AddressAndTransport: Hashable {
        let address: String
        let isUDP: Bool
    }

    private struct FailedTries {
        var count = 0
        var lastTryTime = Duration.zero
    }

    private let passphrase: [UInt8]?
    private var admissionEndsByAddress: [String: Duration] = [:]
    private var failedTriesBySocket: [OSCPeer: FailedTries] = [:]
    private var failedTriesByAddress: [AddressAndTransport: FailedTries] = [:]

    enum Outcome: Equatable {
        case accepted
        case wrong
        case lockedOut(seconds: Int)
    }

    init(passphrase: String?) { self.passphrase = passphrase.map { Array($0.utf8) } }

    func isAdmitted(for address: String, at now: Duration) -> Bool {
        guard passphrase != nil else { return true }
        return admissionEndsByAddress[address].map { now < $0 } ?? false
    }

    mutating func tryPassphrase(_ text: String, from peer: OSCPeer, at now: Duration) -> Outcome {
        guard let passphrase else { return .accepted }
        let address = AddressAndTransport(address: peer.address, isUDP: peer.isUDP)
        var ends = [Self.lockoutEnd(failedTriesBySocket[peer], most: Self.maximumTriesPerSocket)]
        if !isAdmitted(for: peer.address, at: now) {
            ends.append(Self.lockoutEnd(failedTriesByAddress[address], most: Self.maximumTriesPerAddress))
        }
        if let end = ends.compactMap({ $0 }).max(), now < end {
            return .lockedOut(seconds: Int((end - now) / .seconds(1)) + 1)
        }
        guard Self.equalInConstantTime(Array(text.utf8), passphrase) else {
            Self.recordFailedTry(&failedTriesBySocket, peer, at: now)
            Self.recordFailedTry(&failedTriesByAddress, address, at: now)
            return .wrong
        }
        failedTriesBySocket[peer] = nil
        Self.evictOldestEntry(in: &admissionEndsByAddress, for: peer.address) { $0 < $1 }
        admissionEndsByAddress[peer.address] = now + Self.admissionLifetime
        return .accepted
    }

    /// Returns the end of the waiting time after too many failed tries; nil if there is none.
    private static func lockoutEnd(_ wrong: FailedTries?, most: Int) -> Duration? {
        wrong.flatMap { $0.count >= most ? $0.lastTryTime + lockoutDuration : nil }
    }

    private static func recordFailedTry<Key>(_ table: inout [Key: FailedTries], _ key: Key, at now: Duration)
    {
        evictOldestEntry(in: &table, for: key) { $0.lastTryTime < $1.lastTryTime }
        let old = table[key].flatMap { now < $0.lastTryTime + lockoutDuration ? $0 : nil } ?? FailedTries()
        table[key] = FailedTries(count: old.count + 1, lastTryTime: now)
    }

    private static func evictOldestEntry<Key, Value>(
        in table: inout [Key: Value], for key: Key, by isOlder: (Value, Value) -> Bool
    ) {
        guard table[key] == nil, table.count >= maximumRememberedAddresses,
            let oldest = table.min(by: { isOlder($0.value, $1.value) })?.key
        else { return }
        table[oldest] = nil
    }

    /// Compares in constant time, so that the duration does not reveal where two texts differ.
    private static func equalInConstantTime(_ left: [UInt8], _ right: [UInt8]) -> Bool {
        var difference = left.count ^ right.count
        for index in right.indices {
            difference |= Int((index < left.count ? left[index] : 0) ^ right[index])
        }
        return difference == 0
    }
}
