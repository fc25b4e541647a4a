import Compression
import NIOCore

/// A piece of a text that is assembled on request: encoded and compressed once, shared by all answers.
///
/// Its compressed form refers to nothing outside itself, so that pieces can be joined in any order without
/// compressing again.
public struct PackedPart: Equatable, Sendable {
    let plain: ByteBuffer
    /// Deflate blocks, none of them final, ending on a whole byte.
    let packed: ByteBuffer
    let checksum: Gzip.Checksum

    /// Compresses the text; some milliseconds for 100 kB.
    public init(_ bytes: [UInt8]) {
        plain = ByteBuffer(bytes: bytes)
        packed = ByteBuffer(bytes: Gzip.part(bytes))
        checksum = Gzip.Checksum(of: bytes)
    }
}

/// Parts that form one text; sending it copies none of their bytes.
struct JoinedParts: Equatable, Sendable {
    let parts: [PackedPart]
    /// The entity tag, with its quotes.
    let tag: String

    var byteCount: Int { parts.reduce(0) { $0 + $1.plain.readableBytes } }

    private static let head = ByteBuffer(bytes: Gzip.head)

    /// The whole text as one gzip member, RFC 1952.
    var zipped: [ByteBuffer] {
        [Self.head] + parts.map(\.packed) + [ByteBuffer(bytes: Gzip.foot(of: parts.map(\.checksum)))]
    }
}
