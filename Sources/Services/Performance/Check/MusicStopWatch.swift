import Basics
import Following

/// Notices that the music of a sound check has stopped: for some seconds the follower has followed nothing.
struct MusicStopWatch {
    let secondsNeeded: Double
    private var secondsWithoutMusic = 0.0
    private var newestLiveTime: LiveTime?

    init(secondsNeeded: Double) { self.secondsNeeded = secondsNeeded }

    /// Takes the follower's newest report.
    /// - Parameters:
    ///   - report: nil if there is none yet. The same report again counts as no music.
    ///   - seconds: the time since the last call.
    mutating func takeReport(_ report: ConcertReport?, afterSeconds seconds: Double) {
        let isNew = report?.positionReport.liveTime != newestLiveTime
        newestLiveTime = report?.positionReport.liveTime
        let isMusic = report.map { $0.positionReport.state == .following && !$0.isSilent } ?? false
        secondsWithoutMusic = isMusic && isNew ? 0 : secondsWithoutMusic + seconds
    }

    var hasMusicStopped: Bool { secondsWithoutMusic >= secondsNeeded }
}
