import Foundation
import Podium

/// The content of a heartbeat datagram: the heartbeat, and the sender's identity.
struct BackupHeartbeatMessage: Codable, Equatable {
    var heartbeat: Heartbeat
    var identity: LinkedServerIdentity
    /// True if the sender answers questions. Nil if the sender's version has no questions; do not send it any.
    var answers: Bool?

    init(heartbeat: Heartbeat, identity: LinkedServerIdentity, answers: Bool? = nil) {
        self.heartbeat = heartbeat
        self.identity = identity
        self.answers = answers
    }

    init(bytes: [UInt8]) throws {
        self = try JSONDecoder().decode(BackupHeartbeatMessage.self, from: Data(bytes))
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
