import Basics
import Following
import Foundation
import Sound
import Synchronization
import Testing

@testable import Students

/// A student's sound is followed exactly as `baton replay` follows a file of it.
@Suite struct PracticeSessionTests {
    private let programme: ConcertProgramme
    private let thread: PracticeThread

    init() throws {
        programme = try PracticeStage.programme()
        thread = try PracticeThread(name: "practice-test")
    }

    private final class Reports: Sendable {
        private let list = Mutex<[PositionReport]>([])
        var all: [PositionReport] { list.withLock(\.self) }
        func add(_ report: PositionReport) { list.withLock { $0.append(report) } }
    }

    private func session() -> PracticeSession {
        PracticeSession(programme: programme, rate: PracticeStage.rate, thread: thread)
    }

    /// The reports of a session that gets the blocks in requests of a few.
    private func reports(_ blocks: [SoundBlock], perRequest: Int = 1) async throws -> (
        [PositionReport], PracticePosition
    ) {
        let (session, reports) = (session(), Reports())
        for start in stride(from: 0, to: blocks.count, by: perRequest) {
            let batch = Array(blocks[start..<min(start + perRequest, blocks.count)])
            _ = try await session.hear(batch) { reports.add($0) }
        }
        let last = await session.finish { reports.add($0) }
        return (reports.all, last)
    }

    /// The reports of the engine on the same samples as a sound file gives them.
    private func replayed(_ samples: [Int16]) -> [PositionReport] {
        let concert = ConcertFollower(
            programme: programme, sampleRate: PracticeStage.rate, transforms: FFTWSpectrumMaker())
        var reports: [PositionReport] = []
        for start in stride(from: 0, to: samples.count, by: 4_096) {
            let block = samples[start..<min(start + 4_096, samples.count)].map { Float($0) / 32_768 }
            block.withUnsafeBufferPointer { block in
                concert.hearSamples(block) { reports.append($0.positionReport) }
            }
        }
        return reports
    }

    @Test func theReportsAreThoseOfAReplayHoweverTheSoundIsCut() async throws {
        let samples = PracticeStage.playing()
        let expected = replayed(samples)
        #expect(expected.count > 500 && expected.last?.position?.played ?? 0 > 5)
        for (size, perRequest) in [(1_102, 1), (333, 7), (4_800, 3)] {
            let (reports, last) = try await reports(
                PracticeStage.blocks(samples, of: size), perRequest: perRequest)
            #expect(reports == expected, "blocks of \(size)")
            #expect(last.heard == samples.count && last.lostSamples == 0)
        }
    }

    @Test func lateAndDoubledBlocksChangeNothing() async throws {
        let samples = PracticeStage.playing()
        var blocks = PracticeStage.blocks(samples, of: 1_102)
        for start in stride(from: 0, to: blocks.count - 4, by: 4) { blocks.swapAt(start, start + 3) }
        let (reports, last) = try await reports(blocks.flatMap { [$0, $0] }, perRequest: 5)
        #expect(reports == replayed(samples) && last.lostSamples == 0)
    }

    @Test func withEveryTwentiethBlockLostTheBarsAreTheSame() async throws {
        let samples = PracticeStage.playing()
        let blocks = PracticeStage.blocks(samples, of: 1_102).filter { $0.sequence % 20 != 7 }
        let (reports, last) = try await reports(blocks)
        let expected = replayed(samples)
        #expect(reports.count == expected.count && last.lostSamples > 5_000)
        let same = zip(reports, expected).count { $0.printedMeasure == $1.printedMeasure }
        #expect(Double(same) > 0.9 * Double(expected.count), "\(same) of \(expected.count)")
    }

    @Test func theStudentMaySayWhereTheMusicBegins() async throws {
        let session = session()
        _ = await session.begin(at: 6)
        let blocks = PracticeStage.blocks(PracticeStage.playing(from: 6, to: 9), of: 1_102)
        let position = try await session.hear(blocks)
        #expect(position.state == "following" && (position.bar ?? 0) >= 8, "\(position)")
    }

    @Test func soundFromTheFutureIsRefused() async throws {
        let elapsed = Mutex(0.0)
        let session = PracticeSession(programme: programme, rate: PracticeStage.rate, thread: thread) {
            elapsed.withLock(\.self)
        }
        func blocks(_ seconds: Range<Int>) -> [SoundBlock] {
            seconds.map {
                SoundBlock(
                    sequence: UInt32($0), firstSample: 30 * $0 * Int(PracticeStage.rate.hertz), samples: [0])
            }
        }
        await #expect(throws: BlockSequencer.Fault.tooFarAhead) { try await session.hear(blocks(0..<64)) }
        let heard = await session.begin(at: 0).heard
        #expect(Double(heard) < 60 * PracticeStage.rate.hertz)
        elapsed.withLock { $0 = 60 }
        #expect(try await session.hear(blocks(2..<5)).heard > heard)
    }

    /// A session that keeps a take in a new folder.
    private func keepingSession() throws -> (session: PracticeSession, folder: String) {
        let folder = NSTemporaryDirectory() + "baton-take-" + UUID().uuidString
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        let order = PracticeSession.TakeOrder(
            name: "take", folder: folder, take: Take(piece: "made", pieceName: "Made", startedAt: 0))
        let session = PracticeSession(
            programme: programme, rate: PracticeStage.rate, thread: thread, keeping: order)
        return (session, folder)
    }

    @Test func aTakeWithoutSoundLeavesNothingBehind() async throws {
        let (session, folder) = try keepingSession()
        #expect(await session.begin(at: 2).take == "take")
        #expect(await session.finish().take == nil)
        #expect(!FileManager.default.fileExists(atPath: folder))
    }

    @Test func aTakeThatCannotBeWrittenLeavesNothingBehind() async throws {
        let (session, folder) = try keepingSession()
        try FileManager.default.createDirectory(
            atPath: folder + "/" + Take.soundFile, withIntermediateDirectories: false)
        let blocks = PracticeStage.blocks(PracticeStage.playing(to: 1), of: 1_102)
        let position = try await session.hear(blocks)
        #expect(position.take == nil && position.takeTrouble != nil)
        #expect(await session.finish().takeTrouble != nil)
        #expect(!FileManager.default.fileExists(atPath: folder))
    }

    @Test func anEndedSessionHearsNothing() async throws {
        let session = session()
        let blocks = PracticeStage.blocks(PracticeStage.playing(to: 2), of: 1_102)
        _ = try await session.hear(Array(blocks.prefix(10)))
        let last = await session.finish()
        let after = try await session.hear(Array(blocks.dropFirst(10)))
        #expect(last.heard == 10 * 1_102 && after.heard == last.heard)
    }
}
