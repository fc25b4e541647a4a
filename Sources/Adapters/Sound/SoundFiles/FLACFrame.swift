/// One FLAC frame, found by reading its structure without computing its samples.
///
/// Source: RFC 9639, section 9.
struct FLACFrame: Equatable {
    /// The frame's number, counted from 0.
    var number: Int
    /// The number of frames of sound in it.
    var frameCount: Int
    var byteCount: Int

    /// Reads the frame at the beginning of the bytes and checks both of its checksums.
    /// - Parameter header: the header of the file.
    /// - Returns: nil if no complete and undamaged frame begins here.
    init?(_ bytes: UnsafeRawBufferPointer, in header: FLACStreamHeader) {
        var reader = FLACBitReader(bytes)
        // Only streams of frames of equal size are read; libsndfile writes no others.
        guard reader.read(16) == 0xFFF8, let blockCode = reader.read(4), let rateCode = reader.read(4),
            let channelCode = reader.read(4), let depthCode = reader.read(3), reader.read(1) == 0,
            let number = reader.readCodedNumber(),
            let frameCount = Self.readBlockSize(blockCode, &reader),
            reader.read(rateCode == 12 ? 8 : rateCode == 13 || rateCode == 14 ? 16 : 0) != nil,
            rateCode != 15, channelCode <= 10
        else { return nil }
        let headerEnd = reader.position / 8
        guard let check = reader.read(8), Self.checksum8(bytes[..<headerEnd]) == check else { return nil }
        let depth: Int
        switch depthCode {
        case 0: depth = header.bitsPerSample
        case 1, 2: depth = depthCode == 1 ? 8 : 12
        case 4, 5, 6: depth = 16 + (depthCode - 4) * 4
        case 7: depth = 32
        default: return nil
        }
        let channels = channelCode < 8 ? channelCode + 1 : 2
        for channel in 0..<channels {
            // The difference of two channels needs a further bit.
            let isDifference = channelCode == 9 ? channel == 0 : channelCode >= 8 && channel == 1
            guard Self.skipSubframe(&reader, depth + (isDifference ? 1 : 0), frameCount) else { return nil }
        }
        let end = (reader.position + 7) / 8
        guard end + 2 <= bytes.count,
            Self.checksum16(bytes[..<end]) == UInt16(bytes[end]) << 8 | UInt16(bytes[end + 1])
        else { return nil }
        (self.number, self.frameCount, byteCount) = (number, frameCount, end + 2)
    }

    private static func readBlockSize(_ code: Int, _ reader: inout FLACBitReader) -> Int? {
        switch code {
        case 1: 192
        case 2...5: 576 << (code - 2)
        case 6: reader.read(8).map { $0 + 1 }
        case 7: reader.read(16).map { $0 + 1 }
        case 8...15: 256 << (code - 8)
        default: nil
        }
    }

    private static func skipSubframe(_ reader: inout FLACBitReader, _ depth: Int, _ count: Int) -> Bool {
        guard reader.read(1) == 0, let type = reader.read(6), let hasUnusedBits = reader.read(1) else {
            return false
        }
        var depth = depth
        if hasUnusedBits == 1 {
            guard let zeros = reader.readUnary() else { return false }
            depth -= zeros + 1
        }
        guard depth > 0 else { return false }
        switch type {
        case 0: return reader.skip(depth)
        case 1: return reader.skip(depth * count)
        case 8...12:
            let order = type - 8
            return order <= count && reader.skip(order * depth) && skipResidual(&reader, order, count)
        case 32...63:
            let order = type - 31
            guard order <= count, reader.skip(order * depth), let precision = reader.read(4), precision < 15
            else { return false }
            return reader.skip(5 + order * (precision + 1)) && skipResidual(&reader, order, count)
        default: return false
        }
    }

    private static func skipResidual(_ reader: inout FLACBitReader, _ order: Int, _ count: Int) -> Bool {
        guard let method = reader.read(2), method < 2, let partitionOrder = reader.read(4),
            count % (1 << partitionOrder) == 0
        else { return false }
        let parameterBits = 4 + method
        let inPartition = count >> partitionOrder
        guard inPartition >= order else { return false }
        for partition in 0..<(1 << partitionOrder) {
            let samples = partition == 0 ? inPartition - order : inPartition
            guard let parameter = reader.read(parameterBits) else { return false }
            if parameter == (1 << parameterBits) - 1 {
                guard let bits = reader.read(5), reader.skip(bits * samples) else { return false }
            } else {
                for _ in 0..<samples {
                    guard reader.readUnary() != nil, reader.skip(parameter) else { return false }
                }
            }
        }
        return true
    }

    /// The checksum of a frame's header: polynomial x⁸ + x² + x + 1.
    private static func checksum8(_ bytes: Slice<UnsafeRawBufferPointer>) -> Int {
        var sum: UInt8 = 0
        for byte in bytes {
            sum ^= byte
            for _ in 0..<8 { sum = sum & 0x80 != 0 ? sum << 1 ^ 0x07 : sum << 1 }
        }
        return Int(sum)
    }

    /// The checksum of a whole frame: polynomial x¹⁶ + x¹⁵ + x² + 1.
    private static func checksum16(_ bytes: Slice<UnsafeRawBufferPointer>) -> UInt16 {
        var sum: UInt16 = 0
        for byte in bytes {
            sum ^= UInt16(byte) << 8
            for _ in 0..<8 { sum = sum & 0x8000 != 0 ? sum << 1 ^ 0x8005 : sum << 1 }
        }
        return sum
    }
}

/// Reads bits from bytes, the highest bit first. Every reading is nil, or false, at the end of the bytes.
struct FLACBitReader {
    private let bytes: UnsafeRawBufferPointer
    /// The number of bits read so far.
    private(set) var position = 0

    init(_ bytes: UnsafeRawBufferPointer) { self.bytes = bytes }

    private var bitCount: Int { bytes.count * 8 }

    /// Reads a number of at most 32 bits.
    mutating func read(_ count: Int) -> Int? {
        guard position + count <= bitCount else { return nil }
        var value = 0
        var left = count
        while left > 0 {
            let free = 8 - position & 7
            let taken = min(free, left)
            let bits = Int(bytes[position >> 3]) >> (free - taken) & (1 << taken - 1)
            value = value << taken | bits
            position += taken
            left -= taken
        }
        return value
    }

    mutating func skip(_ count: Int) -> Bool {
        guard position + count <= bitCount else { return false }
        position += count
        return true
    }

    /// Counts the zeros before the next one, and reads past that one.
    mutating func readUnary() -> Int? {
        let start = position
        while position < bitCount {
            let rest = bytes[position >> 3] << UInt8(position & 7)
            if rest != 0 {
                position += rest.leadingZeroBitCount + 1
                return position - 1 - start
            }
            position = (position >> 3 + 1) << 3
        }
        return nil
    }

    /// Reads a number in the variable length of UTF-8, extended to 36 bits.
    mutating func readCodedNumber() -> Int? {
        guard let first = read(8) else { return nil }
        let ones = (~UInt8(first)).leadingZeroBitCount
        if ones == 0 { return first }
        guard (2...7).contains(ones) else { return nil }
        var value = first & (0x7F >> ones)
        for _ in 1..<ones {
            guard let next = read(8), next & 0xC0 == 0x80 else { return nil }
            value = value << 6 | next & 0x3F
        }
        return value
    }
}
