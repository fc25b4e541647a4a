import MusicalTime

/// The progress of a follower since its last jump or loss: live and reference seconds.
struct Progress {
    private var startLive: Double?
    private var startReference = 0.0
    private var newestLive = 0.0
    private var newestReference = 0.0
    private var stoodSince: Double?
    private var stoodAt = 0.0

    mutating func see(_ report: PositionReport, at now: Double) {
        guard let reference = report.reference?.seconds else { return }
        // Half a second is more than an estimate trembles.
        if stoodSince == nil || abs(reference - stoodAt) > 0.5 { (stoodSince, stoodAt) = (now, reference) }
        // A jump is no progress, and following ends where the state says so.
        let goesOn = report.state == .following && abs(reference - newestReference) < 1
        if startLive == nil || !goesOn {
            startLive = report.state == .following ? now : nil
            startReference = reference
        }
        (newestLive, newestReference) = (now, reference)
    }

    /// Counts from the next report.
    mutating func startAnew() { startLive = nil }

    /// Followed for so long, at a speed at which music is played.
    func isMusical(for seconds: Double) -> Bool {
        guard let startLive, newestLive - startLive >= seconds else { return false }
        return (0.4...2.5).contains((newestReference - startReference) / (newestLive - startLive))
    }

    /// The run began about there.
    func hasContinued(from reference: Double) -> Bool {
        startLive != nil && (-2...4).contains(startReference - reference)
    }

    func stoodSeconds(at now: Double) -> Double { stoodSince.map { now - $0 } ?? 0 }
}
