import Basics
import Foundation

/// Decodes the JSON of request bodies and encodes the JSON of responses.
public enum JSONBody {
    /// The maximum nesting of brackets in a request. All valid requests are less deep, and decoding cannot exhaust the
    /// stack.
    public static let deepestNesting = 16

    /// Decodes a request body.
    /// - Throws: ``JSONFault`` with a sentence for the sender.
    public static func decode<Value: Decodable>(_ type: Value.Type, from body: [UInt8]) throws(JSONFault)
        -> Value
    {
        guard !body.isEmpty else { throw JSONFault("The request is empty; send a JSON object.") }
        guard nestingDepth(of: body) <= deepestNesting else {
            throw JSONFault("The JSON is nested deeper than \(deepestNesting) levels; send a simpler one.")
        }
        do { return try JSONDecoder().decode(type, from: Data(body)) } catch {
            throw fault(for: error, decoding: type, from: body)
        }
    }

    /// Says why a body could not be decoded.
    public static func fault<Value: Decodable>(
        for error: any Error, decoding type: Value.Type, from body: [UInt8]
    ) -> JSONFault {
        guard let error = error as? DecodingError else {
            return JSONFault("The request is not JSON; send a JSON object.")
        }
        return JSONFault(describe(error, decoding: type, from: body))
    }

    /// Encodes a value without line breaks. The same value always gives the same bytes.
    public static func encode(_ value: some Encodable) -> [UInt8] {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        // The types of this program can always be encoded: NaN and infinity are refused when they come in.
        return (try? encoder.encode(value)).map(Array.init) ?? Array("null".utf8)
    }

    /// The depth of nested brackets outside of strings. It reads each byte once, and the bytes need not be valid JSON.
    public static func nestingDepth(of body: [UInt8]) -> Int {
        var (depth, deepest, inString, escaped) = (0, 0, false, false)
        for byte in body {
            if inString {
                if escaped {
                    escaped = false
                } else if byte == UInt8(ascii: "\\") {
                    escaped = true
                } else if byte == UInt8(ascii: "\"") {
                    inString = false
                }
                continue
            }
            switch byte {
            case UInt8(ascii: "\""): inString = true
            case UInt8(ascii: "["), UInt8(ascii: "{"):
                depth += 1
                deepest = max(deepest, depth)
            case UInt8(ascii: "]"), UInt8(ascii: "}"): depth -= 1
            default: break
            }
        }
        return deepest
    }

    private static func describe<Value: Decodable>(
        _ error: DecodingError, decoding type: Value.Type, from body: [UInt8]
    ) -> String {
        // The decoder reports a number outside of its field's range like a text that is not JSON.
        if case .dataCorrupted(let context) = error, context.codingPath.isEmpty,
            let number = UnfitJSONNumber.find(decoding: type, from: body)
        {
            let path = describeCodingPath(number.path)
            return "The number\(path.isEmpty ? "" : " “\(path)”") must be \(number.rule)."
        }
        return describeDecodingError(error)
    }

    private static func describeDecodingError(_ error: DecodingError) -> String {
        switch error {
        case .keyNotFound(let key, let context):
            "The JSON lacks “\(describeCodingPath(context.codingPath + [key]))”."
        case .typeMismatch(_, let context), .valueNotFound(_, let context):
            "The JSON has a value of the wrong kind"
                + (context.codingPath.isEmpty ? "." : " for “\(describeCodingPath(context.codingPath))”.")
        // A text that is not JSON has no path; a value that is none of the possible ones has the path to it.
        case .dataCorrupted(let context):
            context.codingPath.isEmpty
                ? "The request is not JSON; send a JSON object."
                : "The value of “\(describeCodingPath(context.codingPath))” is not a possible one."
        @unknown default: "The JSON cannot be used; see the documentation of this address."
        }
    }

    private static func describeCodingPath(_ keys: [any CodingKey]) -> String {
        keys.prefix(4).map { key in key.intValue.map { "item \($0 + 1)" } ?? key.stringValue }
            .joined(separator: ", ")
    }
}

/// The reason why a request body could not be decoded, as a sentence for the sender.
public struct JSONFault: Explained, Equatable {
    public let sentence: String

    public init(_ sentence: String) { self.sentence = sentence }

    public var errorResponse: WebResponse { .refused(400, "bad-json", sentence) }
}
