import NIOCore

/// An event in the bytes of the event stream, encoded once for all listeners.
///
/// Source: WHATWG HTML, "Server-sent events", "Interpreting an event stream".
struct EventFrame {
    let id: UInt64
    let bytes: ByteBuffer

    /// - Parameter json: line breaks, which end a line of the stream, become several data lines.
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

    /// Several events as one chunk of an HTTP/1.1 body; nil if there are none.
    static func chunk(of frames: [EventFrame]) -> ByteBuffer? {
        let count = frames.reduce(0) { $0 + $1.bytes.readableBytes }
        guard count > 0 else { return nil }
        var buffer = ByteBufferAllocator().buffer(capacity: count + 20)
        buffer.writeString(String(count, radix: 16) + "\r\n")
        for frame in frames { buffer.writeImmutableBuffer(frame.bytes) }
        buffer.writeString("\r\n")
        return buffer
    }
}
