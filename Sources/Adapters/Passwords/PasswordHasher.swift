import Digests

/// Hashes and checks passphrases with Argon2id, at most two at once, and one more of those that go first.
///
/// Memory is bounded by three times the cost's, time by the queue: whoever would wait too long is told so at once.
/// Source: RFC 9106; libsodium, "Password hashing".
public final class PasswordHasher: Sendable {
    public enum Verdict: Equatable, Sendable {
        case wrong
        case right
        /// Right, but hashed at another cost: hash it anew and keep that.
        case rightButOutdated
    }

    public let cost: HashingCost
    private let threads: HashingThreads
    /// For those that go first; a flood in the other queue does not reach it.
    private let reserve: HashingThreads
    /// A hash of nothing anybody types, checked in place of that of an account that does not exist.
    private let nobody: String

    /// - Parameters:
    ///   - atOnce: hashes computed at the same time.
    ///   - waitingLimit: more than these are refused with `.busy`.
    public init(cost: HashingCost = .laptop, atOnce: Int = 2, waitingLimit: Int = 16) {
        self.cost = cost
        threads = HashingThreads(limit: atOnce, waitingLimit: waitingLimit, niceness: 10)
        reserve = HashingThreads(limit: 1, waitingLimit: waitingLimit, niceness: 5)
        nobody =
            Sodium.hash(Sodium.randomBytes(32), memoryBytes: cost.memoryBytes, passes: cost.passes)
            ?? "$argon2id$v=19$m=65536,t=3,p=1$AAAAAAAAAAAAAAAAAAAAAA$AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"
    }

    /// - Returns: text that holds algorithm, cost, salt and hash.
    public func hash(_ passphrase: Passphrase) async throws(PasswordError) -> String {
        let cost = cost
        let hash = try await compute(on: threads) {
            Sodium.hash(passphrase.bytes, memoryBytes: cost.memoryBytes, passes: cost.passes)
        }
        guard let hash else { throw .outOfMemory(bytes: cost.memoryBytes) }
        return hash
    }

    /// Checks a passphrase against an account's hash.
    /// - Parameters:
    ///   - hash: nil where there is no such account (or it may not sign in): takes the same time, and is always wrong.
    ///   - first: not behind those that wait, but on a thread kept for this.
    public func verify(
        _ passphrase: Passphrase, against hash: String?, first: Bool = false
    ) async throws(PasswordError) -> Verdict {
        let (cost, nobody) = (cost, nobody)
        let verdict = try await compute(on: first ? reserve : threads) { () -> Verdict? in
            guard let isRight = Sodium.verify(passphrase.bytes, against: hash ?? nobody) else { return nil }
            guard let hash, isRight else { return .wrong }
            let isOutdated = Sodium.isOutdated(hash, memoryBytes: cost.memoryBytes, passes: cost.passes)
            return isOutdated ? .rightButOutdated : .right
        }
        guard let verdict else { throw .outOfMemory(bytes: cost.memoryBytes) }
        return verdict
    }

    private func compute<Value: Sendable>(
        on threads: HashingThreads, _ work: @escaping @Sendable () -> Value
    ) async throws(PasswordError) -> Value {
        let result: Result<Value, PasswordError> = await withCheckedContinuation { continuation in
            let refused = threads.take { continuation.resume(returning: .success(work())) }
            if let refused { continuation.resume(returning: .failure(.busy(waiting: refused))) }
        }
        return try result.get()
    }
}
