import Foundation
import Podium

/// Passes on newer position messages and stops older ones.
///
/// The broker may still hold a message of a server that is no longer active, and a server that was cut off may still
/// believe that it is active. Messages are ordered by the show's start time, then by epoch, then by event number.
struct RelayMessageFilter: Sendable {
    struct MessageOrder: Comparable, Sendable {
        var showID: String
        var epoch: BatonEpoch
        var sequence: Int64

        static func < (lhs: MessageOrder, rhs: MessageOrder) -> Bool {
            (lhs.showID, lhs.epoch, lhs.sequence) < (rhs.showID, rhs.epoch, rhs.sequence)
        }
    }

    enum Verdict: Equatable {
        case newer
        /// The message is the newest one again: the broker has repeated it.
        case repeated
        case older
        case unreadable
    }

    private(set) var newest: MessageOrder?

    mutating func classifyMessage(_ live: [UInt8]) -> Verdict {
        guard let order = MessageOrder(live) else { return .unreadable }
        if let newest {
            if order < newest { return .older }
            if order == newest { return .repeated }
        }
        newest = order
        return .newer
    }
}

extension RelayMessageFilter.MessageOrder {
    private struct Fields: Decodable {
        var show: String?
        var epoch: BatonEpoch
        var sequence: Int64
    }

    init?(_ live: [UInt8]) {
        guard let fields = try? JSONDecoder().decode(Fields.self, from: Data(live)) else { return nil }
        self.init(showID: fields.show ?? "", epoch: fields.epoch, sequence: fields.sequence)
    }
}
