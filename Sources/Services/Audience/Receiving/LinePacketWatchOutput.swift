import Concert
import Foundation
import Hosting

/// Prints one line for each packet that changes what phones display, and one for each packet that phones would drop.
package final class LinePacketWatchOutput: ReceivedPacketDisplay {
    private var lastPrintedPosition: LivePosition?

    package init() {}

    package func update(_ verdict: PacketVerdict?, _ moment: PacketWatchState) {
        guard let verdict, let line = lineForVerdict(verdict) else { return }
        TerminalOutput.write(String(format: "%9.3f  ", moment.elapsedTime.seconds) + line + "\n")
    }

    package func end(_ moment: PacketWatchState) {
        TerminalOutput.write(
            String(format: "%9.3f  ", moment.elapsedTime.seconds) + moment.summaryText + "\n")
    }

    private func lineForVerdict(_ verdict: PacketVerdict) -> String? {
        switch verdict {
        case .shown(let packet):
            guard packet.position != lastPrintedPosition else { return nil }
            lastPrintedPosition = packet.position
            return "measure \(packet.measure) of \(packet.piece) (count \(packet.packetCount))"
        case .restarted(let packet):
            lastPrintedPosition = packet.position
            return "new sender: measure \(packet.measure) of \(packet.piece) (count \(packet.packetCount))"
        case .late(let packet): return "late packet \(packet.packetCount), dropped"
        case .duplicate(let packet): return "packet \(packet.packetCount) again, dropped"
        case .message(let message, let isNew): return isNew ? "message: \(message.summaryLine)" : nil
        case .malformed(let fault): return "not a packet: \(fault.sentence)"
        }
    }
}
