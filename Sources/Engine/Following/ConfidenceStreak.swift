import MusicalTime

/// Measures for how long a follower has been sure of its position without a break.
struct ConfidenceStreak {
    /// Confidence that counts as sure. With other music a follower reaches it for two seconds at most, with its own
    /// for minutes.
    static let sure = 0.75
    private var startLive: Double?
    private var startReference = 0.0
    private var newestLive = 0.0
    private var newestReference = 0.0

    mutating func see(_ report: PositionReport, at now: Double) {
        guard let reference = report.reference?.seconds else { return startLive = nil }
        let isSure =
            (report.state == .following || report.state == .coasting) && report.confidence >= Self.sure
        // A jump starts anew.
        if startLive == nil || abs(reference - newestReference) > 1 {
            (startLive, startReference) = (now, reference)
        }
        if !isSure { startLive = nil }
        (newestLive, newestReference) = (now, reference)
    }

    /// Starts anew with the next report.
    mutating func startAnew() { startLive = nil }

    var isSure: Bool { startLive != nil }

    /// Seconds of live time; 0 if the position does not move as music does.
    var seconds: Double {
        guard let startLive, newestLive > startLive else { return 0 }
        let passed = newestLive - startLive
        return (0.4...2.5).contains((newestReference - startReference) / passed) ? passed : 0
    }
}
