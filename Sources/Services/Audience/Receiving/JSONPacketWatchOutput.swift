import Basics
import Concert
import Foundation
import Hosting

/// Prints one JSON object for each packet, each on its own line.
package final class JSONPacketWatchOutput: ReceivedPacketDisplay {
    package func update(_ verdict: PacketVerdict?, _ moment: PacketWatchState) {
        guard let verdict else { return }
        var object = jsonFieldsOfVerdict(verdict)
        object["seconds"] = moment.elapsedTime.seconds
        object["source"] = moment.senderAddress
        let options: JSONSerialization.WritingOptions = [.sortedKeys, .withoutEscapingSlashes]
        guard let line = try? JSONSerialization.data(withJSONObject: object, options: options) else { return }
        TerminalOutput.write(String(decoding: line, as: UTF8.self) + "\n")
    }

    package init() {}

    private func jsonFieldsOfVerdict(_ verdict: PacketVerdict) -> [String: Any] {
        switch verdict {
        case .shown(let packet): jsonFieldsOfPacket("measure", packet)
        case .restarted(let packet): jsonFieldsOfPacket("restart", packet)
        case .late(let packet): jsonFieldsOfPacket("late", packet)
        case .duplicate(let packet): jsonFieldsOfPacket("duplicate", packet)
        case .message(let message, let isNew):
            [
                "kind": "message", "isNew": isNew, "title": message.title, "body": message.body,
                "style": message.style.spelling, "buttonText": message.buttonText,
            ]
        case .malformed(let fault): ["kind": "malformed", "fault": fault.sentence]
        }
    }

    private func jsonFieldsOfPacket(_ kind: String, _ packet: MeasurePacket) -> [String: Any] {
        ["kind": kind, "piece": packet.piece.text, "measure": packet.measure, "count": packet.packetCount]
    }
}
