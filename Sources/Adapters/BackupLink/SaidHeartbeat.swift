import Foundation
import Podium

/// What a datagram carries: the heartbeat, and who says it.
struct SaidHeartbeat: Codable, Equatable {
    var heartbeat: Heartbeat
    var identity: LinkIdentity
    /// It answers questions; nil from a version that does not know any, and that must not be sent one.
    var answers: Bool?

    init(heartbeat: Heartbeat, identity: LinkIdentity, answers: Bool? = nil) {
        self.heartbeat = heartbeat
        self.identity = identity
        self.answers = answers
    }

    init(bytes: [UInt8]) throws {
        self = try JSONDecoder().decode(SaidHeartbeat.self, from: Data(bytes))
        // The other server knows the key, but a text for the console need not be endless.
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
