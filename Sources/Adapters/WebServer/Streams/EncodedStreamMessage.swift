import NIOCore

/// One message of a personal stream as bytes, encoded once for all clients that receive it.
///
/// The bytes are shared: the same frame for three hundred clients takes no more memory than for one. Source: WHATWG
/// HTML, "Server-sent events"; RFC 9112, section 7.1, for the chunked encoding.
public struct EncodedStreamMessage: Sendable {
    let httpChunk: ByteBuffer

    /// - Parameters:
    ///   - json: one JSON value without line breaks.
    ///   - event: the name of the event; nil for a plain message.
    public init(_ json: [UInt8], event: String? = nil) {
        var head = event.map { "event: \($0)\n" } ?? ""
        head += "data: "
        let count = head.utf8.count + json.count + 2
        var buffer = ByteBufferAllocator().buffer(capacity: count + 20)
        buffer.writeString(String(count, radix: 16) + "\r\n")
        buffer.writeString(head)
        // A line break would end the message early, and its sender could forge another message.
        buffer.writeBytes(
            json.lazy.map { $0 == UInt8(ascii: "\n") || $0 == UInt8(ascii: "\r") ? UInt8(ascii: " ") : $0 })
        buffer.writeString("\n\n\r\n")
        httpChunk = buffer
    }

    /// The size in bytes as sent, including the chunked encoding.
    public var byteCount: Int { httpChunk.readableBytes }
}
