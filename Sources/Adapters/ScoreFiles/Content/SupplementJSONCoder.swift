import Concert
import Foundation

/// Reads and writes the data that do not fit into the fixed content XML: `supplement.json` of a piece, `concert.json`
/// of a concert.
public enum SupplementJSONCoder {
    public static let limitBytes = 1 << 20

    /// - Throws: ``ContentFileError`` for a file that is too large or whose JSON lacks the expected fields.
    public static func decodeSupplement(in bytes: [UInt8], path: String) throws(ContentFileError)
        -> PieceSupplement
    {
        try decodeJSON(PieceSupplement.self, from: bytes, path: path, limitBytes: limitBytes)
    }

    /// Encodes a supplement as JSON; equal supplements give equal bytes.
    public static func supplementBytes(of supplement: PieceSupplement) -> [UInt8] { encodeJSON(supplement) }

    /// - Throws: ``ContentFileError`` for a file that is too large or whose JSON lacks the expected fields.
    public static func decodeConcertDetails(in bytes: [UInt8], path: String) throws(ContentFileError)
        -> ConcertDetails
    {
        try decodeJSON(ConcertDetails.self, from: bytes, path: path, limitBytes: limitBytes)
    }

    public static func concertDetailsBytes(of heading: ConcertDetails) -> [UInt8] { encodeJSON(heading) }

    static func decodeJSON<Content: Decodable>(
        _ type: Content.Type, from bytes: [UInt8], path: String, limitBytes: Int
    ) throws(ContentFileError) -> Content {
        guard bytes.count <= limitBytes else { throw .tooLarge(path: path, limitBytes: limitBytes) }
        do {
            return try JSONDecoder().decode(type, from: Data(bytes))
        } catch let error as DecodingError {
            throw .invalidJSON(path: path, reason: describeDecodingError(error))
        } catch {
            throw .invalidJSON(path: path, reason: "it cannot be read")
        }
    }

    static func encodeJSON(_ content: some Encodable) -> [UInt8] {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        guard let data = try? encoder.encode(content) else {
            preconditionFailure(
                "only what is not a number has no JSON, and there is none in a \(type(of: content))")
        }
        return Array(data) + [UInt8(ascii: "\n")]
    }

    private static func describeDecodingError(_ error: DecodingError) -> String {
        switch error {
        case .typeMismatch(_, let context): "a value of another kind \(describeJSONPath(context))"
        case .valueNotFound(_, let context): "a value is missing \(describeJSONPath(context))"
        case .keyNotFound(let key, let context):
            "“\(key.stringValue)” is missing \(describeJSONPath(context))"
        case .dataCorrupted(let context): "a value that is not allowed \(describeJSONPath(context))"
        @unknown default: "it cannot be read"
        }
    }

    private static func describeJSONPath(_ context: DecodingError.Context) -> String {
        let steps = context.codingPath.map { step in
            if let index = step.intValue { "\(index + 1)" } else { step.stringValue }
        }
        return steps.isEmpty ? "at its beginning" : "at " + steps.joined(separator: ", ")
    }
}
