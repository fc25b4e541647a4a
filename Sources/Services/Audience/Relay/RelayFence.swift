import Foundation
import Podium

/// Lets newer words about the music through and holds older ones back.
///
/// A broker may still hold what a server said that has since lost the baton, and a server that was cut off may still
/// believe itself in charge. Within a show the epoch decides, then the number of the event; shows are named by the
/// moment they began, so that of two the later one is believed.
struct RelayFence: Sendable {
    struct Word: Comparable, Sendable {
        var show: String
        var epoch: Epoch
        var sequence: Int64

        static func < (lhs: Word, rhs: Word) -> Bool {
            (lhs.show, lhs.epoch, lhs.sequence) < (rhs.show, rhs.epoch, rhs.sequence)
        }
    }

    enum Verdict: Equatable {
        case news
        /// The broker said again what is known.
        case known
        case older
        case notUnderstood
    }

    private(set) var newest: Word?

    mutating func judge(_ live: [UInt8]) -> Verdict {
        guard let word = Word(live) else { return .notUnderstood }
        if let newest {
            if word < newest { return .older }
            if word == newest { return .known }
        }
        newest = word
        return .news
    }
}

extension RelayFence.Word {
    private struct Fields: Decodable {
        var show: String?
        var epoch: Epoch
        var sequence: Int64
    }

    init?(_ live: [UInt8]) {
        guard let fields = try? JSONDecoder().decode(Fields.self, from: Data(live)) else { return nil }
        self.init(show: fields.show ?? "", epoch: fields.epoch, sequence: fields.sequence)
    }
}
