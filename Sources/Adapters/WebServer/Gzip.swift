/// Packs a page once, when it is read, for all who fetch it.
///
/// One block with the fixed codes and greedy matches: a text shrinks to about a third, in some milliseconds, without
/// a library. Sources: RFC 1951, sections 3.2.5 and 3.2.6; RFC 1952.
enum Gzip {
    static func zip(_ bytes: [UInt8]) -> [UInt8] {
        var out = BitWriter(bytes: headBytes)
        out.write(0b011, bits: 3)  // last block, fixed codes
        deflate(bytes, to: &out)
        out.flush()
        return out.bytes + Checksum(of: bytes).foot
    }

    /// RFC 1952, section 2.3.1: no name, no time.
    static let headBytes: [UInt8] = [0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 255]

    /// Blocks that others may follow, up to a whole byte.
    static func part(_ bytes: [UInt8]) -> [UInt8] {
        var out = BitWriter(bytes: [])
        out.write(0b010, bits: 3)  // a block with fixed codes, not the last
        deflate(bytes, to: &out)
        out.write(0b000, bits: 3)  // a stored block of no bytes begins at a whole byte
        out.flush()
        return out.bytes + [0, 0, 0xff, 0xff]
    }

    private static func deflate(_ bytes: [UInt8], to out: inout BitWriter) {
        var matcher = Matcher(bytes)
        var index = 0
        while index < bytes.count {
            if let match = matcher.match(at: index) {
                write(match, to: &out)
                matcher.enter(index..<(index + match.length))
                index += match.length
            } else {
                writeSymbol(Int(bytes[index]), to: &out)
                matcher.enter(index..<(index + 1))
                index += 1
            }
        }
        writeSymbol(256, to: &out)
    }

    struct Match: Equatable {
        let length: Int
        let distance: Int
    }

    private static func write(_ match: Match, to out: inout BitWriter) {
        let code = lengthBases.lastIndex { $0 <= match.length } ?? 0
        writeSymbol(257 + code, to: &out)
        out.write(UInt32(match.length - lengthBases[code]), bits: lengthExtraBits[code])
        let place = distanceBases.lastIndex { $0 <= match.distance } ?? 0
        out.write(reversed(UInt32(place), bits: 5), bits: 5)
        out.write(UInt32(match.distance - distanceBases[place]), bits: place < 2 ? 0 : place / 2 - 1)
    }

    private static func writeSymbol(_ symbol: Int, to out: inout BitWriter) {
        switch symbol {
        case ...143: out.write(reversed(UInt32(0x30 + symbol), bits: 8), bits: 8)
        case ...255: out.write(reversed(UInt32(0x190 + symbol - 144), bits: 9), bits: 9)
        case ...279: out.write(reversed(UInt32(symbol - 256), bits: 7), bits: 7)
        default: out.write(reversed(UInt32(0xC0 + symbol - 280), bits: 8), bits: 8)
        }
    }

    private static func reversed(_ code: UInt32, bits: Int) -> UInt32 {
        var (code, out) = (code, UInt32(0))
        for _ in 0..<bits {
            out = out << 1 | code & 1
            code >>= 1
        }
        return out
    }

    private static let lengthBases =
        Array(3...10) + [
            11, 13, 15, 17, 19, 23, 27, 31, 35, 43, 51, 59, 67, 83, 99, 115, 131, 163, 195, 227, 258,
        ]
    private static let lengthExtraBits =
        Array(repeating: 0, count: 8) + [1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3, 4, 4, 4, 4, 5, 5, 5, 5, 0]
    private static let distanceBases = [
        1, 2, 3, 4, 5, 7, 9, 13, 17, 25, 33, 49, 65, 97, 129, 193, 257, 385, 513, 769, 1_025, 1_537, 2_049,
        3_073,
        4_097, 6_145, 8_193, 12_289, 16_385, 24_577,
    ]

    /// RFC 1952, section 8.
    static func crc(_ bytes: [UInt8]) -> UInt32 {
        ~bytes.reduce(~UInt32(0)) { $0 >> 8 ^ crcTable[Int(UInt8(truncatingIfNeeded: $0) ^ $1)] }
    }

    private static let crcTable: [UInt32] = (0..<256).map { index in
        (0..<8).reduce(UInt32(index)) { value, _ in value & 1 == 1 ? value >> 1 ^ 0xEDB8_8320 : value >> 1 }
    }
}

/// Bits into bytes, lowest first.
private struct BitWriter {
    var bytes: [UInt8]
    private var held: UInt64 = 0
    private var heldBits = 0

    init(bytes: [UInt8]) { self.bytes = bytes }

    mutating func write(_ value: UInt32, bits: Int) {
        held |= UInt64(value) << UInt64(heldBits)
        heldBits += bits
        while heldBits >= 8 {
            bytes.append(UInt8(truncatingIfNeeded: held))
            held >>= 8
            heldBits -= 8
        }
    }

    mutating func flush() {
        if heldBits > 0 { bytes.append(UInt8(truncatingIfNeeded: held)) }
        (held, heldBits) = (0, 0)
    }
}

/// Finds what comes again within the last 32,768 bytes.
private struct Matcher {
    private let bytes: [UInt8]
    /// The newest place of three bytes, by their hash; then, for each place, the one before.
    private var newest = [Int32](repeating: -1, count: 1 << 14)
    private var before: [Int32]
    private let window = 32_768
    private let longest = 258
    private let tries = 24

    init(_ bytes: [UInt8]) {
        self.bytes = bytes
        before = [Int32](repeating: -1, count: bytes.count)
    }

    private func hash(_ index: Int) -> Int {
        let three = UInt32(bytes[index]) | UInt32(bytes[index + 1]) << 8 | UInt32(bytes[index + 2]) << 16
        return Int((three &* 0x9E37_79B1) >> 18)
    }

    mutating func enter(_ places: Range<Int>) {
        for index in places where index + 2 < bytes.count {
            let hash = hash(index)
            before[index] = newest[hash]
            newest[hash] = Int32(index)
        }
    }

    func match(at index: Int) -> Gzip.Match? {
        guard index + 2 < bytes.count else { return nil }
        let most = min(longest, bytes.count - index)
        var best = Gzip.Match(length: 2, distance: 0)
        var place = Int(newest[hash(index)])
        var left = tries
        while place >= 0, index - place <= window, left > 0, best.length < most {
            var length = 0
            while length < most, bytes[place + length] == bytes[index + length] { length += 1 }
            if length > best.length { best = Gzip.Match(length: length, distance: index - place) }
            place = Int(before[place])
            left -= 1
        }
        return best.length >= 3 ? best : nil
    }
}
