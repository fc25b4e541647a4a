import Foundation
import Podium

/// The input, and whether the music is recognised.
extension PreShowCheck {
    /// Half a minute of listening: the level, the floor, interruptions, and whether the piece is recognised.
    /// - Parameter progress: told how much of it is over, 0 to 1.
    func listen(progress: (Double) -> Void) async {
        var heard = CheckHearing(before: subjects.input.status, wantedSeconds: subjects.matchSeconds)
        heard.obstacle = await begin()
        let steps = max(Int(subjects.matchSeconds * 10), 1)
        for step in 1...steps {
            try? await Task.sleep(for: .milliseconds(100))
            heard.note(rms: Double(subjects.input.status.rms))
            if let report = subjects.lane.newest.latest()?.said.report, report.state == .following,
                report.confidence > 0.6
            {
                heard.recognisedSeconds += 0.1
            }
            if step % 5 == 0 { progress(Double(step) / Double(steps)) }
        }
        heard.after = subjects.input.status
        say("input", heard.input(named: subjects.input.name))
        say("xruns", heard.interruptions)
        say("match", heard.match)
        if heard.obstacle == nil { _ = await show.submit(.check(false)) }
    }

    /// Lets the follower listen for the piece from anywhere, unseen by the audience.
    /// - Returns: why it cannot.
    private func begin() async -> CheckHearing.Obstacle? {
        switch await show.submit(.check(true)) {
        case .done, .notWritten: return nil
        case .refused(let refusal, _): return refusal.code == .locked ? .locked : .playing
        case .notReigning: return .backup
        case .busy: return .noDesk
        }
    }
}

/// What was heard during the check, and what it says about the evening.
struct CheckHearing {
    /// Why the follower was not told to listen from anywhere.
    enum Obstacle { case playing, locked, noDesk, backup }

    var before: LiveInputStatus
    var after = LiveInputStatus()
    var wantedSeconds: Double
    var obstacle: Obstacle?
    var recognisedSeconds = 0.0
    private var loudestDecibels = -120.0
    private var quietestDecibels = 0.0

    init(before: LiveInputStatus, wantedSeconds: Double) {
        self.before = before
        self.wantedSeconds = wantedSeconds
    }

    mutating func note(rms: Double) {
        let level = rms > 1e-6 ? 20 * log10(rms) : -120
        loudestDecibels = max(loudestDecibels, level)
        quietestDecibels = min(quietestDecibels, level)
    }

    func input(named name: String) -> CheckVerdict {
        let level = "level \(loudestDecibels.digits(0)) dB, floor \(quietestDecibels.digits(0)) dB"
        if after.isLost {
            return CheckVerdict(
                .fail, "The input “\(name)” is gone: \(after.problem ?? "no reason"). Plug it in.")
        } else if after.isOver {
            return CheckVerdict(
                .fail, "The recording “\(name)” is over, nothing more is heard; start it again.")
        } else if loudestDecibels < -90 {
            return CheckVerdict(
                .fail, "Nothing is heard (\(level)); check the cable, the channel and the preamplifier.")
        } else if after.clippedSamples > before.clippedSamples {
            return CheckVerdict(.warn, "The input is too loud and clips (\(level)); turn it down.")
        } else if loudestDecibels < -50 {
            return CheckVerdict(.warn, "The input is very quiet (\(level)); turn it up.")
        }
        return CheckVerdict(.pass, "The input is heard: \(level).")
    }

    var interruptions: CheckVerdict {
        let missed = after.overruns - before.overruns + after.losses - before.losses
        guard missed != 0 else { return CheckVerdict(.pass, "No sample was missed.") }
        return CheckVerdict(
            .fail,
            "\(missed) times samples were missed; close other programs, or give the device a longer period.")
    }

    var match: CheckVerdict {
        let heard = "\(recognisedSeconds.digits(0)) of \(wantedSeconds.digits(0)) s"
        if recognisedSeconds >= min(5, wantedSeconds / 4) {
            return CheckVerdict(.pass, "The piece was recognised for \(heard).")
        }
        switch obstacle {
        case .playing, .noDesk:
            return CheckVerdict(
                .warn, "The music is being followed, so only its confidence was looked at: sure for \(heard)."
            )
        case .backup:
            return CheckVerdict(
                .warn,
                "This server is the backup, so its follower was not told to listen; the main server's check does."
            )
        case .locked:
            return CheckVerdict(
                .warn,
                "The show is locked, so the follower was not told to listen; unlock it and check again.")
        case nil:
            return CheckVerdict(
                .fail,
                "The piece was recognised for \(heard) only; let somebody play some bars of it during the check, "
                    + "and see that the microphone hears the stage.")
        }
    }
}
