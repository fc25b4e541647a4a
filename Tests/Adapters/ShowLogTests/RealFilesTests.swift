import Foundation
import Podium
import Testing

@testable import ShowLog

@Suite struct RealFilesTests {
    let scratch = ScratchFolder()

    func begin(_ folder: ServerDataFolder) throws -> PlayedShow {
        let show = try folder.makeShowFolder(title: "Evening", began: "2026-05-04-193000")
        let writer = try ShowLogWriter(show: show, title: "Evening", started: "2026-05-04T19:30:00Z")
        return PlayedShow(
            recorder: ShowRecorder(writer: writer, continues: false),
            podium: Podium(course: PlayedShow.course()))
    }

    @Test func onlyOneServerWorksWithAFolder() throws {
        let path = scratch.path + "/data"
        var folder: ServerDataFolder? = try ServerDataFolder(path: path)
        #expect(throws: ShowLogFault.folderInUse(path: path, process: getpid())) {
            try ServerDataFolder(path: path)
        }
        #expect(folder != nil)
        folder = nil
        #expect(throws: Never.self) { try ServerDataFolder(path: path) }
    }

    /// A child process that is just being started has copies of all descriptors.
    @Test func aCopyOfTheDescriptorDoesNotKeepTheLock() throws {
        let path = scratch.path + "/data"
        var folder: ServerDataFolder? = try ServerDataFolder(path: path)
        let descriptors = try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").compactMap {
            Int32($0)
        }
        let lock = try #require(
            descriptors.first {
                (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\($0)"))
                    == path + "/lock"
            })
        let copy = dup(lock)
        defer { close(copy) }
        #expect(folder != nil)
        folder = nil
        #expect(throws: Never.self) { try ServerDataFolder(path: path) }
    }

    @Test func foldersAndFilesAreForTheirOwnerAlone() async throws {
        let folder = try ServerDataFolder(path: scratch.path + "/data")
        var show = try begin(folder)
        show.take(show.word(piece: 0, played: 0))
        #expect(await show.recorder.writer.waitUntilOnDisk() == nil)
        let file = show.recorder.writer.showFolder + "/log-0001.jsonl"
        for (path, mode) in [(folder.path, 0o700), (show.recorder.writer.showFolder, 0o700), (file, 0o600)] {
            let attributes = try FileManager.default.attributesOfItem(atPath: path)
            #expect((attributes[.posixPermissions] as? NSNumber)?.intValue == mode, "\(path)")
        }
    }

    @Test func titlesBecomePlainFolderNames() {
        #expect(ServerDataFolder.slug("Dvořák: 9. Sinfonie / „Neue Welt“") == "dvorak-9-sinfonie-neue-welt")
        #expect(ServerDataFolder.slug("../../etc") == "etc")
        #expect(ServerDataFolder.slug("…") == "show")
        #expect(ServerDataFolder.slug(String(repeating: "x", count: 500)).count == 60)
    }

    @Test func aFolderThatCannotBeMadeIsASentence() {
        scratch.write([1], to: "file")
        #expect(throws: ShowLogFault.self) { try ServerDataFolder(path: scratch.path + "/file/data") }
    }

    @Test func theNewestShowDecidesWhetherOneGoesOn() throws {
        let folder = try ServerDataFolder(path: scratch.path + "/data")
        #expect(try ShowRecovery.recoverNewestShow(in: folder) == nil)
        var first = try begin(folder)
        first.play(piece: 0, measures: 0..<5)
        #expect(try ShowRecovery.recoverNewestShow(in: folder)?.podium.state == first.podium.state)
        // A folder that never got a line is passed over.
        _ = try folder.makeShowFolder(title: "Empty", began: "2026-05-04-210000")
        #expect(
            try ShowRecovery.recoverNewestShow(in: folder)?.showFolder == first.recorder.writer.showFolder)
        _ = first.recorder.recordShowEnd(at: ShowTime(milliseconds: first.now))
        #expect(try ShowRecovery.recoverNewestShow(in: folder) == nil)
    }

    private func beginShow(in folder: ServerDataFolder, named: String, started: String) throws -> PlayedShow {
        let show = try folder.makeShowFolder(title: "Evening", began: named)
        let writer = try ShowLogWriter(show: show, title: "Evening", started: started)
        var played = PlayedShow(
            recorder: ShowRecorder(writer: writer, continues: false),
            podium: Podium(course: PlayedShow.course()))
        played.play(piece: 0, measures: 0..<3)
        return played
    }

    private func removeNumber(of show: PlayedShow) throws {
        let folder = show.recorder.writer.showFolder
        let number = try #require(
            FileManager.default.contentsOfDirectory(atPath: folder).first { $0.hasPrefix("number-") })
        try FileManager.default.removeItem(atPath: folder + "/" + number)
    }

    /// The names are those of a zone further west, of the end of summer time, and of a clock that ran a year ahead.
    @Test(arguments: ["2026-05-04-163000", "2026-05-04-193000", "2025-05-04-193100"])
    func theShowThatBeganLastIsTheNewestWhateverTheTimeInItsName(later: String) throws {
        let folder = try ServerDataFolder(path: scratch.path + "/data")
        let yesterday = try beginShow(in: folder, named: "2026-05-04-193000", started: "2026-05-04T23:30:00Z")
        let tonight = try beginShow(in: folder, named: later, started: "2025-05-04T23:30:00Z")
        let expected = [tonight, yesterday].map(\.recorder.writer.showFolder)
        #expect(try folder.listShowFolders() == expected)
        #expect(try ShowRecovery.recoverNewestShow(in: folder)?.showFolder == expected[0])
        // The log may be damaged: the order does not depend on it.
        for show in expected { try Data("x".utf8).write(to: URL(fileURLWithPath: show + "/log-0001.jsonl")) }
        #expect(try folder.listShowFolders() == expected)
    }

    @Test func showsOfEarlierVersionsAreOrderedByTheStartInTheirLogsAndAreOlder() throws {
        let folder = try ServerDataFolder(path: scratch.path + "/data")
        let east = try beginShow(in: folder, named: "2026-05-04-193000", started: "2026-05-04T23:30:00Z")
        let west = try beginShow(in: folder, named: "2026-05-04-163500", started: "2026-05-04T23:35:00Z")
        for show in [east, west] { try removeNumber(of: show) }
        #expect(
            try folder.listShowFolders() == [west, east].map(\.recorder.writer.showFolder))
        let new = try beginShow(in: folder, named: "2026-05-04-120000", started: "2026-05-04T19:00:00Z")
        #expect(
            try folder.listShowFolders() == [new, west, east].map(\.recorder.writer.showFolder))
    }

    @Test func aShowGoesOnOverRestartsAndReplaysAsOne() throws {
        let folder = try ServerDataFolder(path: scratch.path + "/data")
        var show = try begin(folder)
        var measure = 0
        for restart in 1...5 {
            show.play(piece: 0, measures: measure..<measure + 10)
            measure += 10
            let recovery = try #require(try ShowRecovery.recoverNewestShow(in: folder))
            #expect(recovery.podium.state == show.podium.state)
            #expect(recovery.lastSequenceNumber == show.recorder.writer.lastSequenceNumber)
            #expect(recovery.title == "Evening" && recovery.started == "2026-05-04T19:30:00Z")
            let writer = try ShowLogWriter(
                show: recovery.showFolder, title: recovery.title, started: recovery.started,
                after: recovery.lastSequenceNumber)
            let recorder = ShowRecorder(writer: writer, packets: recovery.sentPacketCount, continues: true)
            show = PlayedShow(
                recorder: recorder, podium: recovery.podium, from: recovery.time.milliseconds + 1_500,
                seed: UInt64(restart))
            show.take(.restarted)
        }
        var replay = try ShowReplay(show: show.recorder.writer.showFolder)
        while try replay.replayNextLine() != nil {}
        #expect(replay.differences.isEmpty && replay.comparedLineCount > 100)
        #expect(replay.podium?.state == show.podium.state)
    }

    /// A disk that is really full, where the machine lets us mount one.
    @Test(.enabled(if: getuid() == 0)) func aRealFullDiskLosesNothingThatFitsIntoMemory() throws {
        let place = scratch.path + "/small"
        try FileManager.default.createDirectory(atPath: place, withIntermediateDirectories: true)
        guard mount("tmpfs", place, "tmpfs", 0, "size=64k") == 0 else { return }
        defer { umount2(place, Int32(MNT_DETACH)) }
        let folder = try ServerDataFolder(path: place)
        var show = try begin(folder)
        show.play(piece: 0, measures: 0..<119)
        show.play(piece: 1, measures: 0..<119)
        guard case .diskFull = show.recorder.writer.fault else {
            Issue.record("the disk is not full: \(String(describing: show.recorder.writer.fault))")
            return
        }
        #expect(mount("tmpfs", place, "tmpfs", UInt(MS_REMOUNT), "size=8m") == 0)
        #expect(show.recorder.writer.retryWriting() == nil)
        #expect(try ShowRecovery(show: show.recorder.writer.showFolder).podium.state == show.podium.state)
        var replay = try ShowReplay(show: show.recorder.writer.showFolder)
        while try replay.replayNextLine() != nil {}
        #expect(replay.differences.isEmpty && replay.lostLineCount == 0)
    }
}
