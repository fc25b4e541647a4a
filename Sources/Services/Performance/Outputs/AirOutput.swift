import Concert
import Hosting
import Podium

/// The phones' side: what the audience sees becomes packets.
///
/// A blackout does not reach phones that only know packets: they keep their measure, as the wire format has no
/// word for darkness. Whoever holds the baton, the packets' counts rise from one to the next.
package final class AirOutput: ShowOutput {
    private let air: LiveAir

    package init(_ air: LiveAir) { self.air = air }

    package func carry(_ effect: PodiumEffect, of course: ShowProgramme) {
        switch effect {
        case .show(let shown): course.live(shown).map { air.show($0) }
        case .endLive: air.endLive()
        case .announce(let message): air.announce(message)
        case .withdrawMessage: air.withdrawMessage()
        default: break
        }
    }

    package func close() async { await air.close() }
}
