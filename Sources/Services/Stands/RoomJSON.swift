import Foundation
import WebServer

/// JSON of the rooms: deterministic, one line.
enum RoomJSON {
    static func bytes(_ value: some Encodable) -> [UInt8] {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        // Numbers that are no numbers do not occur; everything else encodes.
        return (try? encoder.encode(value)).map(Array.init) ?? Array("null".utf8)
    }

    static func value<Value: Decodable>(_ type: Value.Type, from bytes: [UInt8]) throws -> Value {
        try JSONDecoder().decode(type, from: Data(bytes))
    }
}
