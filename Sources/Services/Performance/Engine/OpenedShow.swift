import Foundation
import Hosting
import Podium
import ShowLog

/// Tonight's show and its log: a new one, or one that was interrupted and is continued.
package struct OpenedShow: Sendable {
    package var podium: Podium
    package var recorder: ShowRecorder
    package var clock: ShowClock
    package var timeOfDayConverter: TimeOfDayConverter
    /// The number from which packet numbers continue.
    package var startPacketNumber: UInt64
    package var isContinued: Bool
    /// The start of the show, in ISO 8601.
    package var startTimestamp: String
    /// A sentence that explains why a new show began although an old one had not ended; nil otherwise.
    package var newShowReason: String?
    /// The programme of the show before a new one, whether that had ended or not; nil if this one is continued, or if
    /// there is none that can be read.
    package private(set) var previousProgramme: ShowProgramme?
    /// Sentences about missing or unreadable parts of the continued show's log.
    package var logDamageSentences: [String] = []

    /// The longest interruption after which a show is continued, in seconds.
    private static let longestInterruptionSeconds = 6 * 3600.0
    /// The margin added to a recorded packet number: more packets than can have been sent since it was recorded.
    private static let packetCountMargin: UInt64 = 1_000

    /// Continues a show that was interrupted recently, or begins a new one.
    /// - Parameters:
    ///   - course: the programme from tonight's files; a continued show takes later edits from its log.
    ///   - isOpenHouse: true if the server was started without a programme, so that it continues a show with any.
    ///   - arming: who says when the music of a new show may begin.
    ///   - isUnderWay: true if the music of a new show is under way already, so that no beginning is awaited.
    ///   - forward: called with each line of the log, to send it to a backup.
    package static func open(
        _ course: ShowProgramme, in folder: ServerDataFolder, new: Bool, isOpenHouse: Bool = false,
        arming: ShowArming = .atOnce, isUnderWay: Bool = false,
        forward: @escaping ShowLogWriter.LineForwarder
    ) throws(ShowLogFault) -> OpenedShow {
        var unusable: [ShowLogFault] = []
        guard !new, let recovery = try ShowRecovery.recoverNewestShow(in: folder, unusable: &unusable) else {
            var show = try OpenedShow(
                beginning: course, arming: arming, isUnderWay: isUnderWay, in: folder, newShowReason: nil,
                forward)
            show.logDamageSentences = unusable.map(\.sentence)
            if !unusable.isEmpty {
                show.newShowReason = "The last show cannot be continued; a new one begins."
            }
            return show
        }
        // The recorded time may be a minute older than the last line, and the wall clock may be wrong by years, so
        // the smaller value counts.
        let byClock = secondsSinceLastWrite(recovery.showFolder)
        let rest = recovery.millisecondsSinceLastWrite.map { min(Double($0) / 1_000, byClock) } ?? byClock
        guard rest <= longestInterruptionSeconds else {
            let remark = "The show “\(recovery.title)” stood for \(Int(rest / 3600)) hours; a new one begins."
            return try OpenedShow(
                beginning: course, arming: arming, isUnderWay: isUnderWay, in: folder, newShowReason: remark,
                forward)
        }
        // The programme may have been changed on the console since the show began.
        guard
            isOpenHouse || recovery.podium.course.hasSameMusic(as: course)
                || recovery.firstProgramme?.hasSameMusic(as: course) == true
        else {
            let remark = "The show “\(recovery.title)” had another programme; a new one begins."
            return try OpenedShow(
                beginning: course, arming: arming, isUnderWay: isUnderWay, in: folder, newShowReason: remark,
                forward)
        }
        return try OpenedShow(continuing: recovery, restSeconds: rest, forward)
    }

    private init(
        beginning course: ShowProgramme, arming: ShowArming, isUnderWay: Bool, in folder: ServerDataFolder,
        newShowReason: String?,
        _ forward: @escaping ShowLogWriter.LineForwarder
    ) throws(ShowLogFault) {
        previousProgramme =
            (try? folder.listShowFolders())?.first.flatMap { try? ShowRecovery(show: $0) }?
            .podium.course
        let date = Date()
        startTimestamp = ISO8601DateFormatter().string(from: date)
        let path = try folder.makeShowFolder(
            title: course.evening.name, began: ServerDataFolder.formatFolderTimestamp(date))
        let writer = try ShowLogWriter(
            show: path, title: course.evening.name, started: startTimestamp, forward: forward)
        recorder = ShowRecorder(writer: writer, continues: false)
        var podiumSettings = PodiumSettings()
        podiumSettings.arming = arming
        podium = Podium(course: course, settings: podiumSettings, isUnderWay: isUnderWay)
        clock = ShowClock()
        timeOfDayConverter = Self.timeOfDayConverter(clock)
        startPacketNumber = 0
        isContinued = false
        self.newShowReason = newShowReason
        if let fault = recorder.recordSnapshot(of: podium, at: clock.now) { throw fault }
    }

    private init(
        continuing recovery: ShowRecovery, restSeconds: Double,
        _ forward: @escaping ShowLogWriter.LineForwarder
    ) throws(ShowLogFault) {
        startTimestamp = recovery.started
        let writer = try ShowLogWriter(
            show: recovery.showFolder, title: recovery.title, started: startTimestamp,
            after: recovery.lastSequenceNumber,
            forward: forward)
        startPacketNumber = recovery.sentPacketCount + Self.packetCountMargin
        recorder = ShowRecorder(
            writer: writer, packets: startPacketNumber, origin: recovery.origin, continues: true)
        podium = recovery.podium
        clock = ShowClock(continuing: recovery.time.advanced(byMilliseconds: Int64(restSeconds * 1_000)))
        timeOfDayConverter = Self.timeOfDayConverter(clock)
        isContinued = true
        logDamageSentences = recovery.damage.map(\.sentence)
    }

    private static func timeOfDayConverter(_ clock: ShowClock) -> TimeOfDayConverter {
        TimeOfDayConverter(now: clock.now) { clock.advanceMilliseconds }
    }

    /// One or two sentences about damage in the log, for the console's list of faults; nil if there is none.
    var damageSentence: String? {
        guard let first = logDamageSentences.first else { return nil }
        return logDamageSentences.count == 1
            ? first
            : "\(first) There are \(logDamageSentences.count - 1) more such places; "
                + "the messages at the start list them."
    }

    /// Deletes a show that never began, so that a failed start leaves no files.
    package func deleteUnstartedShow() {
        guard !isContinued else { return }
        try? FileManager.default.removeItem(atPath: recorder.writer.showFolder)
    }

    /// The seconds since the log was last written; never negative, even if the clock was set back.
    private static func secondsSinceLastWrite(_ show: String) -> Double {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: show)) ?? []
        let dates = names.compactMap {
            (try? FileManager.default.attributesOfItem(atPath: show + "/" + $0))?[.modificationDate] as? Date
        }
        return max(dates.max().map { Date().timeIntervalSince($0) } ?? 0, 0)
    }
}
