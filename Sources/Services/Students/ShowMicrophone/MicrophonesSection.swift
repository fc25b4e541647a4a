import Explanations
import Foundation
import Hosting

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
enum MicrophoneRefusal: Explained, Equatable {
    case noShow
    case notRehearsal
    case locked
    case notOffered
    case taken(String)
    case silent(String)
    case notYours
    case noLeader

    var code: String {
        switch self {
        case .noShow: "no-show"
        case .notRehearsal: "not-rehearsal"
        case .locked: "locked"
        case .notOffered: "not-offered"
        case .taken: "taken"
        case .silent: "silent"
        case .notYours, .noLeader: "not-allowed"
        }
    }

    var sentence: String {
        switch self {
        case .noShow: "This server hears no show."
        case .notRehearsal:
            "A tablet is the microphone in rehearsals only. Switch on rehearsal mode on the console first."
        case .locked: "The show is locked, so the microphone stays. Unlock it on the console first."
        case .notOffered: "This tablet does not offer its microphone any more. Offer it again on the tablet."
        case .taken(let name):
            "“\(name)” is the microphone now, and there is one at a time. Go back to the server’s own input first."
        case .silent(let name): "No sound comes from “\(name)”. Wake that tablet, then choose it again."
        case .notYours: "Another person’s tablet is the microphone. Ask an operator to change it."
        case .noLeader: "Only operators, and leaders of a room with their own tablet, choose the microphone."
        }
    }
}
