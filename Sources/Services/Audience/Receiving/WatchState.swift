import Concert
import Foundation
import Hosting

/// The state of `baton watch` at one moment: the packets so far and their sender.
package struct WatchState {
    package let inspector: PacketInspector
    package let source: String?
    package let now: Duration

    package init(inspector: PacketInspector, source: String? = nil, now: Duration) {
        self.inspector = inspector
        self.source = source
        self.now = now
    }

    package var rate: String { String(format: "%.1f packets/s", inspector.packetsPerSecond(at: now)) }

    package var summary: String {
        let tally = inspector.tally
        return
            "heard \(tally.heard), messages \(tally.messages); \(tally.lost) lost, \(tally.late) late, "
            + "\(tally.duplicates) twice, \(tally.malformed) malformed, \(tally.restarts) restarts; gaps: "
            + gaps
    }

    var gaps: String {
        guard let longest = inspector.longestGap else { return "none yet" }
        let allowed = String(format: "%g", inspector.allowedGap.seconds)
        return String(format: "longest %.2f s", longest.seconds)
            + ", \(inspector.tally.longGaps) over \(allowed) s"
    }
}
