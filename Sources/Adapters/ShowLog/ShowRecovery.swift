import Podium

/// The state of an unfinished show, from which it can be continued.
public struct ShowRecovery: Sendable {
    /// The folder of the show.
    public var show: String
    public var title: String
    /// When the show began, ISO 8601.
    public var started: String
    /// The state after the last written event.
    public var podium: Podium
    /// Packets known to have been sent; more may have been sent after the last count.
    public var packets: UInt64
    /// The show time of the last line; the show continues at a later time.
    public var time: ShowTime
    /// The number of the last line; the next one has the number after it.
    public var sequence: UInt64
    /// Lines that were skipped, and missing lines.
    public var damage: [ShowLogFault]
    /// Milliseconds since the log was last written, by the machine's uptime; nil if the machine was restarted since.
    public var ageMilliseconds: Int64? { ShowLogPosition(show: show)?.age }

    /// Finds the newest show of the folder and reads the end of its log.
    ///
    /// A folder without a line is ignored: its show had not begun. Only the newest show counts, whether it ended or
    /// not, and whether it is readable or not.
    /// - Parameter unusable: receives the reasons why the newest show, if it had begun, cannot be continued; its
    ///   files stay.
    /// - Returns: nil if there is no show, the newest one ended, or nothing of it is left.
    /// - Throws: ``ShowLogFault`` if folders cannot be read.
    /// - Complexity: one pass over the last file, at most 8 MB, and the events of a minute.
    public static func newest(
        in folder: ShowFolder, unusable: inout [ShowLogFault]
    ) throws(ShowLogFault) -> ShowRecovery? {
        for show in try folder.allShows() {
            var tail = LogTailReader(show: show)
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

    /// Like ``newest(in:unusable:)``, without the reasons.
    public static func newest(in folder: ShowFolder) throws(ShowLogFault) -> ShowRecovery? {
        var unusable: [ShowLogFault] = []
        return try newest(in: folder, unusable: &unusable)
    }

    /// Reads the end of one show's log, whether the show ended or not.
    /// - Throws: ``ShowLogFault/nothingToContinue(path:)`` if there is no readable snapshot.
    public init(show: String) throws(ShowLogFault) {
        var tail = LogTailReader(show: show)
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
