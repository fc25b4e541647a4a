import NIOCore

/// An event as it goes over the wire, encoded once for all listeners.
///
/// Source: WHATWG HTML, "Server-sent events", "Interpreting an event stream".
struct EventFrame {
    let id: UInt64
    let bytes: ByteBuffer

    /// - Parameter json: line breaks, which end a line of the stream, are kept as several data lines.
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
}
