import Basics
import Foundation
import Platform
import Sound
import Testing

@testable import Recordings

/// The recorder writes what it hears, stops before the disk is full, and says what is missing.
@Suite struct RecorderTests {
    private let stage: RecordingStage

    init() throws { stage = try RecordingStage() }

    private func onlyRecording() throws -> Recording {
        let all = stage.store.list()
        #expect(all.count == 1)
        return try #require(all.first)
    }

    private func sound(of part: Recording.Part) throws -> [Float] {
        try SoundFileReader(path: part.path).readAll()
    }

    @Test func anEveningIsOneCompleteFile() throws {
        stage.hear(seconds: 3)
        #expect(stage.recorder.status.isRecording)
        #expect(stage.recorder.status.sentence == "The sound is being recorded.")
        stage.stop()
        let recording = try onlyRecording()
        #expect(recording.title == "Concert")
        #expect(recording.pieces == ["Bach", "Grieg"])
        #expect(!recording.isRunning)
        let part = try #require(recording.parts.first)
        #expect(recording.parts.count == 1 && !part.isInterrupted && part.gapSeconds == nil)
        #expect(part.seconds == 3 && part.hertz == 8_000 && part.channelCount == 1)
        // The first block of 0.1 s ended 0.1 s after the beginning of the evening.
        #expect(part.startedAt == RecordingStage.evening)
        #expect(part.endedAt == RecordingStage.evening + 3_000)
        let heard = try sound(of: part)
        #expect(heard.count == 24_000)
        #expect(heard.enumerated().allSatisfy { abs($1 - 0.25 * sin(Float($0) * 0.05)) < 1e-5 })
        let description = try #require(
            RecordingDescription(folder: stage.store.folder + "/" + recording.name))
        #expect(description.parts.first?.showTime == 4_900)
        #expect(description.folders == ["bach", "grieg"])
    }

    @Test func itHasTheNameThatTheEveningHasByNow() throws {
        stage.hear(seconds: 1)
        stage.isRenamed.value = 1
        stage.look()
        #expect(try onlyRecording().title == "Rehearsal" && onlyRecording().parts.count == 1)
        stage.stop()
        #expect(try onlyRecording().title == "Rehearsal")
    }

    @Test func nothingIsMadeBeforeTheFirstSound() {
        stage.look()
        #expect(stage.store.list().isEmpty)
        #expect(stage.recorder.status.sentence == "The recording begins with the first sound.")
        stage.stop()
        #expect(stage.store.list().isEmpty)
    }

    @Test func aRecordingStopsWhenTheDiskIsNearlyFullAndGoesOnByItself() throws {
        stage.hear(seconds: 2)
        // Two reserves of 512 MB are kept.
        stage.freeBytes.value = (1 << 30) - 1
        stage.hear(seconds: 1)
        let fault = try #require(stage.recorder.status.faultSentence)
        #expect(fault.contains("has 1023 MB left") && fault.contains("goes on by itself"), "\(fault)")
        #expect(!stage.recorder.status.isRecording)
        var parts = try onlyRecording().parts
        #expect(parts.count == 1 && (2.0...2.6).contains(parts[0].seconds))
        #expect(try sound(of: parts[0]).count == Int(parts[0].seconds * 8_000))
        stage.freeBytes.value = 4 << 30
        stage.hear(seconds: 12)
        #expect(stage.recorder.status.faultSentence == nil)
        stage.stop()
        parts = try onlyRecording().parts
        #expect(parts.count == 2)
        let gap = try #require(parts[1].gapSeconds)
        #expect((9.9...10.6).contains(gap), "\(gap)")
        #expect(abs(parts[0].seconds + gap + parts[1].seconds - 15) < 0.01)
    }

    @Test func nothingIsBegunOnAFullDisk() {
        stage.freeBytes.value = 1 << 30
        stage.hear(seconds: 2)
        #expect(stage.recorder.status.trouble == .full(freeBytes: 1 << 30))
        #expect(stage.store.list().isEmpty)
    }

    @Test(arguments: [1, 5, 17])
    func aDiskThatFailsLeavesWhatWasWritten(writes: Int) throws {
        stage.failure.fail(afterWrites: writes)
        stage.hear(seconds: 2.5)
        let fault = try #require(stage.recorder.status.faultSentence)
        #expect(fault.contains("Input/output error") && fault.contains("every ten seconds"), "\(fault)")
        stage.failure.mend()
        stage.hear(seconds: 12)
        #expect(stage.recorder.status.faultSentence == nil)
        stage.stop()
        let parts = try onlyRecording().parts.filter { $0.bytesAreThere }
        let last = try #require(parts.last)
        #expect(!last.isInterrupted && last.seconds > 2)
        for part in parts { #expect(try sound(of: part).count == Int((part.seconds * 8_000).rounded())) }
        // A frame of 4,096 samples is half a second at this rate: what was written before is there but for that.
        let kept = parts.dropLast().reduce(0) { $0 + $1.seconds }
        #expect(kept >= Double(writes) * 0.1 - 1.03 && kept <= Double(writes) * 0.1)
    }

    @Test func aDiskThatStallsLosesSoundButNotTheTime() throws {
        stage.hear(seconds: 1)
        let capacity = Double(stage.recorder.ring.capacity) / 8_000
        stage.hear(seconds: 38, recorderLooks: false)
        // The ring is still full when the next block comes.
        let lost = 38.1 - capacity
        stage.hear(seconds: 1)
        let status = stage.recorder.status
        #expect(abs(status.lostSeconds - lost) < 0.01)
        #expect(status.isLosing)
        #expect(status.faultSentence?.contains("loses sound (5.3 s so far)") == true)
        stage.hear(seconds: 11)
        #expect(stage.recorder.status.faultSentence == nil)
        stage.stop()
        let part = try #require(try onlyRecording().parts.first)
        #expect(abs(part.seconds - 51) < 0.01)
        #expect(abs(part.lostSeconds - lost) < 0.01)
    }

    @Test func afterAKillTheRecordingGoesOnAsAFurtherPartAndTheGapIsStated() throws {
        stage.hear(seconds: 5.3)
        try stage.restartAfterKill()
        stage.wait(seconds: 2)
        stage.hear(seconds: 3)
        #expect(stage.recorder.status.partNumber == 2)
        #expect(stage.recorder.status.sentence.hasPrefix("The sound is being recorded, part 2; "))
        try stage.restartAfterKill()
        stage.hear(seconds: 1)
        stage.stop()
        let parts = try onlyRecording().parts
        #expect(parts.map(\.number) == [1, 2, 3])
        #expect(parts.map(\.isInterrupted) == [true, true, false])
        // At this rate the encoder holds at most two blocks of 0.512 s; at 44.1 kHz, of 0.093 s.
        #expect((5.3 - 1.03...5.3).contains(parts[0].seconds))
        let gap = try #require(parts[1].gapSeconds)
        #expect(abs(parts[0].seconds + gap - 7.3) < 0.01)
        for part in parts { #expect(try sound(of: part).count == Int((part.seconds * 8_000).rounded())) }
    }

    @Test func aKilledRecordingIsCompletedWhoeverLooksAtIt() throws {
        stage.hear(seconds: 5)
        try stage.restartAfterKill()
        #expect(try onlyRecording().parts[0].isInterrupted)
        let sentences = stage.store.completeInterrupted()
        #expect(sentences.count == 1 && sentences[0].contains("part 1 was interrupted"), "\(sentences)")
        let part = try onlyRecording().parts[0]
        #expect(part.isInterrupted && part.endedAt == part.startedAt + Int64(part.seconds * 1_000))
        #expect(stage.store.completeInterrupted().isEmpty)
    }

    @Test func aKillBeforeTheFirstFrameLeavesAPartWithoutSound() throws {
        stage.hear(seconds: 0.2)
        try stage.restartAfterKill()
        stage.hear(seconds: 2)
        stage.stop()
        let parts = try onlyRecording().parts
        #expect(parts.map(\.number) == [1, 2])
        #expect(parts[0].seconds == 0 && parts[1].seconds == 2)
    }

    @Test func twoRecordersNeverWriteTheSameRecording() throws {
        stage.hear(seconds: 1)
        let folder = stage.store.folder + "/" + (try onlyRecording().name)
        let other = RecordingSession.Subject(
            name: try onlyRecording().name, title: "", pieces: [], folders: [])
        #expect(throws: RecordingFault.running(name: other.name)) {
            _ = try RecordingSession(other, in: stage.store)
        }
        #expect(RecordingLock.isHeld(folder: folder))
        stage.stop()
        #expect(!RecordingLock.isHeld(folder: folder))
    }
}

extension Recording.Part {
    fileprivate var bytesAreThere: Bool { !isDeleted && byteCount > 0 }
}
