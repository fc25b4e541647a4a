import Basics
import Foundation
import Hosting
import ReferenceStore
import Rehearsal
import Repository
import Score
import Sound
import Synchronization
import Testing
import WebServer

@testable import Stands
@testable import TestHelpers

/// The tuning of a recorded session: sound of a real performance, detuned by known cents.
@Suite(.ownThreads) final class TuningAnalysisTests {
    private static let piece = "bach-well-tempered-clavier-1-prelude-in-c"
    private static let began: Int64 = 1_795_000_000_000
    private static let seconds = 45.0
    private let folder = NSTemporaryDirectory() + "baton-tuning-" + UUID().uuidString

    deinit { try? FileManager.default.removeItem(atPath: folder) }

    private struct OneEvening: RecordedEvenings {
        var path: String
        var seconds: Double
        var listeningRoles: Set<WebRole> { [] }
        var presentRecording: PresentRecording {
            PresentRecording(name: nil, isRecording: false, sentence: "")
        }
        func listEvenings() -> [RecordedEvening] {
            let part = RecordedEvening.Part(
                number: 1, path: path, startedAt: TuningAnalysisTests.began, showTime: nil, seconds: seconds)
            return [RecordedEvening(name: "e", title: "E", pieces: [], isRunning: false, parts: [part])]
        }
        func evening(named name: String) -> RecordedEvening? { nil }
    }

    /// A recorded session: the beginning of the reference's recording, played so many cents higher.
    private func session(
        cents: Double
    ) throws -> (sound: RehearsalSound, score: Rehearsal.Score, words: [LoggedLivePositionUpdate]) {
        let models = ModelFolder(path: Repository.root.path + "/Models")
        let stored = try models.loadModel(Self.piece)
        let recording = try #require(
            FileManager.default.subpaths(atPath: Repository.recordings.path + "/" + Self.piece)?.sorted()
                .first { $0 == stored.referenceDetails[0].name + "/audio.ogg" })
        let reader = try SoundFileReader(path: "\(Repository.recordings.path)/\(Self.piece)/\(recording)")
        let hertz = reader.sampleRate.hertz
        let ratio = exp2(cents / 1_200)
        var sound = [Float](repeating: 0, count: Int(Self.seconds * ratio * hertz) + 2)
        var filled = 0
        while filled < sound.count {
            let count = try sound.withUnsafeMutableBufferPointer {
                try reader.read(into: UnsafeMutableBufferPointer(rebasing: $0[filled...]))
            }
            guard count > 0 else { break }
            filled += count
        }
        let played = (0..<Int(Self.seconds * hertz)).map { index in
            let place = Double(index) * ratio
            let (low, part) = (Int(place), Float(place - place.rounded(.down)))
            return sound[low] * (1 - part) + sound[low + 1] * part
        }
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        let path = "\(folder)/\(Int(cents)).wav"
        try writeWAV(played, hertz: Int(hertz), to: path)
        let map = stored.referenceDetails[0].measures
        let words = map.marks.enumerated().compactMap { index, mark -> LoggedLivePositionUpdate? in
            let at = mark.onset.seconds / ratio
            guard at < Self.seconds else { return nil }
            return LoggedLivePositionUpdate(
                at: CalendarTime(milliseconds: Self.began + Int64(at * 1_000)),
                word: LivePositionUpdate(
                    movement: 0, position: ScorePosition(played: index, fraction: 0), trust: .playing))
        }
        let score = try Rehearsal.Score(
            id: .init(UUID().uuidString.lowercased())!, title: "Prelude",
            movements: [Movement(name: "", piece: Self.piece)],
            parts: [Part(name: "Score", pages: [PageSize(width: 1, height: 1)])])
        let evenings = OneEvening(path: path, seconds: Self.seconds)
        return (
            RehearsalSound(
                evenings: evenings, modelsFolder: Repository.root.path + "/Models", data: folder),
            score, words
        )
    }

    private func writeWAV(_ samples: [Float], hertz: Int, to path: String) throws {
        var bytes = Data("RIFF".utf8)
        func add(_ value: UInt32) { withUnsafeBytes(of: value.littleEndian) { bytes.append(contentsOf: $0) } }
        func add(_ value: UInt16) { withUnsafeBytes(of: value.littleEndian) { bytes.append(contentsOf: $0) } }
        add(UInt32(36 + 2 * samples.count))
        bytes += Data("WAVEfmt ".utf8)
        add(UInt32(16))
        add(UInt16(1))
        add(UInt16(1))
        add(UInt32(hertz))
        add(UInt32(2 * hertz))
        add(UInt16(2))
        add(UInt16(16))
        bytes += Data("data".utf8)
        add(UInt32(2 * samples.count))
        for sample in samples {
            add(UInt16(bitPattern: Int16(max(-1, min(1, sample)) * 32_767)))
        }
        try bytes.write(to: URL(fileURLWithPath: path))
    }

    private func tuning(cents: Double) throws -> TuningResult {
        let (sound, score, words) = try session(cents: cents)
        let found = try TuningAnalysis(sound: sound, score: score, began: Self.began, progress: { _ in true })
            .run(words)
        return try #require(found)
    }

    @Test func aRealPerformanceTwentyCentsHigherIsTwentyCentsHigher() throws {
        let (plain, higher) = (try tuning(cents: 0), try tuning(cents: 20))
        let median = try #require(plain.tuning.medianCents)
        #expect(abs(try #require(higher.tuning.medianCents) - median - 20) < 2)
        // The model's own estimate of the same recording is made in another way.
        #expect(abs(median - (plain.referenceCents ?? 99)) < 5)
        let judged = plain.tuning.bars.filter { $0.cents != nil }
        #expect(judged.count >= plain.tuning.bars.count * 3 / 4 && judged.count >= 6)
        #expect(abs(try #require(plain.tuning.driftCents)) < 4)
    }

    @Test func anAnalysisIsInterruptedAndSaysWhyThereIsNone() throws {
        let (sound, score, words) = try session(cents: 0)
        let ended = Mutex(0)
        let stopped = try TuningAnalysis(
            sound: sound, score: score, began: Self.began,
            progress: { _ in
                ended.withLock { $0 += 1 }
                return false
            }
        ).run(words)
        #expect(stopped == nil && ended.withLock { $0 } == 1)
        #expect(throws: TuningAnalysis.Fault.self) {
            _ = try TuningAnalysis(
                sound: sound, score: score, began: Self.began, progress: { _ in true }
            ).run([])
        }
        // A session of which nothing was recorded.
        let later = words.map { word in
            LoggedLivePositionUpdate(at: word.at.advanced(byMilliseconds: 86_400_000), word: word.word)
        }
        let fault = #expect(throws: TuningAnalysis.Fault.self) {
            _ = try TuningAnalysis(
                sound: sound, score: score, began: Self.began, progress: { _ in true }
            ).run(later)
        }
        #expect(fault?.sentence.contains("no recording") == true)
    }
}
