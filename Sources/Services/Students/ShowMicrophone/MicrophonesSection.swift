import Basics
import Foundation
import Hosting
import WebServer

/// The console's section `microphones`: the tablets that offer their microphones, and the one that is heard.
struct MicrophonesSection: Encodable, Equatable {
    struct Offer: Encodable, Equatable {
        var id: String
        /// The tablet's name, and that of the person who is signed in on it.
        var name: String
        var person: String
        /// Samples a second.
        var rate: Int
        var isChosen: Bool
        /// True if nothing has come for two seconds.
        var isSilent: Bool
        var peakDb: Double
        var rmsDb: Double
        /// Seconds that never came and count as silence.
        var lostSeconds: Double
        /// From the microphone to the server, as the tablet estimates it.
        var delayMs: Int
        /// The browser's processing of the sound: each setting with `on`, `off` or `unknown`.
        var processing: [String: String]
    }

    /// The server's own device or file.
    var own: String
    /// The id of the tablet that is heard; nil for the server's own input.
    @OrNull var chosen: String?
    /// The sentence why no tablet can be chosen now; nil if one can.
    @OrNull var refusal: String?
    /// Seconds of all tablets that came too late, so that silence was heard.
    var lateSeconds: Double
    var offers: [Offer]

    init(own: String, chosen: String?, refusal: String?, lateSeconds: Double, offers: [Offer]) {
        (self.own, self.lateSeconds, self.offers) = (own, lateSeconds, offers)
        (_chosen, _refusal) = (OrNull(wrappedValue: chosen), OrNull(wrappedValue: refusal))
    }

    /// Decibels of full scale, at least -100.
    static func decibels(_ amplitude: Float) -> Double {
        amplitude > 1e-5 ? (Double(log10(amplitude)) * 200).rounded() / 10 : -100
    }
}

extension ConsoleSection {
    /// The section of the consoles' stream with the tablets that offer their microphones.
    static let microphones = Self("microphones")
}

/// Why a tablet does not become the show's microphone, or stays it.
extension Refusal {
    static let noShow = Refusal(409, "no-show", "This server hears no show.")
    static let notRehearsal = Refusal(
        409, "not-rehearsal",
        "A tablet is the microphone in rehearsals only. Switch on rehearsal mode on the console first.")
    static let locked = Refusal(
        409, "locked", "The show is locked, so the microphone stays. Unlock it on the console first.")
    static let notOffered = Refusal(
        409, "not-offered",
        "This tablet does not offer its microphone any more. Offer it again on the tablet.")
    static let notYours = Refusal(
        403, "not-allowed", "Another person’s tablet is the microphone. Ask an operator to change it.")
    static let noLeader = Refusal(
        403, "not-allowed",
        "Only operators, and leaders of a room with their own tablet, choose the microphone.")

    static func taken(_ name: String) -> Refusal {
        Refusal(
            409, "taken",
            "“\(name)” is the microphone now, and there is one at a time. Go back to the server’s own input first."
        )
    }

    static func silent(_ name: String) -> Refusal {
        Refusal(409, "silent", "No sound comes from “\(name)”. Wake that tablet, then choose it again.")
    }
}
