/// What one hash costs whoever computes it: us at a sign-in, a thief for each guess.
public struct HashingCost: Equatable, Sendable {
    public var memoryBytes: Int
    /// Passes over the memory.
    public var passes: Int

    public init(memoryBytes: Int, passes: Int) {
        precondition(memoryBytes >= 8_192, "\(memoryBytes) bytes are less than Argon2id takes")
        precondition(passes >= 1, "\(passes) passes are less than Argon2id takes")
        self.memoryBytes = memoryBytes
        self.passes = passes
    }

    /// 64 MB, three passes: about 100 to 200 ms on one core of a laptop.
    ///
    /// Above libsodium's limit for interactive use (64 MB, two passes) and above RFC 9106's second recommended
    /// option in memory; far below its moderate one (256 MB), which two sign-ins at once would turn into half
    /// a gigabyte beside a running follower.
    public static let laptop = HashingCost(memoryBytes: 64 * 1_048_576, passes: 3)

    /// As little as the algorithm takes; for tests only.
    public static let least = HashingCost(memoryBytes: 8_192, passes: 1)
}
