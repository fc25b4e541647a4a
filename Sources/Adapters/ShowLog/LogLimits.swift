/// Sizes and intervals of a show log.
public struct LogLimits: Equatable, Sendable {
    /// The size after which the next snapshot begins a new file.
    public var fileBytes = 8 << 20
    /// The interval of snapshots: a restart has to read at most the events of this time.
    public var snapshotMilliseconds: Int64 = 60_000
    /// The longest interval between lines with the time of day.
    public var wallMilliseconds: Int64 = 60_000
    /// Memory for lines that the disk refuses: hours of an ordinary show.
    public var memoryBytes = 4 << 20

    public init() {}
}
