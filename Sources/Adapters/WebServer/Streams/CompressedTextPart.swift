import NIOCore
import Platform

/// A part of a text, encoded and compressed once and shared by all responses that contain it.
///
/// The compressed form refers to nothing outside the part, so parts can be joined in any order without being compressed
/// again.
public struct CompressedTextPart: Equatable, Sendable {
    let plain: ByteBuffer
    /// The compressed part: deflate blocks that end on a whole byte, none of them marked as final.
    let packed: ByteBuffer
    let checksum: Gzip.PartChecksum

    /// Compresses the text, which takes some milliseconds for 100 kB.
    public init(_ bytes: [UInt8]) {
        plain = ByteBuffer(bytes: bytes)
        packed = ByteBuffer(bytes: Gzip.compressPart(bytes))
        checksum = Gzip.PartChecksum(of: bytes)
    }
}

/// Several parts that form one text. Sending the text copies none of their bytes.
struct JoinedTextParts: Equatable, Sendable {
    let parts: [CompressedTextPart]
    /// The HTTP entity tag, with its quotation marks.
    let entityTag: String

    var byteCount: Int { parts.reduce(0) { $0 + $1.plain.readableBytes } }

    private static let gzipHeader = ByteBuffer(bytes: Gzip.memberHeader)

    /// The whole text compressed as one gzip member (RFC 1952), as a list of buffers.
    var gzippedBuffers: [ByteBuffer] {
        [Self.gzipHeader] + parts.map(\.packed) + [ByteBuffer(bytes: Gzip.trailer(of: parts.map(\.checksum)))]
    }
}
