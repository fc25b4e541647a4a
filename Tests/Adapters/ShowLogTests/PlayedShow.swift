import Foundation
import Podium

@testable import ShowLog

/// A made-up evening for tests: pieces of 120 measures, a follower that plays through them, a technician who
/// intervenes. The same seed gives the same evening.
struct PlayedShow {
    let recorder: ShowRecorder
    var podium: Podium
    var now: Int64
    /// All effects that left.
    var left: [[PodiumEffect]] = []
    private var random: UInt64

    static func course(pieces: Int = 3, measures: Int = 120) -> ShowProgramme {
        let list = (1...pieces).map { number in
            // The second eight measures are played twice.
            try! ShowPiece(
                name: .init("Somebody, Piece: Movement \(number)"), folder: "piece-\(number)",
                measures: .init(
                    marks: (0..<measures).map {
                        .init(printed: $0 < 16 ? $0 + 1 : $0 - 7, onset: .init(seconds: Double($0) * 2.125))
                    }, end: .init(seconds: Double(measures) * 2.125)))
        }
        return try! ShowProgramme(title: "Evening", pieces: list)
    }

    init(recorder: ShowRecorder, podium: Podium, from now: Int64 = 0, seed: UInt64 = 1) {
        self.recorder = recorder
        self.podium = podium
        self.now = now
        random = seed
    }

    @discardableResult
    mutating func take(_ event: PodiumEvent) -> ShowLogFault? {
        let (effects, fault) = recorder.applyAndRecord(event, by: &podium, at: ShowTime(milliseconds: now))
        left.append(effects)
        return fault
    }

    @discardableResult
    mutating func command(_ words: String...) -> ShowLogFault? {
        take(.command(try! PodiumCommand(words: words), by: CommandSender(name: "Ada", role: .technician)))
    }

    mutating func word(
        piece: Int, played: Int, fraction: Double = 0.02, confidence: Double = 0.97
    ) -> PodiumEvent {
        .followerReport(
            FollowerReport(
                piece: piece, position: .init(played: played, fraction: fraction),
                printed: podium.course.pieces[piece].measures.marks[played].printed,
                tempo: 1 + Double(next() % 100) / 1_000, confidence: confidence, state: .following,
                order: podium.state.order))
    }

    /// Plays so many measures of a piece, as a sieve lets words through: each measure, tempo and confidence now
    /// and then, counts each ten seconds, sometimes a command.
    mutating func play(piece: Int, measures: Range<Int>, withCommands: Bool = true) {
        for played in measures {
            take(word(piece: piece, played: played))
            for step in 1...3 where next() % 2 == 0 {
                now += 500
                take(word(piece: piece, played: played, fraction: Double(step) * 0.24, confidence: 0.9))
            }
            now += 1_000 + Int64(next() % 300)
            if played % 5 == 0 {
                _ = recorder.recordTraffic(
                    PacketAndClientCounts(
                        packets: UInt64(now) / 200, clients: ["audience": 12, "console": 1]),
                    at: ShowTime(milliseconds: now))
            }
            if withCommands, next() % 23 == 0 {
                switch next() % 4 {
                case 0: command("hold")
                case 1: command("nudge", "1")
                case 2: command("tap")
                default: command("goto", "p:\(played)")
                }
            }
            if withCommands, next() % 7 == 0 { command("resume") }
            if withCommands, next() % 7 == 0 { command("release") }
        }
    }

    private mutating func next() -> UInt64 {
        random = random &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return random >> 33
    }
}
