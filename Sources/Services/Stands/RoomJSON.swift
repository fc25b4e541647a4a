import Foundation
import WebServer

/// Encodes and decodes the JSON of the rooms, on one line and with sorted keys.
enum RoomJSON {
    static func encode(_ value: some Encodable) -> [UInt8] { JSONBody.encode(value) }

    static func decode<Value: Decodable>(_ type: Value.Type, from bytes: [UInt8]) throws -> Value {
        try JSONDecoder().decode(type, from: Data(bytes))
    }
}
