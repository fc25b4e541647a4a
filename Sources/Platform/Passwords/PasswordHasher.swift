/// Hashes and checks passphrases with Argon2id. It usually computes two hashes at once, and a third on a thread
/// reserved for preferred sign-ins.
///
/// Memory is limited to three hashes at once. Waiting time is limited by the length of the queue; further requests
/// are refused at once. Source: RFC 9106; libsodium, "Password hashing".
public final class PasswordHasher: Sendable {
    /// The result of checking a passphrase.
    public enum Verdict: Equatable, Sendable {
        case wrong
        case right
        /// The passphrase is right, but the hash was made with another cost. Hash the passphrase again and store the
        /// result.
        case rightButOutdated
    }

    public let cost: HashingCost
    private let hashingThreads: HashingThreads
    /// The thread reserved for preferred sign-ins, which a flood of other sign-ins cannot delay.
    private let preferredSignInThreads: HashingThreads
    /// A hash of a random passphrase. It is checked if the account does not exist, so that an unknown name takes as
    /// long as a known one.
    private let dummyHash: DummyHash

    /// Starts no thread before there is work.
    /// - Parameters:
    ///   - atOnce: the number of hashes computed at the same time.
    ///   - waitingLimit: the number of requests that may wait; further ones are refused with `.tooManySignInsWaiting`.
    public init(cost: HashingCost = .standard, atOnce: Int = 2, waitingLimit: Int = 16) {
        self.cost = cost
        hashingThreads = HashingThreads(mostThreads: atOnce, mostWaitingWork: waitingLimit, niceness: 10)
        preferredSignInThreads = HashingThreads(mostThreads: 1, mostWaitingWork: waitingLimit, niceness: 5)
        dummyHash = DummyHash(cost: cost)
    }

    /// Hashes a passphrase.
    /// - Returns: text that holds algorithm, cost, salt and hash.
    public func hash(_ passphrase: Passphrase) async throws(PasswordError) -> String {
        let cost = cost
        let hash = try await compute(on: hashingThreads) {
            Sodium.hashPassphrase(passphrase.bytes, memoryBytes: cost.memoryBytes, passes: cost.passes)
        }
        guard let hash else { throw .outOfMemory(bytes: cost.memoryBytes) }
        return hash
    }

    /// Checks a passphrase against an account's hash.
    /// - Parameters:
    ///   - hash: nil if there is no such account or it may not sign in; the check then takes the same time and always
    ///     fails.
    ///   - first: true uses the reserved thread instead of the queue.
    public func verify(
        _ passphrase: Passphrase, against hash: String?, first: Bool = false
    ) async throws(PasswordError) -> Verdict {
        let (cost, dummyHash) = (cost, dummyHash)
        let verdict = try await compute(on: first ? preferredSignInThreads : hashingThreads) {
            () -> Verdict? in
            // Asked for in each case, so that the first check takes the same time for an unknown name too.
            let dummy = dummyHash.value
            guard let isRight = Sodium.verifyPassphrase(passphrase.bytes, against: hash ?? dummy) else {
                return nil
            }
            guard let hash, isRight else { return .wrong }
            let isOutdated = Sodium.isHashOutdated(hash, memoryBytes: cost.memoryBytes, passes: cost.passes)
            return isOutdated ? .rightButOutdated : .right
        }
        guard let verdict else { throw .outOfMemory(bytes: cost.memoryBytes) }
        return verdict
    }

    private func compute<Value: Sendable>(
        on threads: HashingThreads, _ work: @escaping @Sendable () -> Value
    ) async throws(PasswordError) -> Value {
        let result: Result<Value, PasswordError> = await withCheckedContinuation { continuation in
            let refused = threads.enqueue { continuation.resume(returning: .success(work())) }
            if let refused {
                continuation.resume(returning: .failure(.tooManySignInsWaiting(waiting: refused)))
            }
        }
        return try result.get()
    }
}
