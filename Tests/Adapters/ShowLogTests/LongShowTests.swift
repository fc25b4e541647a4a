import Foundation
import Podium
import Testing

@testable import ShowLog

@Suite struct LongShowTests {
    @Test func twoHoursAreSmallAndGoneOnFromAtOnce() throws {
        let scratch = ScratchFolder()
        let folder = try ServerDataFolder(path: scratch.path + "/data")
        let path = try folder.makeShowFolder(title: "Evening", began: "2026-05-04-193000")
        let writer = try ShowLogWriter(show: path, title: "Evening", started: "2026-05-04T19:30:00Z")
        var show = PlayedShow(
            recorder: ShowRecorder(writer: writer, continues: false),
            podium: Podium(course: PlayedShow.course(pieces: 6, measures: 480)))
        let clock = ContinuousClock()
        var events = 0
        let writing = clock.measure {
            while show.now < 7_200_000 {
                show.command("piece", "\(1 + events % 6)")
                show.play(piece: events % 6, measures: 0..<479)
                events += 1
            }
        }
        let hours = Double(show.now) / 3_600_000
        let megabytes = Double(writer.writtenBytes) / 1_000_000 / hours
        var recovered: ShowRecovery?
        let recovery = try clock.measure { recovered = try ShowRecovery.recoverNewestShow(in: folder) }
        #expect(recovered?.podium.state == show.podium.state)
        var replay = try ShowReplay(show: path)
        let replaying = try clock.measure { while try replay.replayNextLine() != nil {} }
        #expect(replay.differences.isEmpty && replay.podium?.state == show.podium.state)
        print(
            "two hours: \(megabytes) MB an hour, \(writer.lastSequenceNumber) lines, recovery \(recovery), "
                + "writing \(writing / Int(writer.lastSequenceNumber)) a line, replay \(replaying)")
        #expect(megabytes < 5)
        // Built for release it takes a tenth of what a debug build on a busy machine may.
        #expect(recovery < .seconds(3))
    }
}
