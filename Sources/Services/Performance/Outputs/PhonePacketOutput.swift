import Concert
import Hosting
import Podium

/// Sends the position and messages to phones as packets.
///
/// Packets have no field for a blackout, so phones keep showing the last measure. Packet numbers rise continuously,
/// whether the follower or a person holds the baton.
final class PhonePacketOutput: ShowOutput {
    private let packetSender: PhonePacketSender

    init(_ packetSender: PhonePacketSender) { self.packetSender = packetSender }

    func performEffect(_ effect: PodiumEffect, of course: ShowProgramme) {
        switch effect {
        case .showPosition(let shown):
            course.livePositionForPhones(shown).map { packetSender.showPosition($0) }
        case .endLivePosition: packetSender.endLive()
        case .showMessage(let message): packetSender.announce(message)
        case .withdrawMessage: packetSender.withdrawMessage()
        default: break
        }
    }

    func close() async { await packetSender.close() }
}
