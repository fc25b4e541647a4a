import Foundation
import Podium
import Score
import Testing

/// Early cues are timed by how the position has moved, not by the last tempo alone.
@Suite struct PredictionTests {
    private func stage(rules: Int? = nil) -> Stage {
        var settings = PodiumSettings()
        if let rules { settings.rules = rules }
        return Stage(evening([cue("early", at: 4, early: 500)]), settings: settings)
    }

    /// The measures come every two seconds, as in the reference, but the follower reports a faster tempo.
    private func playToCue(_ stage: inout Stage) {
        for played in 0..<3 {
            stage.hear(played, tempo: 1.25)
            stage.wait(2_000)
        }
        stage.hear(3, tempo: 1.25)
    }

    @Test func anEarlyCueIsTimedByTheSpeedOfTheLastSeconds() {
        var stage = stage()
        playToCue(&stage)
        // Of three measures, 2 (1 + e^-1/6 + e^-1/3) = 5.13 s are remembered, and the tempo counts as 4 s:
        // 2 s at (5.13 + 4 * 1.25) / 9.13 of the reference's speed last 1.80 s.
        #expect(fired(stage.wait(1_290)).isEmpty)
        #expect(fired(stage.wait(20)) == ["early"])
    }

    @Test func aShowBegunUnderOlderRulesIsReplayedByTheTempoAlone() {
        var stage = stage(rules: 3)
        playToCue(&stage)
        #expect(fired(stage.wait(1_099)).isEmpty)
        #expect(fired(stage.wait(1)) == ["early"])
        #expect(!json(stage.state).contains(#""speed""#))
    }

    @Test func afterAPauseTheTempoCountsAlone() {
        var stage = stage()
        playToCue(&stage)
        stage.hear(3, 0, .waiting)
        stage.wait(3_000)
        stage.hear(3, tempo: 1.25)
        #expect(fired(stage.wait(1_099)).isEmpty)
        #expect(fired(stage.wait(1)) == ["early"])
    }

    @Test func theSpeedSurvivesACrash() throws {
        var stage = stage()
        playToCue(&stage)
        let due = try #require(stage.podium.nextTickDue)
        let state = try back(json(stage.state), as: PodiumState.self)
        #expect(state == stage.state)
        #expect(Podium(course: stage.podium.course, continuing: state).nextTickDue == due)
    }

    @Test func aStateOfTheFormerVersionIsRead() throws {
        var stage = stage()
        playToCue(&stage)
        var fields = try #require(
            try JSONSerialization.jsonObject(with: Data(json(stage.state).utf8)) as? [String: Any])
        #expect(fields.removeValue(forKey: "speed") != nil)
        let old = try JSONDecoder().decode(
            PodiumState.self, from: JSONSerialization.data(withJSONObject: fields))
        var podium = Podium(course: stage.podium.course, continuing: old)
        let due = try #require(podium.nextTickDue)
        #expect(due == old.positionAt.advanced(byMilliseconds: 1_100))
        #expect(fired(podium.process(.tick, at: due)) == ["early"])
    }

    @Test func theCountdownWaitsAtTheBarLine() throws {
        var stage = Stage(evening([cue("later", at: 4)]))
        stage.play(0...1)
        stage.hear(2)
        #expect(stage.podium.cueCountdown(at: stage.now)?.seconds == 4)
        stage.wait(5_000)
        #expect(stage.podium.cueCountdown(at: stage.now)?.seconds == 2)
    }
}
