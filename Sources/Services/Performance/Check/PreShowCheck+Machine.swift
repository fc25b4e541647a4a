import Hosting
import Platform
import Podium

/// The pre-show check of the machine and of the loaded references.
extension PreShowCheck {
    func reportLoadedReferences() {
        let models = checkedComponents.referenceModels()
        guard !models.isEmpty else {
            return setResult(
                "references", .warn, "The programme has no piece yet; add one in the panel “Programme”.")
        }
        let minutes = models.reduce(0.0) { $0 + ($1.measures.end.seconds) } / 60
        let references = models.reduce(0) { $0 + $1.recordingCount }
        setResult(
            "references", .pass,
            "\(models.count) pieces are loaded, \(minutes.decimalText(0)) minutes, "
                + "\(references) recordings."
        )
    }

    func checkMachine() {
        if let free = DiskReserve.diskSpace(checkedComponents.dataFolderPath)?.free {
            let text = "\((Double(free) / 1e9).decimalText(1)) GB are free for the show log."
            if free < 200_000_000 {
                setResult(
                    "disk", .fail, text + " Delete files on that disk; a show needs some 10 MB, Linux more.")
            } else {
                setResult("disk", free < 2_000_000_000 ? .warn : .pass, text)
            }
        } else {
            setResult(
                "disk", .fail, "The disk of \(checkedComponents.dataFolderPath) does not answer; check it.")
        }
        if SystemProbes.isClockSynchronized {
            setResult("clock", .pass, "A time service sets the clock.")
        } else {
            setResult(
                "clock", .warn,
                "No time service sets the clock, so times of day in the log may be wrong. Following is not affected."
            )
        }
        if let percent = SystemProbes.batteryPercent() {
            setResult("power", .fail, "The machine runs on its battery (\(percent) %); plug it in.")
        } else {
            setResult("power", .pass, "The machine does not run on a battery.")
        }
        let policies = checkedComponents.schedulingPolicies()
        let refused = policies.contains { if case .ordinary = $0 { true } else { false } }
        if policies.isEmpty {
            setResult("realtime", .warn, "Capture and follower do not run yet; check again in a second.")
        } else if refused {
            setResult(
                "realtime", .warn,
                "The system refuses real-time priority, so other programs can delay the follower; allow it with "
                    + "“rtprio 80” in /etc/security/limits.conf, or run the server as a service (docs/deploy.md)."
            )
        } else if let trouble = checkedComponents.memoryLockFailure() {
            setResult("realtime", .warn, trouble)
        } else {
            setResult("realtime", .pass, "Capture and follower have real-time priority; memory is locked.")
        }
    }
}
