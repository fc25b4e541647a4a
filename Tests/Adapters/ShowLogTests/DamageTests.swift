import Foundation
import Podium
import Testing

@testable import ShowLog

@Suite struct DamageTests {
    /// A short show in one file: its bytes, and the states after each event.
    static func shortShow() throws -> (bytes: [UInt8], states: [UInt64: PodiumState]) {
        let disk = BrokenDisk()
        let writer = ShowLogWriter(
            show: "/show",
            header: LogHeader(show: "Evening", file: 1, first: 1, started: "2026-05-04T19:30:00Z"),
            limits: LogLimits(), now: { Date(timeIntervalSince1970: 1_777_923_000) }, open: disk.open,
            forward: { _, _ in })
        var show = PlayedShow(
            recorder: ShowRecorder(writer: writer, continues: false),
            podium: Podium(course: PlayedShow.course(pieces: 1, measures: 20)))
        var states: [UInt64: PodiumState] = [:]
        for measure in 0..<4 {
            show.play(piece: 0, measures: measure..<measure + 1)
            states[writer.lastSequenceNumber] = show.podium.state
        }
        show.command("nudge", "1")
        return (Array(disk.text("/show/log-0001.jsonl").utf8), states)
    }

    @Test func whereverTheFileIsTornTheShowGoesOnWithAllWholeLines() throws {
        let (bytes, _) = try Self.shortShow()
        let folder = ScratchFolder()
        let rows = bytes.split(separator: 0x0A)
        folder.write(bytes, to: "log-0001.jsonl")
        var whole = rows.count - 1
        for length in (0...bytes.count).reversed() {
            if length < bytes.count, bytes[length] == 0x0A { whole -= 1 }
            #expect(truncate(folder.path + "/log-0001.jsonl", length) == 0)
            // Whole lines behind the header.
            guard whole >= 1 else {
                #expect(throws: ShowLogFault.nothingToContinue(path: folder.path)) {
                    try ShowRecovery(show: folder.path)
                }
                continue
            }
            let recovery = try ShowRecovery(show: folder.path)
            let last = try #require(LogLine(bytes: rows[whole]))
            #expect(recovery.lastSequenceNumber == last.sequenceNumber, "torn at \(length)")
            // A cut in the middle of a line is told; one behind a line's break looks like an end.
            let isTorn = length > 0 && bytes[length - 1] != 0x0A
            #expect(recovery.damage.count == (isTorn ? 1 : 0), "torn at \(length)")
        }
        #expect(whole == -1)
    }

    /// A show on the disk itself, with its mark, as a killed server leaves it.
    private func killedShow(in data: ScratchFolder) throws -> (show: String, sequence: UInt64) {
        let folder = try ServerDataFolder(path: data.path)
        let show = try folder.makeShowFolder(title: "Evening", began: "2026-05-04-193000")
        let writer = try ShowLogWriter(show: show, title: "Evening", started: "2026-05-04T19:30:00Z")
        var played = PlayedShow(
            recorder: ShowRecorder(writer: writer, continues: false),
            podium: Podium(course: PlayedShow.course(pieces: 1, measures: 20)))
        for measure in 0..<8 { played.play(piece: 0, measures: measure..<measure + 1) }
        #expect(writer.syncToDisk() == nil)
        return (show, writer.lastSequenceNumber)
    }

    /// Cut behind a whole line a file looks like one that ended there; the mark beside it knows better.
    @Test func aLogCutInHalfIsNamedAndItsNumbersAreNotGivenAgain() throws {
        let data = ScratchFolder()
        let (show, last) = try killedShow(in: data)
        let file = show + "/log-0001.jsonl"
        let lines = try String(contentsOfFile: file, encoding: .utf8).split(separator: "\n")
        let half = lines.prefix(lines.count / 2)
        try (half.joined(separator: "\n") + "\n").write(toFile: file, atomically: false, encoding: .utf8)
        let kept = FileManager.default.contents(atPath: file)
        let folder = try ServerDataFolder(path: data.path)
        let recovery = try #require(try ShowRecovery.recoverNewestShow(in: folder))
        let newest = try #require(LogLine(bytes: Array(half.last!.utf8)))
        #expect(recovery.damage == [.cutShort(path: show, first: newest.sequenceNumber + 1, last: last)])
        #expect(recovery.lastSequenceNumber == last)
        #expect(
            recovery.damage[0].sentence.contains("lines \(newest.sequenceNumber + 1) to \(last) are missing"))
        #expect(FileManager.default.contents(atPath: file) == kept)
    }

    @Test func anUntouchedLogHasNothingMissingAndKnowsItsAgeWithoutTheClock() throws {
        let data = ScratchFolder()
        let (_, last) = try killedShow(in: data)
        let recovery = try #require(try ShowRecovery.recoverNewestShow(in: ServerDataFolder(path: data.path)))
        #expect(recovery.damage.isEmpty && recovery.lastSequenceNumber == last)
        let age = try #require(recovery.millisecondsSinceLastWrite)
        #expect((0..<60_000).contains(age))
    }

    /// What waits to be armed, is armed or was begun by a person is so after `kill -9`, and the log replays exactly.
    @Test(arguments: [[], ["arm"], ["arm", "begin"], ["begin", "intermission"]])
    func aKilledServerGoesOnAtTheSameStageOfTheEvening(_ words: [String]) throws {
        let data = ScratchFolder()
        let folder = try ServerDataFolder(path: data.path)
        let show = try folder.makeShowFolder(title: "Evening", began: "2026-05-04-193000")
        let writer = try ShowLogWriter(show: show, title: "Evening", started: "2026-05-04T19:30:00Z")
        var settings = PodiumSettings()
        settings.arming = .byHand
        var played = PlayedShow(
            recorder: ShowRecorder(writer: writer, continues: false),
            podium: Podium(course: PlayedShow.course(pieces: 1, measures: 20), settings: settings))
        played.play(piece: 0, measures: 0..<2, withCommands: false)
        for word in words {
            if word == "begin" { played.command(word) } else { played.command(word, "on") }
        }
        played.play(piece: 0, measures: 0..<2, withCommands: false)
        #expect(writer.syncToDisk() == nil)
        let recovery = try #require(try ShowRecovery.recoverNewestShow(in: folder))
        #expect(recovery.podium.state == played.podium.state)
        #expect(recovery.podium.state.stage == played.podium.state.stage)
        var replay = try ShowReplay(show: show)
        while try replay.replayNextLine() != nil {}
        #expect(replay.differences.isEmpty && replay.podium?.state == played.podium.state)
    }

    /// An older show must not come back to life because nothing is left of the newest.
    @Test(arguments: ["nothing", "a folder", "noise", "no file"])
    func whenNothingIsLeftOfTheNewestShowThatIsSaid(left: String) throws {
        let data = ScratchFolder()
        let (show, _) = try killedShow(in: data)
        let older = data.path + "/shows/2026-05-03-193000-evening"
        try FileManager.default.copyItem(atPath: show, toPath: older)
        let file = show + "/log-0001.jsonl"
        try FileManager.default.removeItem(atPath: file)
        switch left {
        case "nothing": #expect(FileManager.default.createFile(atPath: file, contents: Data()))
        case "a folder":
            try FileManager.default.createDirectory(atPath: file, withIntermediateDirectories: false)
        case "noise": #expect(FileManager.default.createFile(atPath: file, contents: Data("noise\n".utf8)))
        default: break
        }
        var unusable: [ShowLogFault] = []
        #expect(
            try ShowRecovery.recoverNewestShow(in: ServerDataFolder(path: data.path), unusable: &unusable)
                == nil)
        #expect(unusable.first == .nothingToContinue(path: show))
    }

    @Test func whatIsReadOfATornFileIsTheSameAsWhatWasWritten() throws {
        let (bytes, states) = try Self.shortShow()
        let folder = ScratchFolder()
        let rows = bytes.split(separator: 0x0A)
        var length = 0
        for row in rows {
            length += row.count + 1
            folder.write(bytes.prefix(length), to: "log-0001.jsonl")
            guard let sequence = LogLine(bytes: row)?.sequenceNumber, let state = states[sequence] else {
                continue
            }
            #expect(try ShowRecovery(show: folder.path).podium.state == state)
            var replay = try ShowReplay(show: folder.path)
            while try replay.replayNextLine() != nil {}
            #expect(replay.differences.isEmpty)
        }
    }

    @Test func anyChangedByteIsFoundWithFileAndLine() throws {
        let (bytes, _) = try Self.shortShow()
        let folder = ScratchFolder()
        let headerBytes = bytes.firstIndex(of: 0x0A)! + 1
        for offset in stride(from: headerBytes, to: bytes.count - 1, by: 7) where bytes[offset] != 0x0A {
            var changed = bytes
            changed[offset] ^= 0x01
            folder.write(changed, to: "log-0001.jsonl")
            var reader = try ShowLogReader(show: folder.path)
            let line = bytes[..<offset].count { $0 == 0x0A } + 1
            do throws(ShowLogFault) {
                while try reader.next() != nil {}
                Issue.record("byte \(offset) was changed unseen")
            } catch {
                guard case .damaged(let path, let found, _) = error else {
                    Issue.record("\(error)")
                    continue
                }
                #expect(path == folder.path + "/log-0001.jsonl" && found == line)
                #expect(error.sentence.contains("line \(line)"))
            }
        }
    }

    @Test func recoveryPassesOverDamageAndSaysSo() throws {
        let (bytes, _) = try Self.shortShow()
        let folder = ScratchFolder()
        var rows = bytes.split(separator: 0x0A).map(Array.init)
        rows[4][30] ^= 1
        folder.write(rows.flatMap { $0 + [0x0A] }, to: "log-0001.jsonl")
        let recovery = try ShowRecovery(show: folder.path)
        #expect(recovery.damage.count == 1)
        #expect(recovery.lastSequenceNumber == LogLine(bytes: rows.last!)!.sequenceNumber)
    }

    @Test func anEventChangedTogetherWithItsCheckIsFoundByReplay() throws {
        let (bytes, _) = try Self.shortShow()
        let folder = ScratchFolder()
        var rows = bytes.split(separator: 0x0A).map(Array.init)
        let index = try #require(rows.lastIndex { LogLine(bytes: $0)?.kind == .event })
        var line = try #require(LogLine(bytes: rows[index]))
        let text = String(decoding: line.payload, as: UTF8.self)
        line.payload = Array(text.replacingOccurrences(of: "nudge 1", with: "nudge 2").utf8)
        if line.payload == Array(text.utf8) {
            line.payload = Array(text.replacingOccurrences(of: "\"1\"", with: "\"2\"").utf8)
        }
        try #require(line.payload != Array(text.utf8), "\(text)")
        rows[index] = line.bytes
        folder.write(rows.flatMap { $0 + [0x0A] }, to: "log-0001.jsonl")
        var replay = try ShowReplay(show: folder.path)
        while try replay.replayNextLine() != nil {}
        #expect(replay.differences.count == 1)
        #expect(replay.differences.first?.sentence.contains("log-0001.jsonl, line \(index + 2)") == true)
    }

    @Test func linesTakenOutAreMissed() throws {
        let (bytes, _) = try Self.shortShow()
        let folder = ScratchFolder()
        var rows = bytes.split(separator: 0x0A).map(Array.init)
        rows.remove(at: 5)
        folder.write(rows.flatMap { $0 + [0x0A] }, to: "log-0001.jsonl")
        var reader = try ShowLogReader(show: folder.path)
        #expect(throws: ShowLogFault.self) { while try reader.next() != nil {} }
    }

    @Test func whatIsNoShowLogIsRefusedWithASentence() throws {
        let folder = ScratchFolder()
        for (text, expected) in [
            ("hello\n", ShowLogFault.notAShowLog(path: folder.path + "/log-0001.jsonl")),
            (
                "{\"baton\":\"show log\",\"version\":9}\n",
                .versionUnknown(path: folder.path + "/log-0001.jsonl", version: 9)
            ),
        ] {
            folder.write(Array(text.utf8), to: "log-0001.jsonl")
            var reader = try ShowLogReader(show: folder.path)
            #expect(throws: expected) { try reader.next() }
        }
        #expect(throws: ShowLogFault.self) { try ShowLogReader(show: folder.path + "/nowhere") }
    }

    @Test func aMissingFileIsNamed() throws {
        let (bytes, _) = try Self.shortShow()
        let folder = ScratchFolder()
        folder.write(bytes, to: "log-0001.jsonl")
        folder.write(bytes, to: "log-0003.jsonl")
        var reader = try ShowLogReader(show: folder.path)
        #expect(throws: ShowLogFault.fileMissing(path: folder.path + "/log-0002.jsonl")) {
            while try reader.next() != nil {}
        }
    }

    @Test func linesToCopyAreThoseOfTheFile() throws {
        let (bytes, _) = try Self.shortShow()
        let folder = ScratchFolder()
        folder.write(bytes, to: "log-0001.jsonl")
        var copied: [[UInt8]] = []
        var last: UInt64 = 0
        while case let lines = ShowLogReader.readLines(of: folder.path, after: last, mostBytes: 500),
            let end = lines.last
        {
            copied += lines.map(\.bytes)
            last = end.sequence
        }
        #expect(copied == bytes.split(separator: 0x0A).dropFirst().map(Array.init))
        #expect(ShowLogReader.readLines(of: folder.path + "/nowhere", after: 0).isEmpty)
    }

    @Test func aReaderStartsBehindAnyLine() throws {
        let (bytes, _) = try Self.shortShow()
        let folder = ScratchFolder()
        folder.write(bytes, to: "log-0001.jsonl")
        let last = LogLine(bytes: bytes.split(separator: 0x0A).last!)!.sequenceNumber
        for sequence in 0...last {
            var reader = try ShowLogReader(show: folder.path, after: sequence)
            var numbers: [UInt64] = []
            while let line = try reader.next() { numbers.append(line.sequenceNumber) }
            #expect(numbers == Array((sequence + 1)..<(last + 1)))
        }
    }
}
