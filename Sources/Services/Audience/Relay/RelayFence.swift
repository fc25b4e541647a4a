import Foundation
import Podium

/// Lets newer position messages through and stops older ones.
///
/// The broker may still hold the message of a server that is no longer active, and a server that was cut off may
/// still believe that it is. Messages are ordered by the show's start time, then by epoch, then by event number.
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
        /// The broker repeated the newest message.
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
