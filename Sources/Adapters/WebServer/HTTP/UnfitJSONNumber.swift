import Foundation

/// A number of a JSON text that its field cannot hold: too large, too small, or not whole.
///
/// `JSONDecoder` reports such a number as `dataCorrupted` without a path. The field is found by decoding again with
/// `true` in the number's place, which is a type mismatch with the field's path and type.
public struct UnfitJSONNumber {
    /// At most as many numbers are tried; each costs one decoding.
    private static let mostTrials = 48
    /// In larger bodies no number is looked for, so that a broken one costs little.
    private static let largestBodyBytes = 128 << 10

    public var path: [any CodingKey]
    /// The numbers that the field can hold, such as “a whole number from 0 to 255”.
    public var rule: String

    /// - Parameter body: a text whose decoding has failed without a path.
    /// - Returns: nil if no number is to blame, so that the text is not JSON.
    public static func find<Value: Decodable>(decoding type: Value.Type, from body: [UInt8])
        -> UnfitJSONNumber?
    {
        guard body.count <= largestBodyBytes else { return nil }
        // Every field can hold a small natural number, so these are tried last.
        let all = numberRanges(of: body)
        let suspects = all.filter { !isSmall(body[$0]) } + all.filter { isSmall(body[$0]) }
        for range in suspects.prefix(mostTrials) {
            var probe = body
            probe.replaceSubrange(range, with: Array("true".utf8))
            do { _ = try JSONDecoder().decode(type, from: Data(probe)) } catch {
                guard case .typeMismatch(let wanted, let context) = error as? DecodingError,
                    let rule = rule(of: wanted, brokenBy: Array(body[range]))
                else { continue }
                return UnfitJSONNumber(path: context.codingPath, rule: rule)
            }
        }
        return nil
    }

    /// The numbers a field may hold, if it cannot hold this one.
    private static func rule(of type: any Any.Type, brokenBy literal: [UInt8]) -> String? {
        if let type = type as? any (FixedWidthInteger & Decodable).Type {
            return holds(literal, type) ? nil : range(of: type)
        }
        guard let type = type as? any (BinaryFloatingPoint & Decodable).Type, !holds(literal, type) else {
            return nil
        }
        return type == Float.self ? "between -3e38 and 3e38" : "between -1e308 and 1e308"
    }

    private static func holds<Number: Decodable>(_ literal: [UInt8], _ type: Number.Type) -> Bool {
        let text = Array("[".utf8) + literal + Array("]".utf8)
        return (try? JSONDecoder().decode([Number].self, from: Data(text))) != nil
    }

    private static func range<Number: FixedWidthInteger>(of type: Number.Type) -> String {
        type.bitWidth < 64
            ? "a whole number from \(type.min) to \(type.max)"
            : "a whole number of at most 18 digits\(type.isSigned ? "" : ", and not negative")"
    }

    private static func isSmall(_ literal: ArraySlice<UInt8>) -> Bool {
        literal.count <= 2 && literal.allSatisfy((UInt8(ascii: "0")...UInt8(ascii: "9")).contains)
    }

    /// The numbers outside of strings that are spelled as JSON wants them.
    private static func numberRanges(of body: [UInt8]) -> [Range<Int>] {
        var ranges: [Range<Int>] = []
        var (index, inString) = (0, false)
        while index < body.count {
            let byte = body[index]
            if inString {
                if byte == UInt8(ascii: "\\") {
                    index += 1
                } else if byte == UInt8(ascii: "\"") {
                    inString = false
                }
                index += 1
            } else if byte == UInt8(ascii: "-") || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) {
                let end = body[index...].firstIndex { !numberBytes.contains($0) } ?? body.count
                if String(decoding: body[index..<end], as: UTF8.self).wholeMatch(of: numberForm) != nil {
                    ranges.append(index..<end)
                }
                index = end
            } else {
                inString = byte == UInt8(ascii: "\"")
                index += 1
            }
        }
        return ranges
    }

    private static let numberBytes = Set("0123456789+-.eE".utf8)
    private static var numberForm: Regex<Substring> { /-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?/ }
}
