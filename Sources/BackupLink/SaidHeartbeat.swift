import Foundation
import Podium

/// What a datagram carries: the heartbeat, and who says it.
struct SaidHeartbeat: Codable, Equatable {
    var heartbeat: Heartbeat
    var identity: LinkIdentity

    init(heartbeat: Heartbeat, identity: LinkIdentity) {
        self.heartbeat = heartbeat
        self.identity = identity
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
