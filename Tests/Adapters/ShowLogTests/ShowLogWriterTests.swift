import Foundation
import Podium
import Testing

@testable import ShowLog

@Suite struct ShowLogWriterTests {
    let disk = BrokenDisk()

    func writer(limits: LogLimits = LogLimits(), after sequence: UInt64 = 0) -> ShowLogWriter {
        ShowLogWriter(
            show: "/show",
            header: LogHeader(show: "Evening", file: 1, first: sequence + 1, started: "2026-05-04T19:30:00Z"),
            limits: limits, now: { Date(timeIntervalSince1970: 1_777_923_000) }, open: disk.open,
            forward: { _, _ in })
    }

    func played(_ writer: ShowLogWriter) -> PlayedShow {
        PlayedShow(
            recorder: ShowRecorder(writer: writer, continues: false),
            podium: Podium(course: PlayedShow.course()))
    }

    /// The written lines, as a reader reads them.
    func lines(_ damage: ShowLogReader.DamageHandling = .throwFault) throws -> [LogLine] {
        let folder = ScratchFolder()
        disk.save(to: folder)
        var reader = try ShowLogReader(show: folder.path, whenDamaged: damage)
        var lines: [LogLine] = []
        while let line = try reader.next() { lines.append(line) }
        return lines
    }

    @Test func eventAndEffectsAreWrittenByOneCallBeforeTheyAreGivenAway() throws {
        var show = played(writer())
        show.take(show.word(piece: 0, played: 0))
        // The header, the first snapshot, and one call for both lines.
        #expect(disk.state.withLock { $0.writes } == 3)
        #expect(try lines().map(\.kind) == [.snapshot, .event, .effects])
        #expect(!show.left[0].isEmpty)
    }

    @Test func aTickThatChangesNothingIsNotWritten() throws {
        var show = played(writer())
        show.take(.tick)
        show.take(.tick)
        #expect(try lines().map(\.kind) == [.snapshot])
    }

    @Test func commandsTellTheTimeOfDay() throws {
        var show = played(writer())
        show.command("hold")
        let command = try lines().first { $0.kind == .event }
        #expect(command?.timeOfDay == "2026-05-04T19:30:00Z")
    }

    @Test func aFullFileIsFollowedByTheNextWhichBeginsWithEverythingNeeded() throws {
        var limits = LogLimits()
        limits.fileBytes = 20_000
        var show = played(writer(limits: limits))
        show.play(piece: 0, measures: 0..<110)
        #expect(disk.paths.count > 3)
        #expect(disk.paths.first == "/show/log-0001.jsonl")
        for path in disk.paths {
            let rows = disk.text(path).split(separator: "\n")
            #expect(rows[0].hasPrefix("{\"baton\":\"show log\",\"file\":"))
            #expect(rows[1].contains("\"s\":{\"course\":"))
            #expect(disk.text(path).utf8.count < 20_000 + 15_000)
        }
        let numbers = try lines().map(\.sequenceNumber)
        #expect(numbers == Array(1...UInt64(numbers.count)))
    }

    @Test func rotationByHandBeginsAFileWithTheNextSnapshot() throws {
        var show = played(writer())
        show.take(show.word(piece: 0, played: 0))
        show.recorder.writer.requestNewFile()
        show.take(show.word(piece: 0, played: 1))
        #expect(disk.paths == ["/show/log-0001.jsonl", "/show/log-0002.jsonl"])
    }

    @Test(arguments: [0, 1, 17, 100, 5_000, 12_345])
    func linesWaitInMemoryWhileTheDiskIsFullAndFollowWhenThereIsRoom(room: Int) throws {
        var show = played(writer())
        show.take(show.word(piece: 0, played: 0))
        disk.set(roomBytes: room)
        show.play(piece: 0, measures: 1..<60)
        let fault = show.recorder.writer.fault
        guard case .diskFull(let path, let waiting, let lost) = try #require(fault) else {
            Issue.record("another fault: \(fault!)")
            return
        }
        #expect(path == "/show/log-0001.jsonl" && waiting > 10 && lost == 0)
        #expect(fault!.sentence.contains("disk") && fault!.sentence.contains("wait in memory"))
        disk.set(roomBytes: .max)
        #expect(show.recorder.writer.retryWriting() == nil)
        let numbers = try lines().map(\.sequenceNumber)
        #expect(numbers == Array(1...show.recorder.writer.lastSequenceNumber))
    }

    @Test func whatMemoryCouldNotHoldIsAGapThatSaysHowMuch() throws {
        var limits = LogLimits()
        limits.unwrittenLinesMemoryBytes = 8_000
        var show = played(writer(limits: limits))
        show.take(show.word(piece: 0, played: 0))
        disk.set(roomBytes: 30)
        show.play(piece: 0, measures: 1..<60, withCommands: false)
        disk.set(roomBytes: .max)
        show.play(piece: 0, measures: 60..<64, withCommands: false)
        let all = try lines()
        let gaps = all.filter { $0.kind == .gap }
        #expect(gaps.count == 1)
        let behind = all[all.firstIndex { $0.kind == .gap }! + 1]
        #expect(behind.sequenceNumber == gaps[0].sequenceNumber + gaps[0].lostLineCount)
        // A state that stands for itself follows, so that the log can be gone on from.
        let healing = all.last { $0.kind == .snapshot }
        #expect(String(decoding: healing!.payload, as: UTF8.self).contains("\"reason\":\"gap\""))
        let folder = ScratchFolder()
        disk.save(to: folder)
        #expect(try ShowRecovery(show: folder.path).podium.state == show.podium.state)
        var replay = try ShowReplay(show: folder.path)
        while try replay.replayNextLine() != nil {}
        #expect(replay.differences.isEmpty && replay.lostLineCount == gaps[0].lostLineCount)
    }

    @Test func aTornWriteThatCannotBeTakenBackIsTakenBackLater() throws {
        var show = played(writer())
        show.take(show.word(piece: 0, played: 0))
        disk.state.withLock { ($0.roomBytes, $0.cannotCut) = (40, true) }
        show.take(show.word(piece: 0, played: 1))
        disk.set(roomBytes: .max)
        show.take(show.word(piece: 0, played: 2))
        #expect(show.recorder.writer.fault != nil)
        disk.state.withLock { $0.cannotCut = false }
        show.take(show.word(piece: 0, played: 3))
        #expect(show.recorder.writer.fault == nil)
        #expect(try lines().map(\.sequenceNumber) == Array(1...show.recorder.writer.lastSequenceNumber))
    }

    @Test func aReadOnlyDiskIsSaidToBeOne() {
        disk.state.withLock { ($0.roomBytes, $0.errno) = (0, EROFS) }
        var show = played(writer())
        let fault = show.take(show.word(piece: 0, played: 0))
        guard case .readOnly = fault else {
            Issue.record("\(String(describing: fault))")
            return
        }
        #expect(fault!.sentence.contains("read-only"))
    }

    @Test func aFileOfTheSameNumberIsNeverOverwritten() throws {
        disk.state.withLock { $0.files["/show/log-0001.jsonl"] = Array("precious".utf8) }
        var show = played(writer())
        show.take(show.word(piece: 0, played: 0))
        #expect(disk.text("/show/log-0001.jsonl") == "precious")
        #expect(disk.paths.last == "/show/log-0002.jsonl")
    }

    /// The main one dies between sending an event and its effects; the backup goes on.
    @Test func aBackupGoesOnWhereTheCopyEnds() throws {
        let copied = BrokenDisk()
        let header = LogHeader(show: "Evening", file: 1, first: 1, started: "")
        let copy = ShowLogWriter(
            show: "/show", header: header, limits: LogLimits(), now: { Date() }, open: copied.open,
            forward: { _, _ in })
        var show = played(writer())
        show.play(piece: 0, measures: 0..<3, withCommands: false)
        show.take(show.word(piece: 0, played: 3))
        let all = try lines()
        #expect(all.last?.kind == .effects)
        for line in all.dropLast() { #expect(copy.appendCopiedLine(line.bytes) == nil) }
        var after = PlayedShow(
            recorder: ShowRecorder(writer: copy, continues: true), podium: show.podium, from: show.now + 700)
        after.take(.failoverTermChanged(4))
        after.play(piece: 0, measures: 4..<10)
        let folder = ScratchFolder()
        copied.save(to: folder)
        #expect(copied.paths.count == 2)
        var replay = try ShowReplay(show: folder.path)
        while try replay.replayNextLine() != nil {}
        #expect(replay.differences.isEmpty && replay.podium?.state == after.podium.state)
    }

    @Test func aCopyOfTheLinesIsTheSameShow() throws {
        let copied = BrokenDisk()
        let copy = ShowLogWriter(
            show: "/show", header: LogHeader(show: "Evening", file: 1, first: 1, started: ""),
            limits: LogLimits(), now: { Date() }, open: copied.open, forward: { _, _ in })
        let original = ShowLogWriter(
            show: "/show", header: LogHeader(show: "Evening", file: 1, first: 1, started: ""),
            limits: LogLimits(), now: { Date() }, open: disk.open,
            forward: { _, line in _ = copy.appendCopiedLine(line) })
        var show = played(original)
        show.play(piece: 0, measures: 0..<40)
        #expect(copy.lastSequenceNumber == original.lastSequenceNumber)
        let (one, other) = (ScratchFolder(), ScratchFolder())
        disk.save(to: one)
        copied.save(to: other)
        #expect(try ShowRecovery(show: one.path).podium.state == show.podium.state)
        #expect(try ShowRecovery(show: other.path).podium.state == show.podium.state)
        // Again and damaged: neither comes in.
        let again = try lines().first!.bytes
        #expect(copy.appendCopiedLine(again) == nil)
        var damaged = again
        damaged[damaged.count - 3] ^= 1
        #expect(copy.appendCopiedLine(damaged) != nil)
        #expect(copy.lastSequenceNumber == original.lastSequenceNumber)
    }
}
