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
    /// Lines that were passed over, and what is missing.
    public var damage: [ShowLogFault]
    /// Milliseconds since the log was last written, by the machine's uptime; nil where it was started since.
    public var ageMilliseconds: Int64? { ShowMark(show: show)?.age }

    /// Looks for the newest show of the folder and reads the tail of its log.
    ///
    /// A folder without a line is passed over: its show had not begun. Older shows are not looked at once there is a
    /// newer one, whether they ended or not, and whether anything of it can be read or not.
    /// - Parameter unusable: gets why the newest show cannot be gone on with, where it had begun; its files stay.
    /// - Returns: nil where there is no show, the newest one ended, or nothing of it is left.
    /// - Throws: ``ShowLogFault`` where folders cannot be read.
    /// - Complexity: one pass over the last file, at most 8 MB, and the events of a minute.
    public static func newest(
        in folder: ShowFolder, unusable: inout [ShowLogFault]
    ) throws(ShowLogFault) -> ShowRecovery? {
        for show in try folder.allShows() {
            var tail = LogTail(show: show)
            let isUsable: Bool
            do throws(ShowLogFault) { isUsable = try tail.read() } catch {
                unusable = [error]
                return nil
            }
            guard isUsable else {
                guard tail.hadBegun else { continue }
                unusable = [.nothingToContinue(path: show)] + tail.damage
                return nil
            }
            return tail.isEnded ? nil : tail.recovery
        }
        return nil
    }

    /// As ``newest(in:unusable:)``, for those who only ask whether there is a show to go on with.
    public static func newest(in folder: ShowFolder) throws(ShowLogFault) -> ShowRecovery? {
        var unusable: [ShowLogFault] = []
        return try newest(in: folder, unusable: &unusable)
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
