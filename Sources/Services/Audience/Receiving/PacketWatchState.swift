import Concert
import Foundation
import Hosting

/// The packets received so far, their sender and the time, as `baton watch` shows them.
package struct PacketWatchState {
    package let packetInspector: PacketInspector
    package let senderAddress: String?
    package let elapsedTime: Duration

    package init(packetInspector: PacketInspector, senderAddress: String? = nil, elapsedTime: Duration) {
        self.packetInspector = packetInspector
        self.senderAddress = senderAddress
        self.elapsedTime = elapsedTime
    }

    package var packetRateText: String {
        String(format: "%.1f packets/s", packetInspector.packetsPerSecond(at: elapsedTime))
    }

    package var summaryText: String {
        let tally = packetInspector.tally
        return
            "heard \(tally.arrivedPackets), messages \(tally.messages); \(tally.lost) lost, \(tally.late) late, "
            + "\(tally.duplicates) twice, \(tally.malformed) malformed, \(tally.restarts) restarts; gaps: "
            + packetGapsText
    }

    var packetGapsText: String {
        guard let longest = packetInspector.longestGap else { return "none yet" }
        let allowed = String(format: "%g", packetInspector.allowedGap.seconds)
        return String(format: "longest %.2f s", longest.seconds)
            + ", \(packetInspector.tally.longGaps) over \(allowed) s"
    }
}
