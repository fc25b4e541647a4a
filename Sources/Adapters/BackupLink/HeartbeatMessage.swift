import Foundation
import Podium

/// The content of a heartbeat datagram: the heartbeat, and the sender's identity.
struct HeartbeatMessage: Codable, Equatable {
    var heartbeat: Heartbeat
    var identity: LinkIdentity
    /// True if the sender answers questions. Nil if the sender's version has no questions; do not send it any.
    var answers: Bool?

    init(heartbeat: Heartbeat, identity: LinkIdentity, answers: Bool? = nil) {
        self.heartbeat = heartbeat
        self.identity = identity
        self.answers = answers
    }

    init(bytes: [UInt8]) throws {
        self = try JSONDecoder().decode(HeartbeatMessage.self, from: Data(bytes))
        // The other server knows the key, but its texts for the console still need a limit.
        identity = identity.shortened
    }

    var bytes: [UInt8] {
        get throws {
            let encoder = JSONEncoder()
            encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
            return Array(try encoder.encode(self))
        }
    }
}
