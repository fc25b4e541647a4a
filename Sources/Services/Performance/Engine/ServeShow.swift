import Foundation
import Hosting
import Podium
import ShowLog

/// Tonight's show and its log: a new one, or one that was interrupted and is continued.
package struct ServeShow: Sendable {
    package var podium: Podium
    package var scribe: ShowRecorder
    package var clock: ShowClock
    package var wall: WallOffset
    /// The packet number from which numbering continues.
    package var packets: UInt64
    var isContinued: Bool
    /// The start of the show, in ISO 8601.
    package var started: String
    /// A sentence that explains why a new show began although an old one had not ended; nil otherwise.
    package var remark: String?
    /// Sentences about missing or unreadable parts of the continued show's log.
    package var damage: [String] = []

    /// A show that was interrupted for longer than this, in seconds, is not continued.
    private static let longestBreakSeconds = 6 * 3600.0
    /// A margin for packet numbers: more packets than can have been sent since the number was last recorded.
    private static let countMargin: UInt64 = 1_000

    /// Continues a show that was interrupted recently, or begins a new one.
    /// - Parameters:
    ///   - course: the programme from tonight's files; a continued show takes later edits from its log.
    ///   - forward: called with each line of the log, to send it to a backup.
    package static func open(
        _ course: ShowProgramme, in folder: ShowFolder, new: Bool,
        forward: @escaping ShowLogWriter.LineForwarder
    ) throws(ShowLogFault) -> ServeShow {
        var unusable: [ShowLogFault] = []
        guard !new, let recovery = try ShowRecovery.newest(in: folder, unusable: &unusable) else {
            var show = try ServeShow(beginning: course, in: folder, remark: nil, forward)
            show.damage = unusable.map(\.sentence)
            if !unusable.isEmpty { show.remark = "The last show cannot be continued; a new one begins." }
            return show
        }
        // The recorded time may be a minute older than the last line, and the wall clock may be wrong by years, so
        // the smaller value counts.
        let byClock = secondsSince(recovery.show)
        let rest = recovery.ageMilliseconds.map { min(Double($0) / 1_000, byClock) } ?? byClock
        guard rest <= longestBreakSeconds else {
            let remark = "The show “\(recovery.title)” stood for \(Int(rest / 3600)) hours; a new one begins."
            return try ServeShow(beginning: course, in: folder, remark: remark, forward)
        }
        guard isSame(recovery.podium.course, course) else {
            let remark = "The show “\(recovery.title)” had another programme; a new one begins."
            return try ServeShow(beginning: course, in: folder, remark: remark, forward)
        }
        return try ServeShow(continuing: recovery, restSeconds: rest, forward)
    }

    private init(
        beginning course: ShowProgramme, in folder: ShowFolder, remark: String?,
        _ forward: @escaping ShowLogWriter.LineForwarder
    ) throws(ShowLogFault) {
        let date = Date()
        started = ISO8601DateFormatter().string(from: date)
        let path = try folder.makeShow(title: course.title, began: ShowFolder.stamp(date))
        let writer = try ShowLogWriter(show: path, title: course.title, started: started, forward: forward)
        scribe = ShowRecorder(writer: writer, continues: false)
        podium = Podium(course: course)
        clock = ShowClock()
        wall = WallOffset(now: clock.now)
        packets = 0
        isContinued = false
        self.remark = remark
        if let fault = scribe.snapshot(of: podium, at: clock.now) { throw fault }
    }

    private init(
        continuing recovery: ShowRecovery, restSeconds: Double,
        _ forward: @escaping ShowLogWriter.LineForwarder
    ) throws(ShowLogFault) {
        started = recovery.started
        let writer = try ShowLogWriter(
            show: recovery.show, title: recovery.title, started: started, after: recovery.sequence,
            forward: forward)
        packets = recovery.packets + Self.countMargin
        scribe = ShowRecorder(writer: writer, packets: packets, continues: true)
        podium = recovery.podium
        clock = ShowClock(continuing: recovery.time.advanced(byMilliseconds: Int64(restSeconds * 1_000)))
        wall = WallOffset(now: clock.now)
        isContinued = true
        damage = recovery.damage.map(\.sentence)
    }

    /// One or two sentences about damage in the log, for the console's list of faults; nil if there is none.
    var damageSentence: String? {
        guard let first = damage.first else { return nil }
        return damage.count == 1
            ? first
            : "\(first) There are \(damage.count - 1) more such places; the messages at the start list them."
    }

    /// Deletes a show that never began, so that a failed start leaves no files.
    package func discard() {
        guard !isContinued else { return }
        try? FileManager.default.removeItem(atPath: scribe.writer.show)
    }

    /// The seconds since the log was last written; never negative, even if the clock was set back.
    private static func secondsSince(_ show: String) -> Double {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: show)) ?? []
        let dates = names.compactMap {
            (try? FileManager.default.attributesOfItem(atPath: show + "/" + $0))?[.modificationDate] as? Date
        }
        return max(dates.max().map { Date().timeIntervalSince($0) } ?? 0, 0)
    }

    /// True if both programmes have the same pieces and measures; titles and cues may differ.
    private static func isSame(_ old: ShowProgramme, _ new: ShowProgramme) -> Bool {
        old.pieces.count == new.pieces.count
            && zip(old.pieces, new.pieces).allSatisfy { $0.folder == $1.folder && $0.measures == $1.measures }
    }
}
