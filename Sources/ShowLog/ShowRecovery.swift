import Podium

/// A show that did not end: what is needed to go on with it.
public struct ShowRecovery: Sendable {
    /// The folder of the show.
    public var show: String
    public var title: String
    /// When it began, ISO 8601.
    public var started: String
    /// As it stood after the last event that was written.
    public var podium: Podium
    /// Packets known to have been sent; more may have left since they were counted.
    public var packets: UInt64
    /// Of the last line; the show goes on later than this.
    public var time: ShowTime
    /// Number of the last line; the next one has the number after it.
    public var sequence: UInt64
    /// Lines that were passed over.
    public var damage: [ShowLogFault]

    /// Looks for the newest show of the folder and reads the tail of its log.
    ///
    /// A folder without a readable snapshot is passed over: its show had not begun. Older shows are not looked
    /// at once there is a newer one, whether they ended or not.
    /// - Returns: nil where there is no show, or the newest one ended.
    /// - Throws: ``ShowLogFault`` where folders cannot be read.
    /// - Complexity: one pass over the last file, at most 8 MB, and the events of a minute.
    public static func newest(in folder: ShowFolder) throws(ShowLogFault) -> ShowRecovery? {
        for show in try folder.allShows() {
            var tail = LogTail(show: show)
            guard try tail.read() else { continue }
            return tail.isEnded ? nil : tail.recovery
        }
        return nil
    }

    /// Reads the tail of one show, ended or not.
    /// - Throws: ``ShowLogFault/nothingToContinue(path:)`` where no snapshot can be read.
    public init(show: String) throws(ShowLogFault) {
        var tail = LogTail(show: show)
        guard try tail.read(), let recovery = tail.recovery else { throw .nothingToContinue(path: show) }
        self = recovery
    }

    init(
        show: String, header: LogHeader, podium: Podium, packets: UInt64, time: ShowTime, sequence: UInt64,
        damage: [ShowLogFault]
    ) {
        self.show = show
        title = header.show
        started = header.started
        self.podium = podium
        self.packets = packets
        self.time = time
        self.sequence = sequence
        self.damage = damage
    }
}
