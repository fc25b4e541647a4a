import Alignment
import Basics
import Platform

/// The file of a reference recording's frames: a header, ``PackedFrames/bytes`` as raw deflate data, and a digest.
/// docs/model-format.md describes it, and version 1, which is read as well.
enum ReferenceFramesFile {
    static let version = 2
    static let magic = Array("BATONREF".utf8)
    static let headerBytes = 20
    static let dimensionsRange = 1...4_096
    static let framesPerSecondRange = 1...1_000
    /// The maximum number of values in one file. It is enough for two hours and a half at fifty frames a second
    /// of 144 values each.
    static let valueLimit = 1 << 26
    /// The size in bytes of the largest file, which is one of version 1 with ``valueLimit`` values.
    static let byteLimit = headerBytes + valueLimit * 5 + Digest.byteCount

    /// Encodes frames as the bytes of a file.
    /// - Parameter frames: at least one, and at most ``valueLimit`` values.
    /// - Returns: the file's bytes, and the digest at their end.
    /// - Complexity: O(values), some 30 ns each.
    static func encode(of frames: PackedFrames, framesPerSecond: Int) -> (bytes: [UInt8], digest: Digest) {
        var bytes = magic
        for word in [
            version, frames.dimensions, framesPerSecond, 0, frames.frameCount, frames.frameCount >> 16,
        ] {
            bytes += [UInt8(truncatingIfNeeded: word), UInt8(truncatingIfNeeded: word >> 8)]
        }
        bytes += Deflate.compress(frames.bytes)
        let digest = Digest(of: bytes)
        return (bytes + digest.bytes, digest)
    }

    /// Decodes and checks a file's bytes.
    /// - Returns: the frames, their rate, and the digest at the end of the file.
    /// - Complexity: O(bytes); memory half a byte a value.
    static func decode(
        of bytes: [UInt8]
    ) throws(ExplainedError) -> (frames: PackedFrames, framesPerSecond: Int, digest: Digest) {
        guard bytes.starts(with: magic) else { throw ExplainedError("it does not begin with BATONREF") }
        guard bytes.count >= headerBytes + Digest.byteCount else { throw cutShort }
        let found = Int(bytes[8]) | Int(bytes[9]) << 8
        guard (1...version).contains(found) else {
            throw ExplainedError("it has version \(found), and only versions up to \(version) are known")
        }
        let dimensions = Int(bytes[10]) | Int(bytes[11]) << 8
        let rate = Int(bytes[12]) | Int(bytes[13]) << 8
        let count = (0..<4).reduce(0) { $0 | Int(bytes[16 + $1]) << (8 * $1) }
        // The size in bytes cannot overflow: it is a 32-bit number times at most 4,100.
        guard dimensionsRange.contains(dimensions), framesPerSecondRange.contains(rate), count > 0,
            count * dimensions <= valueLimit
        else { throw ExplainedError("its header has impossible values") }
        let end = bytes.count - Digest.byteCount
        guard let digest = Digest(bytes: Array(bytes[end...])), Digest(of: bytes[..<end]) == digest
        else {
            throw ExplainedError("it is damaged or cut short, for its content does not match its digest")
        }
        let length = PackedFrames.contentBytes(version: found, dimensions: dimensions, frameCount: count)
        var content = bytes[headerBytes..<end]
        if found > 1 { content = try inflate(Array(content), length: length)[...] }
        guard content.count >= length else { throw cutShort }
        guard content.count == length else { throw tooLong }
        let frames = content.withUnsafeBytes {
            PackedFrames(version: found, dimensions: dimensions, frameCount: count, content: $0)
        }
        guard let frames else { throw ExplainedError("it holds a loudness that is not a number") }
        return (frames, rate, digest)
    }

    /// - Parameter length: the number of bytes that are expected; of more, some are returned.
    private static func inflate(_ deflated: [UInt8], length: Int) throws(ExplainedError) -> [UInt8] {
        var input = [deflated]
        var content: [UInt8] = []
        content.reserveCapacity(length + Deflate.chunkBytes)
        try Deflate.decompress { () throws(ExplainedError) in
            input.popLast() ?? []
        } take: { chunk throws(ExplainedError) in
            guard content.count <= length else { throw tooLong }
            content += chunk
        } naming: {
            $0 == .endsTooEarly ? cutShort : ExplainedError("its frames cannot be decompressed")
        }
        return content
    }

    static let cutShort = ExplainedError("it is cut short")
    static let tooLong = ExplainedError("it is longer than its header says")
}
