import Basics
import Glibc
import Performance
import Platform

/// A sound device that brings silence in real time; its level and its absence are the script's.
final class ScriptedInput: SoundSource {
    let name = "USB Audio"
    let rate: SampleRate
    private let script: Script

    init(rate: SampleRate, script: Script) {
        self.rate = rate
        self.script = script
    }

    func deliverSamples(to sound: CapturedSound, until stop: StopRequest) {
        let period = ScriptedFollower.hopSamples
        let start = MonotonicClock.now.nanoseconds
        var written = 0
        while !stop.isMade {
            let now = MonotonicClock.now
            let due = Int(Double(now.nanoseconds - start) / 1e9 * rate.hertz)
            // A process that was stopped for a while hears no more of that time than a device would have kept.
            written = max(written, due - Int(rate.hertz))
            guard due - written >= period else {
                usleep(2_000)
                continue
            }
            sound.writeSilence(count: period, capturedAt: now)
            written += period
        }
    }

    var status: SoundSourceStatus {
        let state = script.now
        var status = SoundSourceStatus.initial
        if let problem = state.inputProblem {
            (status.isLost, status.failureReason) = (true, problem)
        } else if state.isSilent {
            status.silentSeconds = 12
        } else {
            (status.peak, status.heldPeak, status.rms) = (0.2, 0.2, 0.05)
        }
        return status
    }
}
