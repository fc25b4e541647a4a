import Concert
import Hosting
import Podium

/// Sends the position and messages to phones as packets.
///
/// Packets have no field for a blackout, so phones keep showing the last measure. Packet numbers rise continuously,
/// whoever holds the baton.
final class PacketOutput: ShowOutput {
    private let packetSender: PhonePacketSender

    init(_ packetSender: PhonePacketSender) { self.packetSender = packetSender }

    func carryOut(_ effect: PodiumEffect, of course: ShowProgramme) {
        switch effect {
        case .show(let shown): course.live(shown).map { packetSender.show($0) }
        case .endLive: packetSender.endLive()
        case .announce(let message): packetSender.announce(message)
        case .withdrawMessage: packetSender.withdrawMessage()
        default: break
        }
    }

    func close() async { await packetSender.close() }
}
