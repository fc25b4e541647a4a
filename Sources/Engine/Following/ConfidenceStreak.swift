import Basics

/// Measures for how long a follower has been sure of its position without a break.
struct ConfidenceStreak {
    /// The confidence that counts as sure. A follower that hears other music reaches it for two seconds at most, one
    /// that hears its own music for minutes.
    static let sureConfidence = 0.92
    private var startLive: Double?
    private var startReference = 0.0
    private var newestLive = 0.0
    private var newestReference = 0.0

    mutating func addReport(_ report: PositionReport, at now: Double) {
        guard let reference = report.referenceTime?.seconds else { return startLive = nil }
        let isSure =
            (report.state == .following || report.state == .coasting)
            && report.passageConfidence >= Self.sureConfidence
        // A jump starts anew.
        if startLive == nil || abs(reference - newestReference) > 1 {
            (startLive, startReference) = (now, reference)
        }
        if !isSure { startLive = nil }
        (newestLive, newestReference) = (now, reference)
    }

    /// Ends the streak; the next report may start a new one.
    mutating func endStreak() { startLive = nil }

    var isSure: Bool { startLive != nil }

    /// The duration of the streak in seconds of live time; 0 if the position has not moved as music does.
    var durationSeconds: Double {
        guard let startLive, newestLive > startLive else { return 0 }
        let passed = newestLive - startLive
        return (0.4...2.5).contains((newestReference - startReference) / passed) ? passed : 0
    }
}
