import Basics

/// Measures how far a follower has come since its last jump or loss: in seconds of the live music and of the reference.
struct FollowedStretch {
    private var startLive: Double?
    private var startReference = 0.0
    private var newestLive = 0.0
    private var newestReference = 0.0
    private var standingStillSince: Double?
    private var standingStillAt = 0.0

    mutating func addReport(_ report: PositionReport, at now: Double) {
        guard let reference = report.referenceTime?.seconds else { return }
        // Half a second is more than an estimate varies at rest.
        if standingStillSince == nil || abs(reference - standingStillAt) > 0.5 {
            (standingStillSince, standingStillAt) = (now, reference)
        }
        // A jump is not progress, and a run ends when the state is no longer `following`.
        let goesOn = report.state == .following && abs(reference - newestReference) < 1
        if startLive == nil || !goesOn {
            startLive = report.state == .following ? now : nil
            startReference = reference
        }
        (newestLive, newestReference) = (now, reference)
    }

    /// Ends the run; a new one starts with the next report.
    mutating func endStretch() { startLive = nil }

    /// Returns true if the run has lasted for so many seconds, at a speed at which music is played.
    func hasRunAtMusicalSpeed(for seconds: Double) -> Bool {
        guard let startLive, newestLive - startLive >= seconds else { return false }
        return (0.4...2.5).contains((newestReference - startReference) / (newestLive - startLive))
    }

    /// Returns true if the run began near a position, which is given in seconds of the reference.
    func hasBegunNearReferencePosition(from reference: Double) -> Bool {
        startLive != nil && (-2...4).contains(startReference - reference)
    }

    func secondsStandingStill(at now: Double) -> Double { standingStillSince.map { now - $0 } ?? 0 }
}
