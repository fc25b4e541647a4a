import Concert
import Foundation
import Hosting

/// Prints a line for each packet that changes what phones show, and for each that phones would drop.
package final class LineWatchOutput: WatchOutput {
    private var position: LivePosition?

    package init() {}

    package func show(_ verdict: PacketVerdict?, _ moment: WatchState) {
        guard let verdict, let line = line(verdict) else { return }
        WatchTerminal.write(String(format: "%9.3f  ", moment.now.seconds) + line + "\n")
    }

    package func end(_ moment: WatchState) {
        WatchTerminal.write(String(format: "%9.3f  ", moment.now.seconds) + moment.summary + "\n")
    }

    private func line(_ verdict: PacketVerdict) -> String? {
        switch verdict {
        case .shown(let packet):
            guard packet.position != position else { return nil }
            position = packet.position
            return "measure \(packet.measure) of \(packet.piece) (count \(packet.count))"
        case .restarted(let packet):
            position = packet.position
            return "new sender: measure \(packet.measure) of \(packet.piece) (count \(packet.count))"
        case .late(let packet): return "late packet \(packet.count), dropped"
        case .duplicate(let packet): return "packet \(packet.count) again, dropped"
        case .message(let message, let isNew): return isNew ? "message: \(message.line)" : nil
        case .malformed(let fault): return "not a packet: \(fault.sentence)"
        }
    }
}
