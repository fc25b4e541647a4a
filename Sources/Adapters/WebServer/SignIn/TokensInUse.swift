import Synchronization

/// The sign-in tokens that have an open stream. An open stream means that somebody uses its screen now.
final class TokensInUse: Sendable {
    private let openStreamCounts = Mutex<[String: Int]>([:])

    /// One open stream of a sign-in. The use ends when the object is released.
    final class StreamUse: Sendable {
        private let registry: TokensInUse
        private let token: String

        fileprivate init(_ registry: TokensInUse, _ token: String) {
            (self.registry, self.token) = (registry, token)
        }

        deinit { registry.endUse(token) }
    }

    var allTokens: Set<String> { openStreamCounts.withLock { Set($0.keys) } }

    func beginUse(_ token: String) -> StreamUse {
        openStreamCounts.withLock { $0[token, default: 0] += 1 }
        return StreamUse(self, token)
    }

    private func endUse(_ token: String) {
        openStreamCounts.withLock { counts in
            let count = counts[token, default: 0]
            counts[token] = count > 1 ? count - 1 : nil
        }
    }
}
