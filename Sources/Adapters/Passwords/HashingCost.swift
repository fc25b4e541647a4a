/// The cost of computing one hash, paid by the server at a sign-in and by a thief for each guess.
public struct HashingCost: Equatable, Sendable {
    public var memoryBytes: Int
    /// The number of passes over the memory.
    public var passes: Int

    public init(memoryBytes: Int, passes: Int) {
        precondition(memoryBytes >= 8_192, "\(memoryBytes) bytes are less than Argon2id takes")
        precondition(passes >= 1, "\(passes) passes are less than Argon2id takes")
        self.memoryBytes = memoryBytes
        self.passes = passes
    }

    /// 64 MB, three passes: about 100 to 200 ms on one core of a laptop.
    ///
    /// This is above libsodium's limit for interactive use (64 MB, two passes), and its memory is above that of RFC
    /// 9106's second recommended option. It is far below libsodium's moderate limit (256 MB), with which two sign-ins
    /// at once would take half a gigabyte from a running follower.
    public static let laptop = HashingCost(memoryBytes: 64 * 1_048_576, passes: 3)

    /// The least that the algorithm allows; for tests only.
    public static let least = HashingCost(memoryBytes: 8_192, passes: 1)
}
