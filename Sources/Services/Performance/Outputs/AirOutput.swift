import Concert
import Podium

/// The phones' side: what the audience sees becomes packets.
///
/// A blackout does not reach phones that only know packets: they keep their measure, as the wire format has no
/// word for darkness. Whoever holds the baton, the packets' counts rise from one to the next.
final class AirOutput: ShowOutput {
    private let air: LiveAir

    init(_ air: LiveAir) { self.air = air }

    func carry(_ effect: PodiumEffect, of course: ShowCourse) {
        switch effect {
        case .show(let shown): course.live(shown).map(air.show)
        case .endLive: air.endLive()
        case .announce(let message): air.announce(message)
        case .withdrawMessage: air.withdrawMessage()
        default: break
        }
    }

    func close() async { await air.close() }
}
