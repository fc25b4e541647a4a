import NIOCore

/// One server-sent event as bytes, encoded once for all clients that receive it.
///
/// Source: WHATWG HTML, "Server-sent events", "Interpreting an event stream".
struct EncodedServerSentEvent {
    let id: UInt64
    let bytes: ByteBuffer

    /// - Parameters:
    ///   - id: the event's number, with which a client can tell where it stopped.
    ///   - json: the event's data. Line breaks would end a line of the stream, so the data becomes several `data:`
    ///     lines.
    init(id: UInt64, event: String, json: [UInt8]) {
        self.id = id
        var buffer = ByteBufferAllocator().buffer(capacity: json.count + event.utf8.count + 48)
        buffer.writeString("id: \(id)\nevent: \(event)\ndata: ")
        if json.contains(where: { $0 == UInt8(ascii: "\n") || $0 == UInt8(ascii: "\r") }) {
            for byte in json where byte != UInt8(ascii: "\r") {
                buffer.writeInteger(byte)
                if byte == UInt8(ascii: "\n") { buffer.writeString("data: ") }
            }
        } else {
            buffer.writeBytes(json)
        }
        buffer.writeString("\n\n")
        bytes = buffer
    }

    /// Several events as one chunk of an HTTP/1.1 body with chunked encoding; nil if there are no events.
    static func makeHTTPChunk(of frames: [EncodedServerSentEvent]) -> ByteBuffer? {
        frames.isEmpty ? nil : makeHTTPChunk(of: frames.map(\.bytes))
    }

    /// Events' bytes, not none, as one chunk.
    static func makeHTTPChunk(of parts: [ByteBuffer]) -> ByteBuffer {
        let count = parts.reduce(0) { $0 + $1.readableBytes }
        var buffer = ByteBufferAllocator().buffer(capacity: count + 20)
        buffer.writeString(String(count, radix: 16) + "\r\n")
        for part in parts { buffer.writeImmutableBuffer(part) }
        buffer.writeString("\r\n")
        return buffer
    }
}
