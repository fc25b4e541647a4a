import Synchronization

/// The hash of a random passphrase. It is made when it is needed first, because it takes as long as a check of a
/// passphrase, and a server that starts has no time for it.
final class DummyHash: Sendable {
    private let cost: HashingCost
    private let made = Mutex<String?>(nil)

    init(cost: HashingCost) { self.cost = cost }

    var value: String {
        made.withLock { made in
            let hash =
                made
                ?? Sodium.hashPassphrase(
                    Sodium.randomBytes(32), memoryBytes: cost.memoryBytes, passes: cost.passes)
            made = hash
            return hash
                ?? "$argon2id$v=19$m=65536,t=3,p=1$AAAAAAAAAAAAAAAAAAAAAA$AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"
        }
    }
}
