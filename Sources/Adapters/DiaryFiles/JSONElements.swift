/// Splits a JSON file into the elements of the lists in its outermost object, one at a time, so that a large file never
/// becomes one tree in memory.
///
/// It checks brackets and strings only; who takes an element parses it.
struct JSONElements {
    /// Brackets within brackets, at most; a deeper file is refused.
    static let mostLevels = 64

    let file: String
    private let bytes: UnsafeRawBufferPointer
    private var position = 0

    init(_ bytes: UnsafeRawBufferPointer, file: String) {
        self.bytes = bytes
        self.file = file
        if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { position = 3 }
    }

    /// Calls `receive` for each element of each list, and for each other value, of the outermost object.
    /// - Parameter receive: takes the key, the element's index in the list (nil for a value that is no list), and the
    ///   range of its bytes.
    mutating func forEach(
        _ receive: (_ key: String, _ index: Int?, _ range: Range<Int>) throws -> Void
    ) throws {
        try expect(UInt8(ascii: "{"), "a “{” is missing")
        if try !next(is: UInt8(ascii: "}")) {
            repeat {
                let name = try string()
                try expect(UInt8(ascii: ":"), "a “:” is missing")
                if try peek() == UInt8(ascii: "[") {
                    position += 1
                    var index = 0
                    if try !next(is: UInt8(ascii: "]")) {
                        repeat {
                            try receive(name, index, try value())
                            index += 1
                        } while try next(is: UInt8(ascii: ","))
                        try expect(UInt8(ascii: "]"), "a list does not end")
                    }
                } else {
                    try receive(name, nil, try value())
                }
            } while try next(is: UInt8(ascii: ","))
            try expect(UInt8(ascii: "}"), "the object does not end")
        }
        skipSpace()
        guard position == bytes.count else { throw fault("something follows the end") }
    }

    // MARK: Tokens

    private func fault(_ what: String) -> DiaryFileFault { .notJSON(file: file, byte: position, what: what) }

    private mutating func skipSpace() {
        while position < bytes.count, [0x20, 0x0A, 0x0D, 0x09].contains(bytes[position]) { position += 1 }
    }

    private mutating func peek() throws -> UInt8 {
        skipSpace()
        guard position < bytes.count else { throw fault("the file ends too early") }
        return bytes[position]
    }

    private mutating func next(is byte: UInt8) throws -> Bool {
        guard try peek() == byte else { return false }
        position += 1
        return true
    }

    private mutating func expect(_ byte: UInt8, _ what: String) throws {
        guard try next(is: byte) else { throw fault(what) }
    }

    /// Reads a string without escapes, as keys are.
    private mutating func string() throws -> String {
        guard try peek() == UInt8(ascii: "\"") else { throw fault("a key is missing") }
        let start = position + 1
        try skipString()
        return String(decoding: bytes[start..<(position - 1)], as: UTF8.self)
    }

    private mutating func skipString() throws {
        position += 1
        while position < bytes.count {
            switch bytes[position] {
            case UInt8(ascii: "\""):
                position += 1
                return
            case UInt8(ascii: "\\"): position += 2
            default: position += 1
            }
        }
        throw fault("a string does not end")
    }

    /// Skips a value and returns its range.
    private mutating func value() throws -> Range<Int> {
        _ = try peek()
        let start = position
        var levels = 0
        repeat {
            switch try peek() {
            case UInt8(ascii: "\""): try skipString()
            case UInt8(ascii: "{"), UInt8(ascii: "["):
                levels += 1
                guard levels <= Self.mostLevels else {
                    throw fault("brackets lie deeper than \(Self.mostLevels)")
                }
                position += 1
            case UInt8(ascii: "}"), UInt8(ascii: "]"):
                guard levels > 0 else { throw fault("a value is missing") }
                levels -= 1
                position += 1
            case UInt8(ascii: ","), UInt8(ascii: ":"):
                guard levels > 0 else { throw fault("a value is missing") }
                position += 1
            default:
                while position < bytes.count, !Self.ends.contains(bytes[position]) { position += 1 }
            }
        } while levels > 0
        return start..<position
    }

    private static let ends: Set<UInt8> = [0x20, 0x0A, 0x0D, 0x09, 0x2C, 0x3A, 0x5B, 0x5D, 0x7B, 0x7D, 0x22]
}
