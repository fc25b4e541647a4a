import Foundation
import WebServer

/// Encodes and decodes the JSON of the rooms: sorted keys, one line.
enum RoomJSON {
    static func bytes(_ value: some Encodable) -> [UInt8] { JSONBody.encode(value) }

    static func value<Value: Decodable>(_ type: Value.Type, from bytes: [UInt8]) throws -> Value {
        try JSONDecoder().decode(type, from: Data(bytes))
    }
}
