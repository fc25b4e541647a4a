import Podium
import Score

@testable import DiaryKeeping
@testable import ShowLog
@testable import ShowStages
@testable import TestHelpers

/// A Podium with a clock that the test sets, and the builder that reads its log. Both pieces have eight measures of a
/// second each.
struct PlayedEvening {
    var podium: Podium
    var builder = EveningAccountBuilder()
    var milliseconds: Int64 = 0

    /// - Parameter rules: the version of the Podium's rules under which the evening is played.
    init(rules: Int = PodiumSettings().rules, _ kind: Evening.Kind = .concert, encores: Int = 0) throws {
        var settings = PodiumSettings()
        settings.rules = rules
        let programme = try ShowProgramme(
            Evening("Made", kind: kind, encores: encores), pieces: madeCourse().pieces)
        podium = Podium(course: programme, settings: settings)
    }

    /// The pieces played in each run, by their folders; an encore has `*` after it.
    var runs: [[String]] {
        builder.finished().map { $0.playings.map { $0.folder + ($0.isEncore ? "*" : "") } }
    }

    mutating func take(_ event: PodiumEvent) {
        let now = ShowTime(milliseconds: milliseconds)
        let effects = podium.process(event, at: now)
        builder.addReplayedLine(
            .init(
                time: now, timeOfDay: nil, event: event, replayedEffects: effects,
                replayedEffectsJSON: [],
                packetAndClientCounts: nil, note: nil, isEnd: false), podium)
    }

    mutating func say(_ words: String) throws {
        let command = try PodiumCommand(words: words.split(separator: " ").map(String.init))
        take(.command(command, by: ServeStage.anna))
    }

    mutating func hear(_ played: Int, piece: Int, finished: Bool = false, jumped: Bool = false) {
        take(
            .followerReport(
                FollowerReport(
                    piece: piece, position: ScorePosition(played: played, fraction: 0),
                    printed: played + 1,
                    state: finished ? .finished : .following, jumped: jumped, order: podium.state.order)))
    }

    /// The room is silent, with the follower at a measure.
    mutating func silence(piece: Int, at played: Int) {
        take(
            .followerReport(
                FollowerReport(
                    piece: piece, position: ScorePosition(played: played, fraction: 0), printed: played + 1,
                    state: .following, isSilent: true, order: podium.state.order)))
    }

    mutating func wait(seconds: Int64) {
        let end = milliseconds + seconds * 1_000
        while let due = podium.nextTickDue, due <= ShowTime(milliseconds: end) {
            milliseconds = max(milliseconds, due.milliseconds)
            take(.tick)
        }
        milliseconds = end
    }

    mutating func play(_ piece: Int, bars: Range<Int> = 0..<8) {
        for played in bars {
            hear(played, piece: piece, jumped: played == 0)
            wait(seconds: 1)
        }
    }

    /// Applause, until the concert counts as over.
    mutating func end(in piece: Int) {
        rest(in: piece, seconds: 16)
    }

    /// Silence after the last measure of a piece, in which the follower reports that the piece is finished.
    mutating func rest(in piece: Int, seconds: Int64) {
        for _ in 0..<(seconds / 2) {
            hear(7, piece: piece, finished: true)
            wait(seconds: 2)
        }
    }

    /// The whole programme, until it counts as over.
    mutating func playConcert() {
        play(0)
        play(1)
        end(in: 1)
    }
}
