import Synchronization

/// The sign-ins that have a stream open: somebody is using that screen.
final class TokensInUse: Sendable {
    private let counts = Mutex<[String: Int]>([:])

    /// One stream's use of a sign-in; it ends when the object is released.
    final class Use: Sendable {
        private let tokens: TokensInUse
        private let token: String

        fileprivate init(_ tokens: TokensInUse, _ token: String) {
            (self.tokens, self.token) = (tokens, token)
        }

        deinit { tokens.leave(token) }
    }

    var all: Set<String> { counts.withLock { Set($0.keys) } }

    func use(_ token: String) -> Use {
        counts.withLock { $0[token, default: 0] += 1 }
        return Use(self, token)
    }

    private func leave(_ token: String) {
        counts.withLock { counts in
            let count = counts[token, default: 0]
            counts[token] = count > 1 ? count - 1 : nil
        }
    }
}
