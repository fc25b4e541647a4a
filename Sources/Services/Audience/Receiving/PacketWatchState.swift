import Concert
import Foundation
import Hosting

/// What `baton watch` knows at one moment: the packets received so far, their sender and the time.
package struct PacketWatchState {
    package let inspector: PacketInspector
    package let source: String?
    package let elapsed: Duration

    package init(inspector: PacketInspector, source: String? = nil, elapsed: Duration) {
        self.inspector = inspector
        self.source = source
        self.elapsed = elapsed
    }

    package var rate: String { String(format: "%.1f packets/s", inspector.packetsPerSecond(at: elapsed)) }

    package var summary: String {
        let tally = inspector.tally
        return
            "heard \(tally.arrivedPackets), messages \(tally.messages); \(tally.lost) lost, \(tally.late) late, "
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
