import Platform
import Synchronization
import WebServer

/// Makes guessing the speakers' code slow, on the page and on the port.
///
/// A wrong code is answered late, and after some wrong codes those from the same network are looked at one after
/// another. So a right code is never refused because of others' guesses: at the worst it waits for its turn.
final class CodeGuesses: Sendable {
    /// The wait before the answer to a wrong code.
    static let wait = Duration.seconds(2)
    /// The wrong codes of a network that are looked at at once, and those each second after them.
    static let (freeOfNetwork, eachSecondOfNetwork) = (16, 2)
    /// The same for all networks that have used up half of their own: many machines guess no faster than one room.
    static let (freeOfAll, eachSecondOfAll) = (64, 16)
    /// The most codes of a network, and of all, that wait for their turn.
    static let (mostWaitingOfNetwork, mostWaiting) = (64, 512)
    /// The longest time until a code is looked at. The page asks again by itself.
    static let longestWait = Duration.seconds(10)
    private static let lookInterval = Duration.milliseconds(100)

    private struct State {
        var ofNetwork = RateLimit<String>(unitsPerSecond: eachSecondOfNetwork, burst: freeOfNetwork)
        /// Tells the networks that have made few mistakes: they wait for nobody.
        var suspicion = RateLimit<String>(unitsPerSecond: eachSecondOfNetwork, burst: freeOfNetwork / 2)
        var ofAll = RateLimit<String>(unitsPerSecond: eachSecondOfAll, burst: freeOfAll)
        /// By network: a visitor may have many IPv6 addresses of one.
        var waiting: [String: Int] = [:]

        mutating func look(isRight: Bool, from network: String, at now: ContinuousClock.Instant) -> Bool? {
            let isSuspicious = suspicion.isUsedUp(network, at: now)
            if ofNetwork.isUsedUp(network, at: now) || isSuspicious && ofAll.isUsedUp("", at: now) {
                return nil
            }
            if !isRight {
                _ = ofNetwork.admits(network, at: now)
                _ = suspicion.admits(network, at: now)
                if isSuspicious { _ = ofAll.admits("", at: now) }
            }
            return isRight
        }
    }

    private let state = Mutex(State())
    private let clock: @Sendable () -> ContinuousClock.Instant

    init(now: @escaping @Sendable () -> ContinuousClock.Instant = { .now }) { clock = now }

    /// Looks at a code now.
    /// - Returns: whether it is right; nil if it has to wait for its turn.
    func look(isRight: Bool, from address: String) -> Bool? {
        let network = ResourceQuota.Holder(address: address).network
        return state.withLock { $0.look(isRight: isRight, from: network, at: clock()) }
    }

    /// Looks at a code, when it is its turn.
    /// - Returns: whether it is right; nil if too many wait, or it has waited for too long.
    func verdict(isRight: Bool, from address: String) async -> Bool? {
        if let verdict = look(isRight: isRight, from: address) { return verdict }
        let network = ResourceQuota.Holder(address: address).network
        let waits = state.withLock { state in
            guard state.waiting[network, default: 0] < Self.mostWaitingOfNetwork,
                state.waiting.values.reduce(0, +) < Self.mostWaiting
            else { return false }
            state.waiting[network, default: 0] += 1
            return true
        }
        guard waits else { return nil }
        defer {
            state.withLock { state in
                let left = (state.waiting[network] ?? 1) - 1
                state.waiting[network] = left > 0 ? left : nil
            }
        }
        // Whose turn it is is left to chance, so that nobody can be first all the time.
        let end = ContinuousClock.now + Self.longestWait
        while ContinuousClock.now < end {
            try? await Task.sleep(for: Self.lookInterval * Double.random(in: 0.5...1.5))
            if Task.isCancelled { return nil }
            if let verdict = look(isRight: isRight, from: address) { return verdict }
        }
        return nil
    }

    /// True if a code is right and it has been looked at.
    func isTaken(isRight: Bool, from address: String) async -> Bool {
        await verdict(isRight: isRight, from: address) ?? false
    }
}
