import Basics

/// An OSC address with wildcards: `?`, `*`, `[a-z]`, `[!a-z]`, `{hold,freeze}` and `//` for any depth.
///
/// A wildcard never matches '/', except `//`, which stands for any number of parts (OSC 1.1). Strings inside `{…}`
/// are matched literally. No pattern can make matching slow.
/// - Complexity: O(pattern) to parse, O(pattern × address) to match.
public struct OSCAddressPattern: Hashable, Sendable {
    public let text: String
    /// True if the pattern has no wildcard and so is a plain address.
    public let hasNoWildcards: Bool
    private let matchingSteps: [MatchingStep]

    /// Parses the text of a pattern.
    /// - Throws: ``ExplainedError``.
    public init(_ text: String) throws(ExplainedError) {
        self.text = text
        hasNoWildcards = !text.utf8.contains { "?*[]{}".utf8.contains($0) } && !text.contains("//")
        matchingSteps = try Self.parseSteps(of: Array(text.utf8))
    }

    public func matches(_ address: String) -> Bool {
        if hasNoWildcards { return address == text }
        var places = reachableSteps(of: [0])
        for byte in address.utf8 {
            var next: Set<Int> = []
            for place in places {
                switch matchingSteps[place] {
                case .oneByte(let set) where set.contains(byte): next.insert(place + 1)
                default: break
                }
            }
            guard !next.isEmpty else { return false }
            places = reachableSteps(of: next)
        }
        return places.contains(matchingSteps.count - 1)
    }

    /// Returns all steps that can be reached from some steps without reading a byte.
    private func reachableSteps(of start: Set<Int>) -> Set<Int> {
        var reached = start
        var open = Array(start)
        while let place = open.popLast() {
            guard case .fork(let targets) = matchingSteps[place] else { continue }
            for target in targets where reached.insert(target).inserted { open.append(target) }
        }
        return reached
    }

    fileprivate enum MatchingStep: Hashable, Sendable {
        /// Matches one byte of the set, then continues at the next step.
        case oneByte(ByteSet)
        case fork([Int])
        case end
    }
}

/// The reasons why a text is not a valid address pattern.
public enum OSCPatternFault {
    public static func rangeBackwards(_ range: String) -> ExplainedError {
        ExplainedError("The range '\(range)' in the address runs backwards.")
    }
}

extension OSCAddressPattern {
    private static func parseSteps(of bytes: [UInt8]) throws(ExplainedError) -> [MatchingStep] {
        guard bytes.first == UInt8(ascii: "/") else { throw ExplainedError("An address starts with '/'.") }
        var steps: [MatchingStep] = []
        var at = 0
        while at < bytes.count {
            let byte = bytes[at]
            at += 1
            switch byte {
            case UInt8(ascii: "?"): steps.append(.oneByte(.allButSlash))
            case UInt8(ascii: "*"):
                steps += [
                    .fork([steps.count + 1, steps.count + 3]), .oneByte(.allButSlash), .fork([steps.count]),
                ]
            case UInt8(ascii: "["): steps.append(.oneByte(try parseByteSet(in: bytes, from: &at)))
            case UInt8(ascii: "{"): try appendAlternatives(in: bytes, from: &at, to: &steps)
            case UInt8(ascii: "]"), UInt8(ascii: "}"):
                throw ExplainedError(
                    "The '\(Character(Unicode.Scalar(byte)))' in the address closes nothing.")
            case UInt8(ascii: "/"):
                steps.append(.oneByte(ByteSet(byte)))
                guard at < bytes.count, bytes[at] == byte else { continue }
                while at < bytes.count, bytes[at] == byte { at += 1 }
                let loop = steps.count
                if at == bytes.count {
                    // A '//' at the end matches everything below: at least one byte, of any kind.
                    steps += [.oneByte(.all), .fork([loop, loop + 2])]
                } else {
                    // A '//' inside matches any number of parts, each with at least one byte and a slash.
                    steps += [
                        .fork([loop + 1, loop + 5]), .oneByte(.allButSlash), .fork([loop + 1, loop + 3]),
                        .oneByte(ByteSet(byte)), .fork([loop]),
                    ]
                }
            default: steps.append(.oneByte(ByteSet(byte)))
            }
        }
        return steps + [.end]
    }

    private static func parseByteSet(in bytes: [UInt8], from at: inout Int) throws(ExplainedError) -> ByteSet
    {
        guard let close = bytes[at...].firstIndex(of: UInt8(ascii: "]")) else {
            throw ExplainedError("The '[' in the address is not closed.")
        }
        var inside = bytes[at..<close]
        at = close + 1
        let isNegated = inside.first == UInt8(ascii: "!")
        if isNegated { inside = inside.dropFirst() }
        guard !inside.isEmpty else { throw ExplainedError("The '[]' in the address is empty.") }
        var set = ByteSet()
        while let first = inside.popFirst() {
            // A '-' at the end stands for itself.
            guard inside.count >= 2, inside.first == UInt8(ascii: "-") else {
                set.insert(first)
                continue
            }
            let last = inside[inside.startIndex + 1]
            inside = inside.dropFirst(2)
            guard first <= last else {
                throw OSCPatternFault.rangeBackwards(
                    String(decoding: [first, UInt8(ascii: "-"), last], as: UTF8.self))
            }
            for byte in first...last { set.insert(byte) }
        }
        return (isNegated ? set.inverted : set).removingSlash
    }

    private static func appendAlternatives(
        in bytes: [UInt8], from at: inout Int, to steps: inout [MatchingStep]
    ) throws(ExplainedError) {
        guard let close = bytes[at...].firstIndex(of: UInt8(ascii: "}")) else {
            throw ExplainedError("The '{' in the address is not closed.")
        }
        let strings = bytes[at..<close].split(separator: UInt8(ascii: ","), omittingEmptySubsequences: false)
        at = close + 1
        let fork = steps.count
        let end = fork + 1 + strings.reduce(0) { $0 + $1.count + 1 }
        steps.append(.fork([]))
        var starts: [Int] = []
        for string in strings {
            starts.append(steps.count)
            steps += string.map { .oneByte(ByteSet($0)) }
            steps.append(.fork([end]))
        }
        steps[fork] = .fork(starts)
    }
}
