import Following
import Foundation
import Hosting
import Podium

/// The part of the pre-show check that listens to the audio input and tries to recognise the music.
extension PreShowCheck {
    /// Listens to the audio input for a while and records its level, its noise floor, lost samples and whether the
    /// piece was recognised.
    /// - Parameter progress: called with the completed share of the time, 0 to 1.
    package func listenToInput(progress: (Double) -> Void) async {
        var heard = ListeningCheck(
            inputStatusBefore: checkedComponents.input.status,
            plannedListeningSeconds: checkedComponents.listeningSeconds)
        heard.searchObstacle = await startPieceSearch()
        var stopWatch = MusicStopWatch(
            secondsNeeded: min(
                Self.secondsUntilMusicHasStopped, checkedComponents.listeningSeconds / 4))
        async let silence = checkedComponents.silenceMeter?.listen(
            seconds: checkedComponents.listeningSeconds)
        let steps = max(Int(checkedComponents.listeningSeconds * 10), 1)
        for step in 1...steps {
            try? await Task.sleep(for: .milliseconds(100))
            heard.recordLevel(rms: Double(checkedComponents.input.status.rms))
            let report = newestConcertReport
            stopWatch.takeReport(report, afterSeconds: 0.1)
            if let position = report?.positionReport, position.state == .following, position.confidence > 0.6
            {
                heard.recognisedSeconds += 0.1
            }
            if step % 5 == 0 { progress(Double(step) / Double(steps)) }
        }
        heard.inputStatusAfter = checkedComponents.input.status
        setResult("input", heard.inputVerdict(named: checkedComponents.input.name))
        setResult(
            "silence", .init(onSilence: checkedComponents.silenceMeter?.silence, heard: await silence))
        setResult("xruns", heard.lostSamplesVerdict)
        setResult("match", heard.recognitionVerdict)
        guard heard.searchObstacle == nil else { return }
        if stopWatch.hasMusicStopped {
            _ = await showInbox.submitEvent(.setPreShowCheck(false))
        } else {
            endSearchOnceMusicStops(stopWatch)
        }
    }

    /// The seconds without music after which the music of the sound check has stopped.
    private static let secondsUntilMusicHasStopped = 3.0
    /// The search ends after so long even if the follower still follows something.
    private static let longestWaitSeconds = 600.0

    private var newestConcertReport: ConcertReport? {
        checkedComponents.followLane.newestReport.latestValue()?.concertReport
    }

    /// Lets the follower go on searching, unseen by the audience, until the music of the sound check has stopped: it
    /// would begin the concert with the rest of it. A command that ends the search, and another check, end the wait.
    private func endSearchOnceMusicStops(_ watch: MusicStopWatch) {
        let wait = Task { [self] in
            var watch = watch
            for _ in 0..<Int(Self.longestWaitSeconds * 10) where !watch.hasMusicStopped {
                try? await Task.sleep(for: .milliseconds(100))
                guard !Task.isCancelled, showInbox.newestSnapshot.state.check != nil else { return }
                watch.takeReport(newestConcertReport, afterSeconds: 0.1)
            }
            _ = await showInbox.submitEvent(.setPreShowCheck(false))
        }
        waitForSilence.withLock { $0 = wait }
    }

    /// Lets the follower search for the music anywhere in the piece, unseen by the audience.
    /// - Returns: the reason if that is not possible now.
    private func startPieceSearch() async -> ListeningCheck.SearchObstacle? {
        switch await showInbox.submitEvent(.setPreShowCheck(true)) {
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
    enum SearchObstacle { case playing, locked, engineBusy, backup }

    var inputStatusBefore: SoundSourceStatus
    var inputStatusAfter = SoundSourceStatus()
    var plannedListeningSeconds: Double
    var searchObstacle: SearchObstacle?
    var recognisedSeconds = 0.0
    private var loudestDecibels = -120.0
    private var quietestDecibels = 0.0

    init(inputStatusBefore: SoundSourceStatus, plannedListeningSeconds: Double) {
        self.inputStatusBefore = inputStatusBefore
        self.plannedListeningSeconds = plannedListeningSeconds
    }

    mutating func recordLevel(rms: Double) {
        let level = rms > 1e-6 ? 20 * log10(rms) : -120
        loudestDecibels = max(loudestDecibels, level)
        quietestDecibels = min(quietestDecibels, level)
    }

    package func inputVerdict(named name: String) -> PreShowCheckVerdict {
        let level = "level \(loudestDecibels.decimalText(0)) dB, floor \(quietestDecibels.decimalText(0)) dB"
        if inputStatusAfter.isLost {
            return PreShowCheckVerdict(
                .fail,
                "The input “\(name)” is gone: \(inputStatusAfter.failureReason ?? "no reason"). Plug it in.")
        } else if inputStatusAfter.hasReachedEnd {
            return PreShowCheckVerdict(
                .fail, "The recording “\(name)” is over, nothing more is heard; start it again.")
        } else if loudestDecibels < -90 {
            return PreShowCheckVerdict(
                .fail, "Nothing is heard (\(level)); check the cable, the channel and the preamplifier.")
        } else if inputStatusAfter.clippedSamples > inputStatusBefore.clippedSamples {
            return PreShowCheckVerdict(.warn, "The input is too loud and clips (\(level)); turn it down.")
        } else if loudestDecibels < -50 {
            return PreShowCheckVerdict(.warn, "The input is very quiet (\(level)); turn it up.")
        }
        return PreShowCheckVerdict(.pass, "The input is heard: \(level).")
    }

    var lostSamplesVerdict: PreShowCheckVerdict {
        let missed =
            inputStatusAfter.overruns - inputStatusBefore.overruns + inputStatusAfter.deviceLosses
            - inputStatusBefore.deviceLosses
        guard missed != 0 else { return PreShowCheckVerdict(.pass, "No samples were lost.") }
        return PreShowCheckVerdict(
            .fail,
            "Samples were lost \(missed) times; close other programs, or give the device a longer period.")
    }

    var recognitionVerdict: PreShowCheckVerdict {
        let heard = "\(recognisedSeconds.decimalText(0)) of \(plannedListeningSeconds.decimalText(0)) s"
        if recognisedSeconds >= min(5, plannedListeningSeconds / 4) {
            return PreShowCheckVerdict(.pass, "The piece was recognised for \(heard).")
        }
        switch searchObstacle {
        case .playing, .engineBusy:
            return PreShowCheckVerdict(
                .warn,
                "The music is being followed, so only the follower's confidence was checked: it was sure for \(heard)."
            )
        case .backup:
            return PreShowCheckVerdict(
                .warn,
                "This server is the backup, so its follower was not told to listen; the main server's check does."
            )
        case .locked:
            return PreShowCheckVerdict(
                .warn,
                "The show is locked, so the follower was not told to listen; unlock it and check again.")
        case nil:
            return PreShowCheckVerdict(
                .fail,
                "The piece was recognised for \(heard) only; let somebody play some bars of it during the check, "
                    + "and see that the microphone hears the stage.")
        }
    }
}

extension PreShowCheckVerdict {
    /// The verdict on hum and on the silence of the hall.
    /// - Parameters:
    ///   - silence: what was measured with this device; nil if nobody has measured it.
    ///   - heard: what the check heard; nil if it heard too little.
    init(onSilence silence: HallSilence?, heard: SilenceMeter.Heard?) {
        guard let heard else {
            self.init(.skipped, "Too little was heard to look for hum.")
            return
        }
        let hum = MainsHum.find(in: heard.spectrum)
        if let hum {
            self.init(.warn, hum.sentence)
        } else if let silence {
            let louder = heard.quietest - silence.levelDb
            let known = "The silence of this hall was measured at \(silence.levelDb.decimalText(0)) dB"
            self.init(
                louder > Self.noticeablyLouderDb ? .warn : .pass,
                louder > Self.noticeablyLouderDb
                    ? "\(known), and nothing quieter than \(heard.quietest.decimalText(0)) dB was heard now; look for "
                        + "ventilation and other noise, or measure it again." : "\(known). No hum stands out."
            )
        } else {
            self.init(
                .pass,
                "No hum stands out. Measure the silence once, while nobody plays, so that the console knows what "
                    + "sound is.")
        }
    }

    private static let noticeablyLouderDb = 6.0
}
