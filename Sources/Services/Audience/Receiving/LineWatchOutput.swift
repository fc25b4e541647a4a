import Concert
import Foundation
import Hosting

/// Prints one line for each packet that changes what phones display, and one for each packet that phones would drop.
package final class LineWatchOutput: PacketWatchOutput {
    private var lastPosition: LivePosition?

    package init() {}

    package func update(_ verdict: PacketVerdict?, _ moment: PacketWatchState) {
        guard let verdict, let line = line(verdict) else { return }
        WatchTerminal.write(String(format: "%9.3f  ", moment.elapsed.seconds) + line + "\n")
    }

    package func end(_ moment: PacketWatchState) {
        WatchTerminal.write(String(format: "%9.3f  ", moment.elapsed.seconds) + moment.summary + "\n")
    }

    private func line(_ verdict: PacketVerdict) -> String? {
        switch verdict {
        case .shown(let packet):
            guard packet.position != lastPosition else { return nil }
            lastPosition = packet.position
            return "measure \(packet.measure) of \(packet.piece) (count \(packet.packetCount))"
        case .restarted(let packet):
            lastPosition = packet.position
            return "new sender: measure \(packet.measure) of \(packet.piece) (count \(packet.packetCount))"
        case .late(let packet): return "late packet \(packet.packetCount), dropped"
        case .duplicate(let packet): return "packet \(packet.packetCount) again, dropped"
        case .message(let message, let isNew): return isNew ? "message: \(message.summaryLine)" : nil
        case .malformed(let fault): return "not a packet: \(fault.sentence)"
        }
    }
}
