import Catalogue
import Foundation
import Sound
import Testing

@testable import Hosting
@testable import Recordings

/// Recordings are kept as long as the operator says, and deleted without harm to those who use them.
@Suite struct RecordingStoreTests {
    private let stage: RecordingStage
    private static let day: Int64 = 86_400_000

    init() throws { stage = try RecordingStage() }

    private var name: String { "2026-11-21-200000-concert" }

    private func days(after count: Int) -> Date {
        Date(timeIntervalSince1970: Double(RecordingStage.evening + Int64(count) * Self.day) / 1_000 + 60)
    }

    @Test func aRunningRecordingCannotBeDeleted() throws {
        stage.hear(seconds: 1)
        #expect(throws: RecordingFault.running(name: name)) { try stage.store.delete(name) }
        #expect(stage.store.list().first?.isRunning == true)
        stage.stop()
        try stage.store.delete(name)
        #expect(stage.store.list().isEmpty)
        #expect(try FileManager.default.contentsOfDirectory(atPath: stage.store.folder).isEmpty)
        #expect(throws: RecordingFault.missing(name: name)) { try stage.store.delete(name) }
    }

    @Test func whatOneServerDeletesTheOtherDeletesOfTheSameTime() async throws {
        let other = try RecordingStage()
        for each in [stage, other] {
            each.hear(seconds: 20)
            each.stop()
        }
        let catalogue = try CatalogueStore(path: stage.folder + "/catalogue.sqlite")
        let erasures = RecordingErasures(catalogue: catalogue, isActiveServer: { true })
        // Another evening concerns neither.
        try await catalogue.noteErasure(of: .recording, named: "1000-2000")
        await erasures.carryOut(in: other.store)
        #expect(other.store.list().count == 1)
        let recording = try stage.store.recording(named: name)
        try stage.store.delete(name)
        try await erasures.note(recording)
        await erasures.carryOut(in: other.store)
        #expect(stage.store.list().isEmpty && other.store.list().isEmpty)
    }

    /// The zone was changed between the two evenings: the later one has the earlier name.
    @Test func theRecordingThatBeganLastIsTheFirstOfTheListWhateverTheTimeInItsName() throws {
        stage.hear(seconds: 1)
        stage.stop()
        stage.wait(seconds: 600)
        let later = "2026-11-21-171000-concert"
        try stage.restartAfterKill(name: later)
        stage.hear(seconds: 1)
        stage.stop()
        #expect(stage.store.list().map(\.name) == [later, name])
    }

    @Test func whoeverHasOpenedARecordingReadsItToItsEnd() throws {
        stage.hear(seconds: 2)
        stage.stop()
        let part = try #require(stage.store.list().first?.parts.first)
        let reader = try SoundFileReader(path: part.path)
        try stage.store.delete(name)
        #expect(try reader.readAll().count == 16_000)
    }

    @Test(arguments: ["..", "../shows", "", "lock", "2026-11-21-200000-concert/part-0001.flac", "deleted-x"])
    func noOtherNameIsARecording(name: String) throws {
        stage.hear(seconds: 1)
        stage.stop()
        #expect(throws: RecordingFault.missing(name: name)) { try stage.store.recording(named: name) }
        #expect(throws: RecordingFault.missing(name: name)) { try stage.store.delete(name) }
        #expect(stage.store.list().count == 1)
    }

    @Test func recordingsAreDeletedWhenTheirTimeIsOver() throws {
        stage.hear(seconds: 1)
        stage.stop()
        #expect(RecordingRetention.days(30).deleteExpired(in: stage.store, now: days(after: 30)) == 1)
        #expect(stage.store.list().isEmpty)
    }

    @Test func recordingsAreKeptUntilThen() throws {
        stage.hear(seconds: 1)
        stage.stop()
        #expect(RecordingRetention.days(30).deleteExpired(in: stage.store, now: days(after: 29)) == 0)
        #expect(RecordingRetention.forever.deleteExpired(in: stage.store, now: days(after: 9_999)) == 0)
        // A clock that is years behind deletes nothing.
        #expect(
            RecordingRetention.days(1).deleteExpired(in: stage.store, now: Date(timeIntervalSince1970: 0))
                == 0)
        #expect(stage.store.list().first?.parts.count == 1)
    }

    @Test func ofARecordingThatRunsForWeeksOnlyTheOldPartsAreDeleted() throws {
        stage.hear(seconds: 2)
        try stage.restartAfterKill()
        stage.wait(seconds: 40 * 86_400)
        stage.hear(seconds: 1)
        #expect(RecordingRetention.days(30).deleteExpired(in: stage.store, now: days(after: 40)) == 1)
        let parts = try #require(stage.store.list().first).parts
        #expect(parts.map(\.isDeleted) == [true, false])
        #expect(RecordingRetention.days(30).deleteExpired(in: stage.store, now: days(after: 40)) == 0)
        stage.stop()
    }

    @Test func anInterruptedDeletionIsCompleted() throws {
        stage.hear(seconds: 1)
        stage.stop()
        let folder = stage.store.folder
        try FileManager.default.moveItem(atPath: folder + "/" + name, toPath: folder + "/deleted-\(name)-7")
        #expect(stage.store.list().isEmpty)
        stage.store.completeInterrupted()
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder).isEmpty)
    }

    @Test(arguments: ["", "{", "{\"version\": 1}"])
    func aDamagedDescriptionHidesNoSound(text: String) throws {
        stage.hear(seconds: 2)
        stage.stop()
        let path = stage.store.folder + "/" + name
        try Data(text.utf8).write(to: URL(fileURLWithPath: path + "/recording.json"))
        let recording = try stage.store.recording(named: name)
        #expect(recording.title == name)
        #expect(recording.parts.count == 1 && recording.seconds == 2)
    }

    @Test func anotherVersionsRecordingIsLeftAlone() throws {
        stage.hear(seconds: 1)
        stage.stop()
        let path = stage.store.folder + "/" + name + "/recording.json"
        let text = try String(contentsOfFile: path, encoding: .utf8)
        try text.replacingOccurrences(of: "\"version\" : 1", with: "\"version\" : 2")
            .write(toFile: path, atomically: true, encoding: .utf8)
        #expect(stage.store.list().isEmpty)
        #expect(RecordingRetention.days(1).deleteExpired(in: stage.store, now: days(after: 99)) == 0)
        #expect(FileManager.default.fileExists(atPath: path))
    }

    @Test func theCheckBeforeTheShowSaysWhetherThereIsSpace() {
        var status = RecorderStatus(name: name)
        status.partNumber = 1
        status.secondsOfSpace = 5 * 3_600
        #expect(RecordingsService.checkRecording(status).kind == .pass)
        status.secondsOfSpace = 3 * 3_600
        let short = RecordingsService.checkRecording(status)
        #expect(short.kind == .warn && short.sentence.contains("only 3.0 hours"))
        status.partNumber = nil
        status.trouble = .full(freeBytes: 5 << 20)
        #expect(RecordingsService.checkRecording(status).kind == .fail)
    }

    @Test func theConsoleIsToldWhetherTheSoundIsRecorded() {
        func section(_ status: RecorderStatus?) -> RecordingSection {
            RecordingSection(status: status, offSentence: "Off.", retention: .days(7))
        }
        #expect(section(nil).state == "off" && section(nil).sentence == "Off." && section(nil).keptDays == 7)
        var status = RecorderStatus(name: name)
        #expect(section(status).state == "waiting")
        status.partNumber = 1
        #expect(section(status).state == "recording")
        status.partNumber = nil
        status.trouble = .disk("It failed.")
        #expect(section(status).state == "stopped")
        #expect(section(status).sentence.contains("It failed."))
    }
}
