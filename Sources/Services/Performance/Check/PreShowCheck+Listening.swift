import Foundation
import Hosting
import Podium

/// The pre-show check of the audio input and of whether the follower recognises the music.
extension PreShowCheck {
    /// Listens to the audio input for a while and records its level, its noise floor, lost samples and whether the
    /// piece was recognised.
    /// - Parameter progress: called with the completed share of the time, 0 to 1.
    package func listen(progress: (Double) -> Void) async {
        var heard = ListeningCheck(
            before: checkedParts.input.status, wantedSeconds: checkedParts.matchSeconds)
        heard.obstacle = await begin()
        let steps = max(Int(checkedParts.matchSeconds * 10), 1)
        for step in 1...steps {
            try? await Task.sleep(for: .milliseconds(100))
            heard.note(rms: Double(checkedParts.input.status.rms))
            if let report = checkedParts.lane.newest.latest()?.concertReport.report,
                report.state == .following,
                report.confidence > 0.6
            {
                heard.recognisedSeconds += 0.1
            }
            if step % 5 == 0 { progress(Double(step) / Double(steps)) }
        }
        heard.after = checkedParts.input.status
        setResult("input", heard.input(named: checkedParts.input.name))
        setResult("xruns", heard.interruptions)
        setResult("match", heard.match)
        if heard.obstacle == nil { _ = await show.submit(.check(false)) }
    }

    /// Lets the follower search for the music anywhere in the piece; the audience sees nothing of it.
    /// - Returns: the reason if it is not possible now.
    private func begin() async -> ListeningCheck.Obstacle? {
        switch await show.submit(.check(true)) {
        case .done, .notWritten: return nil
        case .refused(let refusal, _): return refusal.code == .locked ? .locked : .playing
        case .notActiveServer: return .backup
        case .busy: return .engineBusy
        }
    }
}

/// The measurements of the pre-show check while it listens, and its verdicts on them.
struct ListeningCheck {
    /// The reason why the follower could not be told to search anywhere in the piece.
    enum Obstacle { case playing, locked, engineBusy, backup }

    var before: SoundSourceStatus
    var after = SoundSourceStatus()
    var wantedSeconds: Double
    var obstacle: Obstacle?
    var recognisedSeconds = 0.0
    private var loudestDecibels = -120.0
    private var quietestDecibels = 0.0

    init(before: SoundSourceStatus, wantedSeconds: Double) {
        self.before = before
        self.wantedSeconds = wantedSeconds
    }

    mutating func note(rms: Double) {
        let level = rms > 1e-6 ? 20 * log10(rms) : -120
        loudestDecibels = max(loudestDecibels, level)
        quietestDecibels = min(quietestDecibels, level)
    }

    package func input(named name: String) -> CheckVerdict {
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
        guard missed != 0 else { return CheckVerdict(.pass, "No samples were lost.") }
        return CheckVerdict(
            .fail,
            "Samples were lost \(missed) times; close other programs, or give the device a longer period.")
    }

    var match: CheckVerdict {
        let heard = "\(recognisedSeconds.digits(0)) of \(wantedSeconds.digits(0)) s"
        if recognisedSeconds >= min(5, wantedSeconds / 4) {
            return CheckVerdict(.pass, "The piece was recognised for \(heard).")
        }
        switch obstacle {
        case .playing, .engineBusy:
            return CheckVerdict(
                .warn,
                "The music is being followed, so only the follower's confidence was checked: it was sure for \(heard)."
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
