import Foundation
import Platform

/// Small values that are kept as JSON files in the data folder, for programs and people to read.
package enum JSONFile {
    /// - Returns: nil if there is no such file, or if it holds something else.
    package static func read<Value: Decodable>(_ type: Value.Type, at path: String) -> Value? {
        FileManager.default.contents(atPath: path).flatMap { try? JSONDecoder().decode(type, from: $0) }
    }

    /// Replaces the file; see ``DurableFile``.
    package static func write(_ value: some Encodable, to path: String) throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        try DurableFile.write(encoder.encode(value), to: path)
    }
}
