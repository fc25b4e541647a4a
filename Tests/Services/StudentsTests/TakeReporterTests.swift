import Basics
import Foundation
import Sound
import Testing

@testable import Students
@testable import TakeReport

/// The report says which bars were not played, and never counts them: of takes that stop early, begin late, or hold
/// something else than the piece before and after it.
@Suite final class TakeReporterTests {
    private let folder = NSTemporaryDirectory() + "baton-reports-" + UUID().uuidString
    private let performance: MinuetPerformance
    private var rate: SampleRate { performance.rate }

    init() throws {
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        performance = try MinuetPerformance()
    }

    deinit { try? FileManager.default.removeItem(atPath: folder) }

    private func played(_ from: Double, _ to: Double) -> [Float] { performance.part(from: from, to: to) }

    /// Sounds that a microphone hears before and after the piece.
    enum OtherSound: CaseIterable {
        case digitalSilence, quietRoom, noise, applause

        func samples(_ seconds: Double, _ rate: SampleRate) -> [Float] {
            var chance = SeededRandomGenerator(seed: 5)
            let count = Int(seconds * rate.hertz)
            func noise(_ level: Float) -> [Float] {
                (0..<count).map { _ in level * Float.random(in: -1...1, using: &chance) }
            }
            switch self {
            case .digitalSilence: return [Float](repeating: 0, count: count)
            case .quietRoom: return noise(0.0005)
            case .noise: return noise(0.03)
            case .applause:
                var claps = noise(0.002)
                for _ in 0..<Int(60 * seconds) {
                    let start = Int.random(in: 0..<count - 2_000, using: &chance)
                    for index in 0..<2_000 {
                        claps[start + index] +=
                            0.2 * exp(-Float(index) / 300) * Float.random(in: -1...1, using: &chance)
                    }
                }
                return claps
            }
        }
    }

    private func report(on samples: [Float]) async throws -> ReportOnTake {
        let path = folder + "/take.wav"
        let writer = try SoundFileWriter(path: path, rate: rate)
        try writer.write(samples)
        try writer.close()
        let reporter = TakeReporter(
            modelsFolder: MinuetPerformance.models, recordings: MinuetPerformance.recordings,
            thread: try PracticeThread(name: "take-report"))
        var take = Take(piece: MinuetPerformance.piece, pieceName: "Minuet", startedAt: 1)
        take.seconds = Double(samples.count) / rate.hertz
        return try await reporter.report(
            on: take, sound: path, key: path, for: .init(address: "127.0.0.1", account: "a"))
    }

    /// Played bars of all passages, in order.
    private func bars(_ report: ReportOnTake) -> [Int] { report.passages.flatMap { $0.bars.map(\.played) } }

    /// A take that stops at 20 s, two thirds through bar 12, whatever comes after it.
    private func expectTwelveBars(_ report: ReportOnTake) throws {
        #expect(bars(report) == Array(0...11))
        let last = try #require(report.passages.last?.bars.last)
        #expect((0.5...0.8).contains(last.playedTo ?? 1), "\(last)")
        #expect(last.playedFrom == nil && last.tempo == nil)
        let unplayed = report.unplayed.map { $0.first...$0.last }
        #expect(Set(unplayed.joined()) == Set(12..<64))
        #expect(
            report.unplayed.first
                == ReportOnTake.UnplayedRange(
                    first: 12, last: 15, printedFirst: 13, printedLast: 16, isRepeat: false))
        #expect(
            report.unplayed.contains {
                $0.isRepeat && $0.printedFirst == 1 && $0.printedLast == 12
            })
        #expect(report.notes == [], "no note after the stop is a mistake")
        #expect(report.rightNotes >= 50 && report.unplayedNotes > 0)
        #expect(report.unknownNotes[.unalignedBar] == nil)
    }

    @Test func aTakeThatEndsWithinABarEndsThere() async throws {
        try expectTwelveBars(try await report(on: played(0, 20)))
    }

    @Test(arguments: OtherSound.allCases)
    func whatComesAfterTheMusicIsNoBar(_ other: OtherSound) async throws {
        try expectTwelveBars(try await report(on: played(0, 20) + other.samples(20, rate)))
    }

    @Test func aTakeThatBeginsInTheMiddleBeginsThere() async throws {
        let report = try await report(on: played(20.75, 60))
        #expect(bars(report) == Array(12...34))
        #expect(Set(report.unplayed.map { $0.first...$0.last }.joined()) == Set(0..<12).union(35..<64))
        #expect(report.notes == [] && report.rightNotes >= 100, "\(report.notes)")
    }

    @Test(arguments: OtherSound.allCases)
    func whatComesBeforeTheMusicIsNoBar(_ other: OtherSound) async throws {
        let report = try await report(on: other.samples(10, rate) + played(20.75, 60))
        // The take ends within bar 34, which may be left out.
        #expect(bars(report).starts(with: 12...33) && bars(report).count <= 23)
        #expect(report.notes == [] && report.rightNotes >= 100, "\(report.notes)")
    }

    @Test func whoeverBeginsWithinABarMissesNothingBeforeThat() async throws {
        // The last 0.8 s of bar 12.
        let report = try await report(on: OtherSound.applause.samples(10, rate) + played(20, 60))
        let first = try #require(report.passages.first?.bars.first)
        #expect(first.played == 11 && (0.3...0.7).contains(first.playedFrom ?? 0), "\(first)")
        #expect(report.notes == [])
    }

    @Test func aTakeOfBarsInTheMiddleIsToldFromAnotherPiece() async throws {
        let report = try await report(on: played(20.75, 40))
        #expect(bars(report) == Array(12...22) && report.refusal == nil)
    }

    @Test func silenceAloneIsNoPiece() async throws {
        let report = try await report(on: OtherSound.quietRoom.samples(12, rate))
        #expect(report.refusal != nil && report.passages.isEmpty && report.unplayed.isEmpty)
    }

    /// The sound at another speed, and so in another key.
    private func resampled(_ samples: [Float], semitones: Double) -> [Float] {
        let step = pow(2, semitones / 12)
        return (0..<Int(Double(samples.count - 1) / step)).map { index in
            let place = Double(index) * step
            let share = Float(place - Double(Int(place)))
            return samples[Int(place)] * (1 - share) + samples[Int(place) + 1] * share
        }
    }

    @Test(arguments: [1, -1])
    func aTakeASemitoneOffHasRightNotesAndSaysSo(semitones: Int) async throws {
        let report = try await report(on: resampled(played(0, 40), semitones: Double(semitones)))
        #expect(report.refusal == nil && report.semitonesHigher == semitones)
        #expect(
            report.rightNotes >= 90, "\(report.rightNotes) right, \(report.unknownNotes), \(report.notes)")
        #expect(report.notes.count <= 2, "\(report.notes)")
    }

    /// Bars 13 to 16 of the performance, four times.
    @Test func aLoopIsJudgedPassByPass() async throws {
        let loop = played(20.75, 27.75)
        let report = try await report(on: loop + loop + loop + loop)
        let found = report.passages.map { "\($0.bars.map(\.played))" }
        #expect(report.refusal == nil && report.passages.count == 4, "\(found)")
        let notes = report.notes.filter { $0.verdict != "extra" }
        #expect(notes.count <= 2, "\(notes)")
    }

    /// The sound at half the speed and in its own key: pieces of it overlap, each twice as far from the next.
    private func atHalfSpeed(_ samples: [Float]) -> [Float] {
        let (length, step) = (Int(0.12 * rate.hertz), Int(0.06 * rate.hertz))
        var slow = [Float](repeating: 0, count: 2 * samples.count + length)
        for piece in 0..<(slow.count - length) / step {
            for index in 0..<length where piece * step / 2 + index < samples.count {
                let weight = 0.5 - 0.5 * cos(2 * Float.pi * Float(index) / Float(length))
                slow[piece * step + index] += weight * samples[piece * step / 2 + index]
            }
        }
        return slow
    }

    @Test func aSlowTakeIsJudged() async throws {
        let report = try await report(on: atHalfSpeed(played(0, 20)))
        #expect(bars(report).starts(with: 0...10), "\(bars(report))")
        let tempo = try #require(report.passages.first?.tempo)
        #expect((0.4...0.65).contains(tempo))
        let uncertain = report.unknownNotes[.unalignedBar] ?? 0
        #expect(uncertain * 5 <= report.rightNotes, "\(uncertain) uncertain, \(report.rightNotes) right")
    }
}
