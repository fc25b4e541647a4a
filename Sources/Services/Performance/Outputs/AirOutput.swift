import Concert
import Hosting
import Podium

/// Sends the position and messages to phones as packets.
///
/// Packets have no field for a blackout, so phones keep showing the last measure. Packet numbers rise continuously,
/// whoever holds the baton.
final class AirOutput: ShowOutput {
    private let air: LiveAir

    init(_ air: LiveAir) { self.air = air }

    func carry(_ effect: PodiumEffect, of course: ShowProgramme) {
        switch effect {
        case .show(let shown): course.live(shown).map { air.show($0) }
        case .endLive: air.endLive()
        case .announce(let message): air.announce(message)
        case .withdrawMessage: air.withdrawMessage()
        default: break
        }
    }

    func close() async { await air.close() }
}
