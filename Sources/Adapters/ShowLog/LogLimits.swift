/// The size limits and intervals of a show log.
public struct LogLimits: Equatable, Sendable {
    /// The size of a log file in bytes after which the next snapshot begins a new file.
    public var fileBytes = 8 << 20
    /// The interval between snapshots. After a restart at most the events of one interval are replayed.
    public var snapshotIntervalMilliseconds: Int64 = 60_000
    /// The longest interval between two lines that contain the time of day.
    public var timeOfDayIntervalMilliseconds: Int64 = 60_000
    /// The maximum size, in bytes, of the lines kept in memory while the disk refuses writes: enough for hours of an
    /// ordinary show.
    public var unwrittenLinesMemoryBytes = 4 << 20

    public init() {}
}
