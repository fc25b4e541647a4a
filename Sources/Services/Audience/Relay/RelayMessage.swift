import Foundation
import Podium

/// A section of the audience's stream as it goes to relays: a line `SHOW EPOCH SEQUENCE`, then the section's JSON.
///
/// A broker may still hold a message of a server that is no longer active, a server that was cut off may still believe
/// that it is active, and of several brokers one may be behind. Therefore each message says where it belongs.
struct RelayMessage: Equatable, Sendable {
    /// Messages are ordered by the show's start time, then by epoch, then by number.
    struct Order: Comparable, Sendable {
        var showID: String
        var epoch: BatonEpoch
        var sequence: Int64

        static func < (lhs: Order, rhs: Order) -> Bool {
            (lhs.showID, lhs.epoch, lhs.sequence) < (rhs.showID, rhs.epoch, rhs.sequence)
        }
    }

    var order: Order
    var json: [UInt8]

    var payload: [UInt8] { Array("\(order.showID) \(order.epoch) \(order.sequence)\n".utf8) + json }
}

extension RelayMessage {
    private static let maximumHeadBytes = 200

    /// Reads a message from the broker.
    /// - Returns: nil if it has no order or no JSON.
    init?(_ payload: [UInt8]) {
        guard let end = payload.prefix(Self.maximumHeadBytes).firstIndex(of: UInt8(ascii: "\n")) else {
            return nil
        }
        let words = String(decoding: payload[..<end], as: UTF8.self).split(
            separator: " ", omittingEmptySubsequences: false)
        guard words.count == 3, let epoch = BatonEpoch(String(words[1])), let sequence = Int64(words[2])
        else {
            return nil
        }
        json = Array(payload[(end + 1)...])
        guard (try? JSONSerialization.jsonObject(with: Data(json), options: .fragmentsAllowed)) != nil else {
            return nil
        }
        order = Order(showID: String(words[0]), epoch: epoch, sequence: sequence)
    }
}

/// Passes on newer messages of each section and stops older ones.
struct RelayFence: Sendable {
    enum Verdict: Equatable {
        case newer
        /// The message is the newest one again: a broker has repeated it, or another one has brought it too.
        case repeated
        case older
    }

    private var newest: [String: RelayMessage.Order] = [:]

    mutating func judge(_ order: RelayMessage.Order, of section: String) -> Verdict {
        if let known = newest[section] {
            if order < known { return .older }
            if order == known { return .repeated }
        }
        newest[section] = order
        return .newer
    }
}
