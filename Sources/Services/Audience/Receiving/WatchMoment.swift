import Concert
import Foundation

/// What is known at one instant of a watch.
struct WatchMoment {
    let inspector: PacketInspector
    let source: String?
    let now: Duration

    var rate: String { String(format: "%.1f packets/s", inspector.packetsPerSecond(at: now)) }

    var summary: String {
        let tally = inspector.tally
        return
            "heard \(tally.heard), messages \(tally.messages); \(tally.lost) lost, \(tally.late) late, "
            + "\(tally.duplicates) twice, \(tally.malformed) malformed, \(tally.restarts) restarts; gaps: "
            + gaps
    }

    var gaps: String {
        guard let longest = inspector.longestGap else { return "none yet" }
        let allowed = String(format: "%g", inspector.allowedGap.inSeconds)
        return String(format: "longest %.2f s", longest.inSeconds)
            + ", \(inspector.tally.longGaps) over \(allowed) s"
    }
}
