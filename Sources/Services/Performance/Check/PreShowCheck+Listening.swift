import Foundation
import Hosting
import Podium

/// The part of the pre-show check that listens to the audio input and tries to recognise the music.
extension PreShowCheck {
    /// Listens to the audio input for a while and records its level, its noise floor, lost samples and whether the
    /// piece was recognised.
    /// - Parameter progress: called with the completed share of the time, 0 to 1.
    package func listen(progress: (Double) -> Void) async {
        var heard = ListeningCheck(
            statusBefore: checkedParts.input.status, wantedSeconds: checkedParts.listeningSeconds)
        heard.obstacle = await beginListening()
        let steps = max(Int(checkedParts.listeningSeconds * 10), 1)
        for step in 1...steps {
            try? await Task.sleep(for: .milliseconds(100))
            heard.recordLevel(rms: Double(checkedParts.input.status.rms))
            if let report = checkedParts.followLane.newestReport.latest()?.concertReport.report,
                report.state == .following,
                report.confidence > 0.6
            {
                heard.recognisedSeconds += 0.1
            }
            if step % 5 == 0 { progress(Double(step) / Double(steps)) }
        }
        heard.statusAfter = checkedParts.input.status
        setResult("input", heard.inputVerdict(named: checkedParts.input.name))
        setResult("xruns", heard.interruptionVerdict)
        setResult("match", heard.recognitionVerdict)
        if heard.obstacle == nil { _ = await showInbox.submit(.preShowCheck(false)) }
    }

    /// Lets the follower search for the music anywhere in the piece, unseen by the audience.
    /// - Returns: the reason if that is not possible now.
    private func beginListening() async -> ListeningCheck.Obstacle? {
        switch await showInbox.submit(.preShowCheck(true)) {
        case .done, .doneButNotSaved: return nil
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

    var statusBefore: SoundSourceStatus
    var statusAfter = SoundSourceStatus()
    var wantedSeconds: Double
    var obstacle: Obstacle?
    var recognisedSeconds = 0.0
    private var loudestDecibels = -120.0
    private var quietestDecibels = 0.0

    init(statusBefore: SoundSourceStatus, wantedSeconds: Double) {
        self.statusBefore = statusBefore
        self.wantedSeconds = wantedSeconds
    }

    mutating func recordLevel(rms: Double) {
        let level = rms > 1e-6 ? 20 * log10(rms) : -120
        loudestDecibels = max(loudestDecibels, level)
        quietestDecibels = min(quietestDecibels, level)
    }

    package func inputVerdict(named name: String) -> CheckVerdict {
        let level = "level \(loudestDecibels.decimalText(0)) dB, floor \(quietestDecibels.decimalText(0)) dB"
        if statusAfter.isLost {
            return CheckVerdict(
                .fail, "The input “\(name)” is gone: \(statusAfter.problem ?? "no reason"). Plug it in.")
        } else if statusAfter.isOver {
            return CheckVerdict(
                .fail, "The recording “\(name)” is over, nothing more is heard; start it again.")
        } else if loudestDecibels < -90 {
            return CheckVerdict(
                .fail, "Nothing is heard (\(level)); check the cable, the channel and the preamplifier.")
        } else if statusAfter.clippedSamples > statusBefore.clippedSamples {
            return CheckVerdict(.warn, "The input is too loud and clips (\(level)); turn it down.")
        } else if loudestDecibels < -50 {
            return CheckVerdict(.warn, "The input is very quiet (\(level)); turn it up.")
        }
        return CheckVerdict(.pass, "The input is heard: \(level).")
    }

    var interruptionVerdict: CheckVerdict {
        let missed =
            statusAfter.overruns - statusBefore.overruns + statusAfter.deviceLosses
            - statusBefore.deviceLosses
        guard missed != 0 else { return CheckVerdict(.pass, "No samples were lost.") }
        return CheckVerdict(
            .fail,
            "Samples were lost \(missed) times; close other programs, or give the device a longer period.")
    }

    var recognitionVerdict: CheckVerdict {
        let heard = "\(recognisedSeconds.decimalText(0)) of \(wantedSeconds.decimalText(0)) s"
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
