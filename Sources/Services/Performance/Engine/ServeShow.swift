import Foundation
import Hosting
import Podium
import ShowLog

/// The show that is run: one that was broken off, or a new one.
package struct ServeShow: Sendable {
    package var podium: Podium
    package var scribe: ShowRecorder
    package var clock: ShowClock
    package var wall: WallOffset
    /// Count behind which packets go on.
    package var packets: UInt64
    package var isContinued: Bool
    /// ISO 8601.
    package var started: String
    /// For people, where a new show begins though an old one did not end.
    package var remark: String?
    /// What is missing of the old show or cannot be read, for the console too.
    package var damage: [String] = []

    /// After so long a pause a show is over, whatever its log says.
    private static let longestBreakSeconds = 6 * 3600.0
    /// More packets than can have left since the last count was written.
    private static let countMargin: UInt64 = 1_000

    /// Goes on with a show that was broken off a short while ago, or begins one.
    /// - Parameters:
    ///   - course: as the files of tonight have it; edits of a show that goes on are taken from its log.
    ///   - forward: gets each line of the log, for a backup.
    package static func open(
        _ course: ShowProgramme, in folder: ShowFolder, new: Bool,
        forward: @escaping ShowLogWriter.LineForwarder
    ) throws(ShowLogFault) -> ServeShow {
        var unusable: [ShowLogFault] = []
        guard !new, let recovery = try ShowRecovery.newest(in: folder, unusable: &unusable) else {
            var show = try ServeShow(beginning: course, in: folder, remark: nil, forward)
            show.damage = unusable.map(\.sentence)
            if !unusable.isEmpty { show.remark = "The last show cannot be gone on with; a new one begins." }
            return show
        }
        // The mark is up to a minute older than the last line; the clock may be years off.
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

    /// One sentence or two for the console's faults; nil where nothing is damaged.
    package var damageSentence: String? {
        guard let first = damage.first else { return nil }
        return damage.count == 1
            ? first : "\(first) There are \(damage.count - 1) more places; the start named them."
    }

    /// Takes back a show that never began, so that a server that could not start leaves nothing behind.
    package func discard() {
        guard !isContinued else { return }
        try? FileManager.default.removeItem(atPath: scribe.writer.show)
    }

    /// Since the log was written last; never negative, whatever was done to the clock.
    private static func secondsSince(_ show: String) -> Double {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: show)) ?? []
        let dates = names.compactMap {
            (try? FileManager.default.attributesOfItem(atPath: show + "/" + $0))?[.modificationDate] as? Date
        }
        return max(dates.max().map { Date().timeIntervalSince($0) } ?? 0, 0)
    }

    /// The same music: titles of the show and cues may differ.
    private static func isSame(_ old: ShowProgramme, _ new: ShowProgramme) -> Bool {
        old.pieces.count == new.pieces.count
            && zip(old.pieces, new.pieces).allSatisfy { $0.folder == $1.folder && $0.measures == $1.measures }
    }
}
