import Basics

/// Unpacks the container of Guitar Pro 6: `BCFZ` is a packed `BCFS`, and that is a small file system in sectors.
///
/// The container has no published description; the form is that of files written by the program.
public enum GPXContainer {
    /// The largest unpacked container in bytes.
    static let mostBytes = 64_000_000
    private static let sectorBytes = 4_096

    /// The file `score.gpif` of a container.
    /// - Throws: ``ExplainedError``.
    public static func scoreFile(_ bytes: [UInt8], name: String) throws(ExplainedError) -> [UInt8] {
        let system: [UInt8]
        if bytes.starts(with: "BCFZ".utf8) {
            system = try unpack(bytes, name)
        } else if bytes.starts(with: "BCFS".utf8) {
            system = bytes
        } else {
            throw ExplainedError(
                "\(name) is no file of Guitar Pro 6; it begins neither with BCFZ nor with BCFS.")
        }
        guard system.starts(with: "BCFS".utf8) else { throw damaged(name) }
        // Offsets in the file system count from behind its mark.
        let data = system[4...]
        var at = data.startIndex + sectorBytes
        while at + sectorBytes <= data.endIndex {
            defer { at += sectorBytes }
            guard number(data, at) == 2 else { continue }
            let title = String(decoding: data[(at + 4)..<(at + 4 + 127)].prefix { $0 != 0 }, as: UTF8.self)
            guard title == "score.gpif" else { continue }
            return try file(data, header: at, name)
        }
        throw ExplainedError("\(name) holds no score.gpif; save it again in Guitar Pro.")
    }

    private static func damaged(_ name: String) -> ExplainedError {
        ExplainedError("\(name) is damaged or cut off; save it again in Guitar Pro.")
    }

    private static func number(_ data: ArraySlice<UInt8>, _ at: Int) -> Int {
        guard at >= data.startIndex, at + 4 <= data.endIndex else { return 0 }
        return Int(data[at]) | Int(data[at + 1]) << 8 | Int(data[at + 2]) << 16 | Int(data[at + 3]) << 24
    }

    private static func file(_ data: ArraySlice<UInt8>, header: Int, _ name: String) throws(ExplainedError)
        -> [UInt8]
    {
        let size = number(data, header + 0x8C)
        guard size > 0, size <= data.count else { throw damaged(name) }
        var content: [UInt8] = []
        content.reserveCapacity(size)
        var pointer = header + 0x94
        while content.count < size, pointer + 4 <= header + sectorBytes {
            let sector = number(data, pointer)
            guard sector > 0 else { break }
            let start = data.startIndex + sector * sectorBytes
            guard start < data.endIndex else { throw damaged(name) }
            content += data[start..<min(start + sectorBytes, data.endIndex)]
            pointer += 4
        }
        guard content.count >= size else { throw damaged(name) }
        return Array(content.prefix(size))
    }

    /// Unpacks BCFZ: bits, highest first, that say whether bytes follow or are repeated from before.
    private static func unpack(_ bytes: [UInt8], _ name: String) throws(ExplainedError) -> [UInt8] {
        let expected = number(bytes[...], 4)
        guard expected > 0, expected <= mostBytes else {
            throw ExplainedError("\(name) says that it unpacks to \(expected >> 20) MB; at most 61 are read.")
        }
        var bits = BitReader(bytes: bytes, at: 8)
        var out: [UInt8] = []
        out.reserveCapacity(min(expected, 64 * bytes.count))
        while out.count < expected {
            guard let isRepeated = bits.next(1) else { break }
            if isRepeated == 1 {
                guard let width = bits.next(4), let offset = bits.nextReversed(width),
                    let length = bits.nextReversed(width), offset > 0, offset <= out.count
                else { break }
                let start = out.count - offset
                for index in 0..<min(length, offset) { out.append(out[start + index]) }
            } else {
                guard let length = bits.nextReversed(2) else { break }
                for _ in 0..<length {
                    // The program itself leaves the last byte out at times.
                    guard let byte = bits.next(8) else { break }
                    out.append(UInt8(byte))
                }
            }
        }
        guard out.count >= expected || out.count > sectorBytes else { throw damaged(name) }
        return out
    }

    private struct BitReader {
        let bytes: [UInt8]
        var at: Int
        var bit = 0

        mutating func next(_ count: Int) -> Int? {
            var value = 0
            for _ in 0..<count {
                guard let one = one() else { return nil }
                value = value << 1 | one
            }
            return value
        }

        mutating func nextReversed(_ count: Int) -> Int? {
            var value = 0
            for place in 0..<count {
                guard let one = one() else { return nil }
                value |= one << place
            }
            return value
        }

        private mutating func one() -> Int? {
            guard at < bytes.count else { return nil }
            let value = Int(bytes[at] >> (7 - bit) & 1)
            bit += 1
            if bit == 8 { (bit, at) = (0, at + 1) }
            return value
        }
    }
}
