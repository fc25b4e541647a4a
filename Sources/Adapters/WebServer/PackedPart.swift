import Compression
import NIOCore

/// A part of texts that are put together as they are asked for: written and packed once, shared by every answer.
///
/// Its packed form refers to nothing outside itself, so that parts join in any order without being packed again.
public struct PackedPart: Equatable, Sendable {
    let plain: ByteBuffer
    /// Deflate blocks, none of them the last, ending on a whole byte.
    let packed: ByteBuffer
    let checksum: Gzip.Checksum

    /// Cost: packs the text; some milliseconds for 100 kB.
    public init(_ bytes: [UInt8]) {
        plain = ByteBuffer(bytes: bytes)
        packed = ByteBuffer(bytes: Gzip.part(bytes))
        checksum = Gzip.Checksum(of: bytes)
    }
}

/// Parts that are one text together; sending them copies none of their bytes.
struct JoinedParts: Equatable, Sendable {
    let parts: [PackedPart]
    /// With its quotes.
    let tag: String

    var byteCount: Int { parts.reduce(0) { $0 + $1.plain.readableBytes } }

    private static let head = ByteBuffer(bytes: Gzip.head)

    /// The whole text in one gzip member, RFC 1952.
    var zipped: [ByteBuffer] {
        [Self.head] + parts.map(\.packed) + [ByteBuffer(bytes: Gzip.foot(of: parts.map(\.checksum)))]
    }
}
