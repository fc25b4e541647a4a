import Basics
import Foundation
import Podium
import ShowLog
import Synchronization
import Testing

@testable import Hosting
@testable import Performance
@testable import TestHelpers

/// A backup server that was started long after the show began goes on at the show's own time.
@Suite struct CopiedShowTests {
    private static let began = "2026-05-04T17:00:00Z"
    private static let threeHours: Int64 = 3 * 3_600_000

    private static func programme() throws -> ShowProgramme {
        try ShowProgramme(
            title: "Evening",
            pieces: [
                ShowPiece(
                    name: .init("Bach: Prelude"), folder: "bach",
                    measures: .init(
                        marks: (0..<4).map { .init(printed: $0 + 1, onset: .init(seconds: Double($0) * 2)) },
                        end: .init(seconds: 8)))
            ])
    }

    private func recorder(
        _ folder: ServeFolder, began stamp: String, started: String,
        forward: @escaping ShowLogWriter.LineForwarder = { _, _ in }
    ) throws -> ShowRecorder {
        let data = try ServerDataFolder(path: folder.path)
        return ShowRecorder(
            writer: try ShowLogWriter(
                show: data.makeShowFolder(title: "Evening", began: stamp), title: "Evening", started: started,
                forward: forward), continues: false)
    }

    /// A show of three hours on the main server, copied by a backup that was started a moment ago.
    private func copiedShow(_ main: ServeFolder, _ backup: ServeFolder) throws -> ShowEngineState {
        let lines = Mutex<[[UInt8]]>([])
        let leading = try recorder(main, began: "2026-05-04-170000", started: Self.began) { _, line in
            lines.withLock { $0.append(line) }
        }
        var podium = Podium(course: try Self.programme())
        #expect(leading.recordSnapshot(of: podium, at: .zero) == nil)
        let late = ShowTime(milliseconds: Self.threeHours)
        _ = leading.applyAndRecord(
            .command(
                .fireStandbyCue, by: CommandSender(name: "tom", role: .technician), epoch: podium.state.epoch),
            by: &podium, at: late)
        let own = try recorder(backup, began: "2026-05-04-195900", started: "2026-05-04T19:59:00Z")
        var state = ShowEngineState(
            podium: Podium(course: try Self.programme()), recorder: own, isActiveServer: false)
        state.beginLogCopy(own)
        for line in lines.withLock({ $0 }) { state.applyCopiedLogLine(line) }
        return state
    }

    @Test func aCopyKnowsWhereAndWhenTheShowBegan() throws {
        let (main, backup) = (try ServeFolder(), try ServeFolder())
        var state = try copiedShow(main, backup)
        let origin = ShowOrigin(folder: "2026-05-04-170000-evening", started: Self.began)
        #expect(state.recorder.origin == origin)
        // It leads, and is started again: what it writes itself says the same.
        state.isActiveServer = true
        #expect(
            state.recorder.recordSnapshot(
                of: state.podium, at: ShowTime(milliseconds: Self.threeHours + 1_000)) == nil)
        let folder = state.recorder.writer.showFolder
        #expect(folder.hasSuffix("2026-05-04-195900-evening"))
        #expect(ShowOrigin(ofShow: folder) == origin)
        #expect(try ShowRecovery(show: folder).origin == origin)
        #expect(try ShowReport(show: folder).started == Self.began)
    }

    @Test func theClockOfTheBackupIsNeverBehindTheShow() throws {
        let state = try copiedShow(try ServeFolder(), try ServeFolder())
        let clock = ShowClock()
        let wall = TimeOfDayConverter(
            now: clock.now, date: Date(timeIntervalSince1970: 1_000_000)
        ) { clock.advanceMilliseconds }
        let before = wall.timeOfDayText(clock.now)
        clock.advance(to: state.copiedShowReplica.time)
        #expect(state.copiedShowReplica.time.milliseconds == Self.threeHours)
        let shown = clock.now.milliseconds
        #expect(shown >= Self.threeHours && shown < Self.threeHours + 60_000)
        // The time of day stays, and the clock is never set back.
        #expect(wall.timeOfDayText(ShowTime(milliseconds: Self.threeHours)) == before)
        clock.advance(to: .zero)
        #expect(clock.now.milliseconds >= shown)
    }
}
