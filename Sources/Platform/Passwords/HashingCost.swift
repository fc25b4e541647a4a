/// The cost of computing one password hash. The server pays this cost at each sign-in, a thief at each guess.
public struct HashingCost: Equatable, Sendable {
    public var memoryBytes: Int
    /// The number of passes over the memory that the algorithm makes.
    public var passes: Int

    public init(memoryBytes: Int, passes: Int) {
        precondition(memoryBytes >= 8_192, "\(memoryBytes) bytes are less than Argon2id takes")
        precondition(passes >= 1, "\(passes) passes are less than Argon2id takes")
        self.memoryBytes = memoryBytes
        self.passes = passes
    }

    /// The cost in production: 64 MB, three passes; about 100 to 200 ms on one core of a laptop.
    ///
    /// This is more than libsodium's limit for interactive use (64 MB, two passes) and uses as much memory as RFC
    /// 9106's second recommended option. libsodium's moderate limit (256 MB) would be too much: two sign-ins at once
    /// would take half a gigabyte from a running follower.
    public static let standard = HashingCost(memoryBytes: 64 * 1_048_576, passes: 3)

    /// The lowest cost that the algorithm allows; for tests only.
    public static let least = HashingCost(memoryBytes: 8_192, passes: 1)
}
