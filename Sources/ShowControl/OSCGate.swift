/// Asks for the shared passphrase, once for each address, before anything else is done for it.
///
/// OSC has no sign-in and travels in the clear: this keeps mistakes out, not attackers on the same network.
/// After five wrong passphrases in a row an address waits a minute. Pure; the caller brings the time.
struct OSCGate: Sendable {
    /// A show day.
    static let opensFor = Duration.seconds(12 * 3_600)
    static let pause = Duration.seconds(60)
    static let mostTries = 5
    static let mostAddresses = 256

    private let passphrase: [UInt8]?
    private var open: [String: Duration] = [:]
    private var wrong: [String: (count: Int, last: Duration)] = [:]

    enum Outcome: Equatable {
        case opened
        case wrong
        case waiting(seconds: Int)
    }

    init(passphrase: String?) { self.passphrase = passphrase.map { Array($0.utf8) } }

    func isOpen(for address: String, at now: Duration) -> Bool {
        guard passphrase != nil else { return true }
        return open[address].map { now < $0 } ?? false
    }

    mutating func offer(_ text: String, from address: String, at now: Duration) -> Outcome {
        guard let passphrase else { return .opened }
        let tries = wrong[address]
        if let tries, tries.count >= Self.mostTries, now < tries.last + Self.pause {
            return .waiting(seconds: Int((tries.last + Self.pause - now) / .seconds(1)) + 1)
        }
        guard Self.equal(Array(text.utf8), passphrase) else {
            makeRoom(in: &wrong, for: address) { $0.last < $1.last }
            let isFresh = tries.map { now >= $0.last + Self.pause } ?? true
            wrong[address] = ((isFresh ? 0 : tries?.count ?? 0) + 1, now)
            return .wrong
        }
        wrong[address] = nil
        makeRoom(in: &open, for: address) { $0 < $1 }
        open[address] = now + Self.opensFor
        return .opened
    }

    private func makeRoom<Value>(
        in table: inout [String: Value], for address: String, by isOlder: (Value, Value) -> Bool
    ) {
        guard table[address] == nil, table.count >= Self.mostAddresses,
            let oldest = table.min(by: { isOlder($0.value, $1.value) })?.key
        else { return }
        table[oldest] = nil
    }

    /// Takes the same time wherever the texts differ.
    private static func equal(_ left: [UInt8], _ right: [UInt8]) -> Bool {
        var difference = left.count ^ right.count
        for index in right.indices {
            difference |= Int((index < left.count ? left[index] : 0) ^ right[index])
        }
        return difference == 0
    }
}
