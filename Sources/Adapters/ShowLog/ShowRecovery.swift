import Podium

/// The state of an unfinished show, read from its log, with which the show can be continued.
public struct ShowRecovery: Sendable {
    /// The path of the show's folder.
    public var showFolder: String
    public var title: String
    /// The time of the log's header, ISO 8601. For a copy, it is not the time at which the show began.
    public var started: String
    /// Where the show began, if the log says so.
    public var origin: ShowOrigin?
    /// The state of the show after the last event in the log.
    public var podium: Podium
    /// The number of packets sent, as last logged. More may have been sent since.
    public var sentPacketCount: UInt64
    /// The show time of the last line in the log; the show continues at a later time.
    public var time: ShowTime
    /// The number of the last line in the log. The next line gets the following number.
    public var lastSequenceNumber: UInt64
    /// The damaged lines that were skipped, and the lines that are missing.
    public var damage: [ShowLogFault]
    /// Milliseconds since the log was last written, by the machine's uptime; nil if the machine was restarted since.
    public var millisecondsSinceLastWrite: Int64? { SavedNewestLineNumber(show: showFolder)?.ageMilliseconds }

    /// Finds the newest show in the data folder and restores its state from the end of its log.
    ///
    /// A show whose folder contains no line had not begun and is ignored. Apart from that only the newest show is
    /// considered, even if it has ended or is unreadable.
    /// - Parameter unusable: receives the reasons if the newest show had begun but cannot be continued. Its files are
    ///   kept.
    /// - Returns: nil if there is no show, if the newest one has ended, or if it cannot be restored.
    /// - Throws: ``ShowLogFault`` if the folder with the shows cannot be read.
    /// - Complexity: reads at most 8 MB of the last file, then replays the events of one minute at most.
    public static func recoverNewestShow(
        in folder: ServerDataFolder, unusable: inout [ShowLogFault]
    ) throws(ShowLogFault) -> ShowRecovery? {
        for show in try folder.listShowFolders() {
            var tail = LogTailReader(show: show)
            let isUsable: Bool
            do throws(ShowLogFault) { isUsable = try tail.findNewestSnapshot() } catch {
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

    /// Restores the newest show like ``recoverNewestShow(in:unusable:)``, but does not report the reasons if that is
    /// impossible.
    public static func recoverNewestShow(in folder: ServerDataFolder) throws(ShowLogFault) -> ShowRecovery? {
        var unusable: [ShowLogFault] = []
        return try recoverNewestShow(in: folder, unusable: &unusable)
    }

    /// The programme with which the show began, from the first line of its log; nil if that cannot be read.
    public var firstProgramme: ShowProgramme? {
        guard var reader = try? ShowLogReader(show: showFolder, whenDamaged: .skipAndRecord),
            let line = try? reader.next(), line.kind == .snapshot,
            let snapshot = try? LogJSON.decode(ShowSnapshot.self, from: line.payload)
        else { return nil }
        return snapshot.course
    }

    /// Restores the state of one show from the end of its log, even if the show has ended.
    /// - Parameter show: the path of the show's folder.
    /// - Throws: ``ShowLogFault/nothingToContinue(path:)`` if there is no readable snapshot.
    public init(show: String) throws(ShowLogFault) {
        var tail = LogTailReader(show: show)
        guard try tail.findNewestSnapshot(), let recovery = tail.recovery else {
            throw .nothingToContinue(path: show)
        }
        self = recovery
    }

    init(
        show: String, header: LogHeader, origin: ShowOrigin?, podium: Podium, packets: UInt64, time: ShowTime,
        sequence: UInt64, damage: [ShowLogFault]
    ) {
        self.origin = origin
        self.showFolder = show
        title = header.show
        started = header.started
        self.podium = podium
        self.sentPacketCount = packets
        self.time = time
        self.lastSequenceNumber = sequence
        self.damage = damage
    }
}
