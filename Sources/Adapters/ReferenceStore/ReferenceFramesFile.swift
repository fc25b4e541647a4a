import Alignment
import Basics
import Platform

/// The file format of a reference recording's frames: one byte a value.
///
/// Little endian throughout.
///
/// | Offset | Content |
/// |---|---|
/// | 0 | `BATONREF` |
/// | 8 | UInt16: version, 1 |
/// | 10 | UInt16: dimensions, 1…4096 |
/// | 12 | UInt16: frames a second, 1…1000 |
/// | 14 | UInt16: 0 |
/// | 16 | UInt32: number of frames n, at least 1 |
/// | 20 | n × Float32: power of each frame, full scale 1 |
/// | 20 + 4 n | n × dimensions × UInt8: values, frame after frame |
/// | the last 32 bytes | SHA-256 of everything before |
///
/// A byte q stands for the value (q / 255)². Squares are used because small values are frequent and matter as much as
/// large ones. The largest error is 0.0039, near 1.
enum ReferenceFramesFile {
    static let version = 1
    static let magic = Array("BATONREF".utf8)
    static let headerBytes = 20
    static let dimensionsRange = 1...4_096
    static let framesPerSecondRange = 1...1_000
    /// The maximum number of values in one file. It is enough for two hours and a half at fifty frames a second
    /// of 144 values each; as floats they take a quarter of a gigabyte.
    static let valueLimit = 1 << 26
    /// The size in bytes of the largest file with ``valueLimit`` values.
    static let byteLimit = headerBytes + valueLimit * 5 + Digest.byteCount

    /// Encodes frames as the bytes of a file.
    /// - Parameter frames: values outside 0…1 are clamped; the numbers of frames and values must be within this
    ///   format's limits.
    /// - Complexity: O(values).
    static func encode(of frames: ReferenceFeatureFrames, framesPerSecond: Int) -> [UInt8] {
        precondition(
            framesPerSecondRange.contains(framesPerSecond) && dimensionsRange.contains(frames.dimensions)
                && frames.frameCount > 0 && frames.featureValues.count <= valueLimit,
            "\(frames.frameCount) frames of \(frames.dimensions) values are beyond what a file holds")
        var bytes = magic
        for word in [version, frames.dimensions, framesPerSecond, 0] {
            bytes += [UInt8(truncatingIfNeeded: word), UInt8(truncatingIfNeeded: word >> 8)]
        }
        bytes += littleEndian(UInt32(frames.frameCount))
        bytes.reserveCapacity(
            bytes.count + 4 * frames.frameCount + frames.featureValues.count + Digest.byteCount)
        for power in frames.powerByFrame { bytes += littleEndian(power.bitPattern) }
        for value in frames.featureValues { bytes.append(quantize(value)) }
        bytes += Digest(of: bytes).bytes
        return bytes
    }

    /// Decodes and checks a file's bytes.
    /// - Returns: the frames, their rate, and the digest at the end of the file.
    /// - Complexity: O(bytes); memory 4 bytes a value.
    static func decode(
        of bytes: [UInt8]
    ) throws(ExplainedError) -> (frames: ReferenceFeatureFrames, framesPerSecond: Int, digest: Digest) {
        guard bytes.starts(with: magic) else { throw ExplainedError("it does not begin with BATONREF") }
        guard bytes.count >= headerBytes + Digest.byteCount else { throw ExplainedError("it is cut short") }
        let found = Int(bytes[8]) | Int(bytes[9]) << 8
        guard found == version else {
            throw ExplainedError(
                "it has version \(found), and only version \(ReferenceFramesFile.version) is known")
        }
        let dimensions = Int(bytes[10]) | Int(bytes[11]) << 8
        let rate = Int(bytes[12]) | Int(bytes[13]) << 8
        let count = (0..<4).reduce(0) { $0 | Int(bytes[16 + $1]) << (8 * $1) }
        // The size in bytes cannot overflow: it is a 32-bit number times at most 12.
        guard dimensionsRange.contains(dimensions), framesPerSecondRange.contains(rate), count > 0,
            count * dimensions <= valueLimit
        else { throw ExplainedError("its header has impossible values") }
        let valuesStart = headerBytes + 4 * count
        let end = valuesStart + count * dimensions
        guard bytes.count >= end + Digest.byteCount else { throw ExplainedError("it is cut short") }
        guard bytes.count == end + Digest.byteCount else {
            throw ExplainedError("it is longer than its header says")
        }
        guard let digest = Digest(bytes: Array(bytes[end...])), Digest(of: bytes[..<end]) == digest
        else { throw ExplainedError("its content does not match its digest") }

        let power = bytes.withUnsafeBytes { bytes in
            (0..<count).map { frame in
                let word = bytes.loadUnaligned(fromByteOffset: headerBytes + 4 * frame, as: UInt32.self)
                return Float(bitPattern: UInt32(littleEndian: word))
            }
        }
        guard power.allSatisfy({ $0.isFinite && $0 >= 0 }) else {
            throw ExplainedError("it holds a loudness that is not a number")
        }
        let values = [Float](unsafeUninitializedCapacity: count * dimensions) { values, filled in
            valuesByByte.withUnsafeBufferPointer { decoding in
                bytes.withUnsafeBufferPointer { bytes in
                    for index in 0..<count * dimensions {
                        values.initializeElement(at: index, to: decoding[Int(bytes[valuesStart + index])])
                    }
                }
            }
            filled = count * dimensions
        }
        return (
            ReferenceFeatureFrames(featureValues: values, dimensions: dimensions, powerByFrame: power), rate,
            digest
        )
    }

    /// A file's bytes with each value as its difference to the frame before, one dimension after the other.
    static func differences(of file: [UInt8], frameCount: Int, dimensions: Int) -> [UInt8] {
        let start = headerBytes + 4 * frameCount
        var bytes = file
        for dimension in 0..<dimensions {
            var before: UInt8 = 0
            for frame in 0..<frameCount {
                let value = file[start + frame * dimensions + dimension]
                bytes[start + dimension * frameCount + frame] = value &- before
                before = value
            }
        }
        return bytes
    }

    /// Returns the byte whose value is closest to a value; NaN counts as 0.
    static func quantize(_ value: Float) -> UInt8 {
        guard value > 0 else { return 0 }
        return UInt8((min(value, 1).squareRoot() * 255).rounded())
    }

    static let valuesByByte: [Float] = (0...255).map { Float($0 * $0) / (255 * 255) }

    private static func littleEndian(_ word: UInt32) -> [UInt8] {
        (0..<4).map { UInt8(truncatingIfNeeded: word >> (8 * UInt32($0))) }
    }
}
