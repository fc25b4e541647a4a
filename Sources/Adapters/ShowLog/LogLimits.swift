/// Sizes and rhythms of a show log.
public struct LogLimits: Equatable, Sendable {
    /// A file of this size is followed by the next, with the next snapshot.
    public var fileBytes = 8 << 20
    /// A restart reads at most the events of this time.
    public var snapshotMilliseconds: Int64 = 60_000
    /// The time of day stands on a line at least this often.
    public var wallMilliseconds: Int64 = 60_000
    /// What may wait in memory while the disk takes nothing: hours of an ordinary show.
    public var memoryBytes = 4 << 20

    public init() {}
}
